"""Sessions of the two clients on one lake, each in a process of its own."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from harness import clients

DRIVER = Path(__file__).resolve().parent / "driver.py"


class SqlError(Exception):
    """The client refused a statement."""


class ClientEnded(Exception):
    """The client's process ended by itself."""


class Session:
    """A client that runs until it is closed; on a DuckDB-file catalog only one at a time can have the lake open."""

    def __init__(self, client, folder):
        self._process = subprocess.Popen([sys.executable, str(DRIVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, cwd=folder)
        self.name = client.name
        self._ask(vars(client))

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.close()

    def close(self):
        if self._process.stdin.closed:
            return
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            code = self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        errors = self._process.stderr.read().decode(errors="replace")
        self._process.stdout.close()
        self._process.stderr.close()
        if code != 0:
            raise ClientEnded(f"{self.name} ended with {code}: {errors[-2000:]}")

    def kill(self):
        """Ends the process at once, whatever it is doing."""
        self._process.kill()
        self._process.communicate()

    def begin(self, sql):
        """Sends a statement and does not wait for its answer."""
        self._send({"sql": sql, "connection": None})

    def _send(self, request):
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()

    def _ask(self, request):
        try:
            self._send(request)
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = b""
        if not line:
            self._process.wait(60)
            errors = self._process.stderr.read().decode(errors="replace")
            raise ClientEnded(f"{self.name} ended with {self._process.returncode} at {request}: {errors[-2000:]}")
        return json.loads(line)

    def run(self, sql, connection=None):
        """The rows of one statement, as tuples of texts; None is NULL."""
        answer = self._ask({"sql": sql, "connection": connection})
        if "error" in answer:
            raise SqlError(f"{self.name}: {answer['error']}\n{sql}")
        return [tuple(row) for row in answer["rows"]]

    def error(self, sql, connection=None):
        """The message of a statement that must fail."""
        answer = self._ask({"sql": sql, "connection": connection})
        if "error" not in answer:
            raise AssertionError(f"{self.name}: succeeded, but must fail: {sql}")
        return answer["error"]

    def outcome(self, sql):
        """Rows in one fixed order, or the word for an error: what can be compared between clients."""
        answer = self._ask({"sql": sql, "connection": None})
        if "error" in answer:
            # After such an error nothing more can be asked, and none may ever happen in Tarn.
            if self.name == "tarn" and (
                    "Internal error in Tarn" in answer["error"] or answer["error"].startswith(("INTERNAL", "FATAL"))):
                raise SqlError(f"{self.name}: {answer['error'][:600]}\n{sql}")
            return "error", answer["error"].partition("\n")[0]
        return "rows", sorted(([str(value) if value is not None else "NULL" for value in row]
                               for row in answer["rows"]))


@dataclass
class World:
    """One lake and the two clients that share it. `tarn` may be played by the reference, to prove the tests."""

    lake: clients.Lake
    tarn: clients.Client
    reference: clients.Client
    folder: str
    check_command: str | None

    def session(self, client, attach=""):
        """A session of a client ('tarn' or 'reference') with the lake attached as `lake`."""
        session = Session(getattr(self, client), self.folder)
        options = [f"DATA_PATH {clients.quoted(self.lake.data)}"]
        if attach:
            options.append(attach)
        session.run(f"ATTACH {clients.quoted(self.lake.attach)} AS lake ({', '.join(options)})")
        return session

    def script(self, client, statements, attach=""):
        """Runs statements in a session of its own."""
        with self.session(client, attach) as session:
            for statement in statements:
                session.run(statement)

    def check(self):
        """`tarn check --deep` must find the lake whole."""
        if self.check_command is None:
            return
        done = subprocess.run([self.check_command, "check", self.lake.check, "--deep"], capture_output=True, text=True,
                              timeout=120)
        assert done.returncode == 0, f"tarn check ended with {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
