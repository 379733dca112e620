"""The PostgreSQL server dies in the middle of a stream of commits and comes back: nothing acknowledged is lost."""

import random
import threading
import time

import pytest
from lakes import UNKNOWN, attempt
from servers import wait_for


class Stream(threading.Thread):
    """Commits one row after another on one connection until told to stop, and remembers what came of each."""

    def __init__(self, connection):
        super().__init__(daemon=True)
        self._connection = connection
        self._stop_wanted = threading.Event()
        self.acknowledged, self.failed, self.unknown = [], [], []
        self.problem = None

    def run(self):
        number = 0
        try:
            while not self._stop_wanted.is_set():
                number += 1
                error = attempt(self._connection, f"INSERT INTO lake.item VALUES ({number})")
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
