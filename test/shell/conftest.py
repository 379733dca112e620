"""What the tests of the `tarn` command share: the command as a function, and the command on a terminal."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TARN_BUILD") or ROOT / "build/release").resolve()
TARN = BUILD / "tarn"

# Before a statement whose few rows are to become a file.
FILES = "SET ducklake_default_data_inlining_row_limit = 0"


@pytest.fixture
def environment(tmp_path):
    """No colours, no home but the test's own, a time zone that all machines know."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LD_PRELOAD", "ASAN_OPTIONS")}
    return kept | {"HOME": str(tmp_path / "home"), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


@pytest.fixture
def tarn(tmp_path, environment):
    """Runs the command in a folder of the test's own; asserts how it ends and returns what it printed."""

    def run(*arguments, stdin=None, code=0, error=None):
        done = subprocess.run([TARN, *map(str, arguments)], cwd=tmp_path, env=environment, capture_output=True,
                              input=stdin.encode() if stdin is not None else None,
                              stdin=subprocess.DEVNULL if stdin is None else None, timeout=120)
        stdout, stderr = done.stdout.decode(), done.stderr.decode()
        assert done.returncode == code, stdout + stderr
        if error is None and code == 0:
            assert stderr == ""
        elif error is not None:
            assert error in stderr
        return stdout

    return run


class Terminal:
    """The command on a terminal of 80 by 24, typed into by a test."""

    def __init__(self, arguments, cwd, environment):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            # Before anything is drawn: a change of size would draw it anew.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            os.chdir(cwd)
            os.execve(TARN, [str(TARN), *map(str, arguments)], environment)
        self.seen = ""
        self.status = None

    def send(self, text):
        os.write(self.fd, text.encode())

    def expect(self, pattern, seconds=30):
        """Waits for a pattern in what was printed since the last one; returns what came up to its end."""
        deadline = time.monotonic() + seconds
        while not (found := re.search(pattern, self.seen)):
            assert self._read(deadline - time.monotonic()), f"no {pattern!r} in {self.seen!r}"
        text, self.seen = self.seen[:found.end()], self.seen[found.end():]
        return text

    def ask(self, line, pattern):
        self.send(line + "\r")
        return self.expect(pattern)

    def leave(self):
        """Ctrl-D. One that comes between a prompt and the editor's first read is lost: people are slower."""
        for _ in range(30):
            self.send("\x04")
            self._read(1)
            if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                break
        return self.end()

    def end(self, seconds=30):
        """Waits for the command to end; returns its exit code."""
        deadline = time.monotonic() + seconds
        while self._read(deadline - time.monotonic()):
            pass
        while self.status is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                self.status = status
            assert ended or time.monotonic() < deadline, f"it did not end: {self.seen!r}"
            time.sleep(0.01)
        return os.waitstatus_to_exitcode(self.status)

    def _read(self, seconds):
        ready, _, _ = select.select([self.fd], [], [], max(0, seconds))
        if not ready:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.seen += data.decode(errors="replace")
        return bool(data)

    def close(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)


@pytest.fixture
def terminal(tmp_path, environment):
    opened = []

    def start(*arguments, **more):
        opened.append(Terminal(arguments, tmp_path, environment | {"NO_COLOR": "1"} | more))
        return opened[-1]

    yield start
    for one in opened:
        one.close()
