"""Contenders of a benchmark: starts workers and talks to them."""

import importlib.util
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def extension_file(name):
    """The file of a DuckDB extension that was installed as a Python package."""
    spec = importlib.util.find_spec(f"duckdb_extension_{name}")
    if spec is None:
        raise SystemExit(f"The Python package duckdb-extension-{name} is missing: run 'make setup'.")
    folder = pathlib.Path(list(spec.submodule_search_locations)[0])
    return str(next(folder.rglob(f"{name}.duckdb_extension")))


class Contender:
    """A client in a process of its own. `kind`: plain, reference or tarn."""

    def __init__(self, kind, build, folder, setup=(), threads=2, memory_limit=None, load=(), server=None):
        """`server`: the connection string of an empty PostgreSQL database; without it the catalog is a SQLite file."""
        self.kind = kind
        self.server = server
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.load = load = list(load)
        if kind == "reference":
            load += [extension_file("postgres_scanner" if server else "sqlite_scanner"), extension_file("ducklake")]
        if kind == "tarn":
            load += [str(pathlib.Path(build).resolve() / "tarn.duckdb_extension")]
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "worker.py")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._ask({"load": load, "setup": list(setup), "threads": threads,
                   "memory_limit": memory_limit, "temp_directory": str(self.folder / "spill")})

    def attach_string(self):
        if self.server:
            return f"ducklake:postgres:{self.server}"
        return f"ducklake:sqlite:{self.folder / 'catalog.sqlite'}"

    def attach_statement(self, *options):
        options = (f"DATA_PATH '{self.folder / 'data'}/'", *options)
        return f"ATTACH '{self.attach_string()}' AS lake ({', '.join(options)})"

    def attach(self, *options):
        """Attaches this contender's own lake as `lake`, inlining off so that both clients write files."""
        self.run(self.attach_statement("DATA_INLINING_ROW_LIMIT 0", *options))

    def _ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"The {self.kind} process died (exit code {self.process.wait()}).")
        return json.loads(line)

    def run(self, *sql, values=False):
        """Runs statements one after another; returns seconds, the last result's fingerprint, peak memory."""
        answer = self._ask({"sql": list(sql), "values": values})
        if "error" in answer:
            raise SystemExit(f"{self.kind}: {answer['error']}\n  in: {sql[-1][:200]}")
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait()
