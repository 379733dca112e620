"""The PostgreSQL server dies in the middle of a stream of commits and comes back: nothing acknowledged is lost."""

import random
import threading
import time

import pytest
from lakes import UNKNOWN, attempt
from servers import wait_for


class Stream(threading.Thread):
    """Commits one row after another on one connection until told to stop, and remembers what came of each."""

    def __init__(self, connection, table="item", first=0):
        super().__init__(daemon=True)
        self._connection = connection
        self._table, self._first = table, first
        self._stop_wanted = threading.Event()
        self.acknowledged, self.failed, self.unknown = [], [], []
        self.problem = None

    def run(self):
        number = self._first
        try:
            while not self._stop_wanted.is_set():
                number += 1
                error = attempt(self._connection, f"INSERT INTO lake.{self._table} VALUES ({number})")
                kind = self.acknowledged if error is None else self.unknown if UNKNOWN in error else self.failed
                kind.append(number)
                if error is not None:
                    time.sleep(0.02)
        except BaseException as problem:
            self.problem = problem

    def wait_for_commits(self, more):
        wanted = len(self.acknowledged) + more
        wait_for(lambda: len(self.acknowledged) >= wanted or self.problem)

    def finish(self):
        self._stop_wanted.set()
        self.join(60)
        assert not self.is_alive(), "a statement does not end"
        if self.problem:
            raise self.problem


@pytest.mark.parametrize("kind", ["killed", "immediate stop"])
def test_commits_survive_a_crash_of_the_server_and_the_client_goes_on_by_itself(make_world, server, kind, seed, rounds):
    world = make_world("postgres")
    dice = random.Random(f"{seed} {kind}")
    with world.open() as connection:
        connection.execute("CREATE TABLE lake.item (id BIGINT)")
        stream = Stream(connection)
        stream.start()
        for _ in range((2 if kind == "killed" else 1) * rounds):
            stream.wait_for_commits(dice.randint(1, 10))
            time.sleep(dice.uniform(0, 0.05))
            if kind == "killed":
                server.crash()
            else:
                server.stop("immediate")
            time.sleep(dice.uniform(0, 0.2))
            server.start()
        stream.wait_for_commits(5)
        stream.finish()
        rows = [id for id, in connection.execute("SELECT id FROM lake.item").fetchall()]
    assert len(rows) == len(set(rows)), "a row is there twice"
    assert set(stream.acknowledged) <= set(rows) <= set(stream.acknowledged) | set(stream.unknown)
    world.assert_whole()


def test_what_many_writers_were_told_is_there_after_crashes_of_the_server(make_world, server, seed, rounds):
    """Their commits give the lake's lock away before the server's log is flushed: none of them may be told too early."""
    world = make_world("postgres")
    dice = random.Random(f"{seed} many")
    clients = [world.open() for _ in range(6)]
    tables = ["shared", "shared", "shared", "own_3", "own_4", "own_5"]
    for table in sorted(set(tables)):
        clients[0].execute(f"CREATE TABLE lake.{table} (id BIGINT)")
    streams = [Stream(client, table, 1000000 * at) for at, (client, table) in enumerate(zip(clients, tables))]
    for stream in streams:
        stream.start()
    for _ in range(3 * rounds):
        for stream in streams:
            stream.wait_for_commits(3)
        time.sleep(dice.uniform(0, 0.2))
        server.crash()
        server.start()
    for stream in streams:
        stream.wait_for_commits(3)
    for stream in streams:
        stream.finish()
    for client in clients:
        client.close()
    with world.open() as reader:
        for table in sorted(set(tables)):
            its = [stream for stream, name in zip(streams, tables) if name == table]
            acknowledged = {number for stream in its for number in stream.acknowledged}
            unknown = {number for stream in its for number in stream.unknown}
            rows = [id for id, in reader.execute(f"SELECT id FROM lake.{table}").fetchall()]
            assert len(rows) == len(set(rows)), f"a row is there twice in {table}"
            assert acknowledged <= set(rows), f"acknowledged and not there in {table}: {sorted(acknowledged - set(rows))}"
            assert set(rows) <= acknowledged | unknown, f"refused and there in {table}: {sorted(set(rows) - acknowledged - unknown)}"
    world.assert_whole()
