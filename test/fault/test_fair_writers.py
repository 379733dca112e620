"""Writers wait in a queue: each gets its share, and waiting ends by a timeout, by an interrupt, or with the one who is waited for."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import duckdb
import pytest

COMMITTING = str(Path(__file__).resolve().parent / "committing.py")
SECONDS = 2


class Committing:
    """A client process in which threads commit from `start` to `stop`."""

    def __init__(self, world, tables):
        self._process = subprocess.Popen([sys.executable, COMMITTING, world.extension, world.attach_statement(), *tables], text=True,
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = self._process.stdout.readline()
        assert line == "ready\n", line + self._process.stderr.read()

    def say(self):
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    start = stop = say

    def kill(self):
        self._process.kill()
        self._process.communicate()

    def pause(self):
        """Returns when all threads have stopped: on a busy machine some go on for a while after the signal."""
        os.kill(self._process.pid, signal.SIGSTOP)
        _, status = os.waitpid(self._process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)

    def answer(self):
        output, problem = self._process.communicate(timeout=60)
        assert self._process.returncode == 0, problem
        return json.loads(output)


def run_together(writers, seconds, meanwhile=lambda: None):
    for writer in writers:
        writer.start()
    time.sleep(seconds)
    meanwhile()
    for writer in writers:
        writer.stop()
    return [writer.answer() for writer in writers]


def make_tables(world, names):
    with world.open() as connection:
        for name in names:
            connection.execute(f"CREATE TABLE lake.{name} (i INTEGER)")


def assert_fair(world, tables, answers, share):
    counts = [count for answer in answers for count in answer["commits"]]
    assert [problem for answer in answers for problem in answer["problems"]] == []
    assert min(counts) >= share * max(counts), counts
    with world.open() as connection:
        assert [connection.execute(f"SELECT count(*) FROM lake.{name}").fetchone()[0] for name in tables] == counts
    world.assert_whole()


def test_processes_on_sqlite_get_equal_shares(make_world):
    world = make_world("sqlite")
    tables = [f"t{number}" for number in range(4)]
    make_tables(world, tables)
    writers = [Committing(world, [table]) for table in tables]
    answers = run_together(writers, SECONDS)
    assert_fair(world, tables, answers, 0.5)
    assert max(answer["longest"] for answer in answers) < 5


def test_threads_of_two_processes_on_sqlite_starve_nobody(make_world):
    world = make_world("sqlite")
    tables = [f"t{number}" for number in range(6)]
    make_tables(world, tables)
    answers = run_together([Committing(world, tables[:3]), Committing(world, tables[3:])], SECONDS)
    assert_fair(world, tables, answers, 0.3)


def test_threads_on_a_duckdb_file_get_equal_shares(make_world):
    world = make_world("duckdb")
    tables = [f"t{number}" for number in range(4)]
    make_tables(world, tables)
    answers = run_together([Committing(world, tables)], SECONDS)
    assert_fair(world, tables, answers, 0.5)


def test_killed_writers_leave_their_place_to_the_others(make_world):
    world = make_world("sqlite")
    tables = ["a", "b", "killed", "killed_too"]
    make_tables(world, tables)
    writers = [Committing(world, [table]) for table in tables]

    def kill_two():
        writers[2].kill()
        time.sleep(0.3)
        writers[3].kill()
        time.sleep(1)
    for writer in writers[2:]:
        writer.start()
    answers = run_together(writers[:2], 0.5, kill_two)
    assert_fair(world, tables[:2], answers, 0.5)
    assert max(answer["longest"] for answer in answers) < 5


@pytest.fixture
def held(make_world):
    """A lake whose catalog another process, one that does not queue, keeps locked for writing."""
    world = make_world("sqlite")
    make_tables(world, ["t"])
    holder = subprocess.Popen([sys.executable, "-c", "import sqlite3, sys, time\n"
                               f"database = sqlite3.connect({str(world.lake.check)!r}, isolation_level=None)\n"
                               "database.execute('BEGIN IMMEDIATE')\nprint('held', flush=True)\ntime.sleep(60)"],
                              stdout=subprocess.PIPE, text=True)
    assert holder.stdout.readline() == "held\n"
    yield world, holder
    holder.kill()
    holder.communicate()


def open_patiently(world, timeout_ms):
    connection = world.client()
    connection.execute(world.attach_statement().replace("(", f"(BUSY_TIMEOUT {timeout_ms}, "))
    return connection


@pytest.mark.parametrize("behind_another", [False, True])
def test_a_timeout_ends_waiting_with_one_sentence(held, behind_another):
    world, _ = held
    first = Committing(world, ["t"])
    if behind_another:  # which waits at the head of the queue
        first.start()
        time.sleep(0.5)
    with open_patiently(world, 300) as connection:
        began = time.monotonic()
        with pytest.raises(duckdb.Error) as failure:
            connection.execute("INSERT INTO lake.t VALUES (1)")
        assert 0.25 < time.monotonic() - began < 3
        message = str(failure.value)
        assert "stayed locked by" in message and "wait longer with BUSY_TIMEOUT" in message and "\n" not in message.strip()
        assert connection.execute("SELECT count(*) FROM lake.t").fetchone() == (0,)  # readers do not wait
    first.kill()


@pytest.mark.parametrize("behind_another", [False, True])
def test_an_interrupt_ends_waiting_at_once(held, behind_another):
    world, _ = held
    first = Committing(world, ["t"])
    if behind_another:
        first.start()
        time.sleep(0.5)
    with open_patiently(world, 60_000) as connection:
        threading.Timer(0.3, connection.interrupt).start()
        began = time.monotonic()
        with pytest.raises(duckdb.Error, match="(?i)interrupt"):
            connection.execute("INSERT INTO lake.t VALUES (1)")
        assert time.monotonic() - began < 3
        assert connection.execute("SELECT count(*) FROM lake.t").fetchone() == (0,)
    first.kill()


def test_a_killed_holder_lets_the_next_one_on(held):
    world, holder = held
    with open_patiently(world, 60_000) as connection:
        threading.Timer(0.3, holder.kill).start()
        began = time.monotonic()
        connection.execute("INSERT INTO lake.t VALUES (1)")
        assert 0.2 < time.monotonic() - began < 10
    world.assert_whole()


def test_a_stopped_waiter_does_not_stop_the_others(held):
    world, holder = held
    waiter = Committing(world, ["t"])
    waiter.start()
    time.sleep(0.5)
    waiter.pause()
    holder.kill()
    with open_patiently(world, 10_000) as connection:
        began = time.monotonic()
        for number in range(10):
            connection.execute(f"INSERT INTO lake.t VALUES ({number})")
        assert time.monotonic() - began < 6  # a second for the first of them
    waiter.kill()
    world.assert_whole()


def test_a_client_that_does_not_queue_gets_its_turn(make_world):
    world = make_world("sqlite")
    tables = ["a", "b"]
    make_tables(world, tables)
    waits = []

    def write_beside():
        database = sqlite3.connect(world.lake.check, timeout=30, isolation_level=None)
        for _ in range(5):
            began = time.monotonic()
            database.execute("BEGIN IMMEDIATE")
            database.execute("ROLLBACK")
            waits.append(time.monotonic() - began)
        database.close()
    answers = run_together([Committing(world, [table]) for table in tables], 0.5, write_beside)
    assert_fair(world, tables, answers, 0.5)
    assert len(waits) == 5
