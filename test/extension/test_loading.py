"""The extension loads into stock clients, from one file, and says clearly why when it cannot.

Two stock clients of the two kinds there are: Python's DuckDB exports its symbols, so the engine is bound to it; the
command line client hides them, so a libduckdb.so has to be found. Each load has a process of its own.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TARN_BUILD") or ROOT / "build/release").resolve()
EXTENSION = BUILD / "tarn.duckdb_extension"

PYTHON_CLIENT = """
import duckdb, json, sys
job = json.load(sys.stdin)
answers = []
for statements in job["databases"]:
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "extension_directory": job["extensions"],
                                        "autoinstall_known_extensions": "false"})
    for statement in statements:
        try:
            answers.append(connection.execute(statement).fetchall())
        except duckdb.Error as error:
            answers.append(str(error))
libraries = {line.split(None, 5)[5].strip() for line in open("/proc/self/maps") if len(line.split(None, 5)) == 6}
print(json.dumps({"answers": answers, "libraries": sorted(libraries)}))
"""

VERSION = "SELECT tarn_version()"


def quoted(path):
    return "'" + str(path).replace("'", "''") + "'"


class Machine:
    """A user's machine with nothing of Tarn's on it but what a test puts there."""

    def __init__(self, folder):
        self.folder = folder
        self.home = folder / "home"
        self.home.mkdir()
        self.extensions = self.home / "extensions"
        self.environment = {"HOME": str(self.home), "PATH": os.environ["PATH"]}
        for name in ("LD_PRELOAD", "ASAN_OPTIONS"):  # of a sanitizer
            if name in os.environ:
                self.environment[name] = os.environ[name]

    def python(self, *databases):
        job = {"databases": databases, "extensions": str(self.extensions)}
        done = subprocess.run([sys.executable, "-c", PYTHON_CLIENT], input=json.dumps(job), text=True,
                              capture_output=True, env=self.environment, timeout=60)
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout)
        return answer["answers"], answer["libraries"]

    def command_line(self, *statements):
        """What the stock command line client prints, values and errors together."""
        duckdb_cli = pytest.importorskip("duckdb_cli")
        client = Path(duckdb_cli.__file__).parent / "duckdb"
        client.chmod(0o755)
        command = [client, "-unsigned", "-noheader", "-list", "-cmd", f"SET extension_directory = {quoted(self.extensions)}"]
        done = subprocess.run(command, input=";\n".join(statements) + ";\n", text=True,
                              capture_output=True, env=self.environment, timeout=60)
        assert done.returncode >= 0, f"the client was killed by signal {-done.returncode}"
        return done.stdout + done.stderr

    def lone_extension(self, name="lone"):
        """The extension as a download of its own, which knows nothing of where it was built."""
        content = EXTENSION.read_bytes()
        for known in {BUILD, EXTENSION.parent}:
            content = content.replace(os.fsencode(known), b"/" + b"x" * (len(os.fsencode(known)) - 1))
        folder = self.folder / name
        folder.mkdir()
        (folder / EXTENSION.name).write_bytes(content)
        return folder / EXTENSION.name


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


@pytest.fixture(scope="session")
def version():
    return re.search(r"^project\(Tarn VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]


def duckdb_libraries(libraries):
    return [path for path in libraries if "libduckdb" in path]


def test_python_loads_one_file_and_keeps_its_one_duckdb(machine, version):
    answers, libraries = machine.python([f"LOAD {quoted(machine.lone_extension())}", VERSION])
    assert answers == [[], [[version]]]
    assert duckdb_libraries(libraries) == []


def test_python_installs_then_loads_by_name_in_a_fresh_process(machine, version):
    lone = machine.lone_extension()
    assert machine.python([f"INSTALL {quoted(lone)}"])[0] == [[]]
    shutil.rmtree(lone.parent)
    assert machine.python(["LOAD tarn", VERSION])[0] == [[], [[version]]]


def test_named_library_is_taken_instead_of_the_clients_own(machine, version):
    for name in (BUILD, BUILD / "libduckdb.so"):
        machine.environment["TARN_LIBDUCKDB"] = str(name)
        answers, libraries = machine.python([f"LOAD {quoted(EXTENSION)}", VERSION])
        assert answers == [[], [[version]]]
        assert len(duckdb_libraries(libraries)) == 1


def test_named_library_that_cannot_be_used_is_an_error(machine):
    (machine.folder / "empty.so").write_text("no library")
    for name, words in [("/nowhere/libduckdb.so", "No such file"), (machine.folder / "empty.so", "empty.so"),
                        (machine.folder, "libduckdb.so"), ("libc.so.6", "not a DuckDB library")]:
        machine.environment["TARN_LIBDUCKDB"] = str(name)
        (error, answer), _ = machine.python([f"LOAD {quoted(EXTENSION)}", "SELECT 1"])
        assert "TARN_LIBDUCKDB is set to a library that cannot be used" in error and words in error
        assert answer == [[1]]


def test_command_line_loads_by_path(machine, version):
    assert machine.command_line(f"LOAD {quoted(EXTENSION)}", VERSION).strip() == version


def test_command_line_installs_then_loads_by_name_in_a_fresh_process(machine, version):
    lone = machine.lone_extension()
    shutil.copy(BUILD / "libduckdb.so", lone.parent)
    assert machine.command_line(f"INSTALL {quoted(lone)}").strip() == ""
    assert machine.command_line("LOAD tarn", VERSION).strip() == version


def test_command_line_without_libduckdb_is_told_what_to_do(machine, version):
    lone = machine.lone_extension()
    output = machine.command_line(f"LOAD {quoted(lone)}", "SELECT 'still' || ' alive'")
    assert "no libduckdb.so of version v" in output and "TARN_LIBDUCKDB" in output and str(lone.parent) in output
    assert "still alive" in output
    shutil.copy(BUILD / "libduckdb.so", lone.parent)
    assert machine.command_line(f"LOAD {quoted(lone)}", VERSION).strip() == version


def test_command_line_says_why_a_library_was_refused(machine):
    lone = machine.lone_extension()
    (lone.parent / "libduckdb.so").write_text("no library")
    output = machine.command_line(f"LOAD {quoted(lone)}")
    assert "What was tried: " in output and f"{lone.parent}/libduckdb.so: " in output


def test_ducklake_counts_as_loaded(machine):
    answers, _ = machine.python([
        f"LOAD {quoted(EXTENSION)}", "LOAD ducklake", f"LOAD {quoted(EXTENSION)}",
        "SELECT count(*) FROM duckdb_extensions() WHERE loaded AND extension_name IN ('tarn', 'ducklake')"])
    assert answers == [[], [], [], [[2]]]


def test_refuses_to_load_over_the_reference_client(machine):
    package = pytest.importorskip("duckdb_extension_ducklake")
    reference, = Path(list(package.__path__)[0]).rglob("ducklake.duckdb_extension")
    answers, _ = machine.python([f"LOAD {quoted(reference)}", f"LOAD {quoted(EXTENSION)}", "SELECT 1"])
    assert "\"ducklake\" is loaded in this database already" in answers[1]
    assert answers[2] == [[1]]


def test_two_databases_and_two_files_share_one_engine(machine, version):
    load, copy = f"LOAD {quoted(EXTENSION)}", f"LOAD {quoted(machine.lone_extension())}"
    answers, libraries = machine.python([load, VERSION], [load, VERSION], [copy, VERSION])
    assert answers == [[], [[version]]] * 3
    assert len([path for path in libraries if "tarn_engine" in path]) == 1


def test_exports_its_entry_points_alone():
    def exported(path):
        listed = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True)
        return {line.split()[-1] for line in listed.stdout.splitlines()}
    assert exported(EXTENSION) == {"tarn_duckdb_cpp_init"}
    assert exported(BUILD / "engine/libtarn_engine.so") == {"tarn_engine_load", "tarn_engine_version"}


def test_needs_nothing_that_a_users_machine_may_lack():
    fine = re.compile(r"lib(duckdb|stdc\+\+|gcc_s|c|m|dl|pthread|asan|ubsan|tsan)\.so(\.\d+)?|ld-linux.*")
    for path in (EXTENSION, BUILD / "engine/libtarn_engine.so"):
        listed = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", listed)
        assert [name for name in needed if not fine.fullmatch(name)] == []
