#!/usr/bin/env python3
"""A PostgreSQL server for tests: Debian's, as an unprivileged user, on a free loopback port, in a temporary folder.

    with postgres.Server() as server:         server.dsn is a connection string without a database
    python3 test/harness/postgres.py COMMAND…  runs a command with $TARN_TEST_POSTGRES set to such a string

PostgreSQL refuses to run as root, so root starts it as `postgres` or `nobody`. Nothing of the machine's own clusters is
used or touched. fsync is off, unless it is asked for: the data are gone with the test. Its role `tarn` is a superuser whose password is in the
string; others log in with theirs, as scram-sha-256 wants it.
"""

import glob
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PASSWORD = "tarn-test"


def programs():
    """The folder of the newest server's programs; None when there is none."""
    def version(path):
        return [int(part) if part.isdigit() else 0 for part in path.split("/")[-2].split(".")]

    folders = [folder for folder in glob.glob("/usr/lib/postgresql/*/bin") if os.path.exists(f"{folder}/initdb")]
    if folders:
        return max(folders, key=version)
    found = shutil.which("initdb")
    return os.path.dirname(os.path.realpath(found)) if found else None


def unprivileged():
    """The user and group that the server runs as; None: whoever runs this."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
            return entry.pw_uid, entry.pw_gid
        except KeyError:
            continue
    raise RuntimeError("a PostgreSQL server cannot run as root, and there is no user postgres or nobody")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    def __init__(self, durable=False):
        """`durable`: it waits for its disk, as a real one does."""
        self._durable = durable
        self._programs = programs()
        if self._programs is None:
            raise RuntimeError("no PostgreSQL server is installed: run `make setup`")
        self._user = unprivileged()
        self.folder = Path(tempfile.mkdtemp(prefix="tarn-pg-"))
        self.process = None
        self.port = None

    def __enter__(self):
        try:
            self._prepare()
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *unused):
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def dsn(self):
        return f"host=127.0.0.1 port={self.port} user=tarn password={PASSWORD}"

    def _as_user(self):
        if self._user is None:
            return {}
        uid, gid = self._user
        return {"user": uid, "group": gid, "extra_groups": []}

    def _run(self, *command):
        done = subprocess.run([f"{self._programs}/{command[0]}", *command[1:]], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}, **self._as_user())
        if done.returncode != 0:
            raise RuntimeError(f"{command[0]} failed:\n{done.stdout}")

    def _prepare(self):
        if self._user:
            os.chown(self.folder, *self._user)
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        if self._user:
            os.chown(secret, *self._user)
        data = self.folder / "data"
        self._run("initdb", "-D", str(data), "-U", "tarn", f"--pwfile={secret}", "-A", "scram-sha-256", "-E", "UTF8",
                  "--locale=C.UTF-8", "--no-sync", "--no-instructions")
        with open(data / "postgresql.conf", "a") as settings:
            if not self._durable:
                settings.write("fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n")
            settings.write("listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nmax_connections = 200\n"
                           "shared_buffers = 32MB\nautovacuum = on\nlogging_collector = off\n")

    def start(self):
        """Starts the server, or starts it again on the same port."""
        for _ in range(5):
            self.port = self.port or free_port()
            with open(self.folder / "log", "ab") as log:
                self.process = subprocess.Popen(
                    [f"{self._programs}/postgres", "-D", str(self.folder / "data"), "-p", str(self.port)],
                    cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                    env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}, start_new_session=True, **self._as_user())
            if self._answers():
                return
            self.port = None
        raise RuntimeError("PostgreSQL does not start:\n" + (self.folder / "log").read_text(errors="replace")[-4000:])

    def _answers(self):
        for _ in range(300):
            if self.process.poll() is not None:
                return False
            ready = subprocess.run([f"{self._programs}/pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)])
            if ready.returncode == 0:
                return True
            time.sleep(0.1)
        return False

    def stop(self, mode="fast"):
        if self.process is None:
            return
        self.process.send_signal({"fast": 2, "immediate": 3}[mode])
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def sql(self, statement, database="postgres"):
        """Runs SQL as the superuser and returns what psql prints, unaligned."""
        done = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", f"dbname={database} {self.dsn}",
                               "-c", statement], text=True, capture_output=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()


def main():
    with Server() as server:
        environment = os.environ | {"TARN_TEST_POSTGRES": server.dsn}
        return subprocess.run(sys.argv[1:], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
