"""A PostgreSQL server that keeps its promises, and that can be killed together with all its processes."""

import os
import signal
import subprocess
import time

from harness import postgres


class DurableServer(postgres.Server):
    def _prepare(self):
        super()._prepare()
        with open(self.folder / "data" / "postgresql.conf", "a") as settings:
            settings.write("fsync = on\nsynchronous_commit = on\nfull_page_writes = on\n")

    def crash(self):
        """SIGKILL for the server and each process of its own: nothing is flushed, nobody is told."""
        parent = self.process.pid
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], text=True, capture_output=True)
        self.process.kill()
        self.process.wait()
        self.process = None
        for word in listed.stdout.split():
            try:
                os.kill(int(word), signal.SIGKILL)
            except ProcessLookupError:
                pass
        # A server does not start while a process of the old one still runs.
        for word in listed.stdout.split():
            wait_for(lambda pid=word: not os.path.exists(f"/proc/{pid}"))

    def wait_until_idle(self, database):
        """A killed client's last words may still be worked on: waits until no session is left."""
        wait_for(lambda: self.sql(f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{database}'") == "0")


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)
