"""A statement plans a table, others merge its files, and the statement plans it once more: a join's filter prunes files
when it runs. Both plans must mean the same files, or the rows of one would be taken for the rows of another."""

import os
import threading

import duckdb
import pytest

from harness.clients import quoted

ROWS = [i for i in range(601) if i != 400]
WANTED = list(range(10, 20))


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def world(make_world, request):
    return make_world(request.param)


def numbers(client, condition):
    return [i for i, in client.execute(f"SELECT i FROM lake.t WHERE {condition} ORDER BY i").fetchall()]


@pytest.fixture
def client(world):
    """Of four files, the first two can be merged: the others have deletes."""
    connection = world.open()
    connection.execute("CALL lake.set_option('data_inlining_row_limit', 0)")
    connection.execute("CREATE TABLE lake.t (i INTEGER, s VARCHAR)")
    for first, last in ((0, 100), (100, 200), (200, 401), (401, 602)):
        connection.execute(f"INSERT INTO lake.t SELECT range, 'old' FROM range({first}, {last})")
    connection.execute("DELETE FROM lake.t WHERE i IN (400, 601)")
    yield connection
    connection.close()
    world.assert_whole()


class Pipe:
    """A named pipe that a query waits for: what happens before it is fed happens while the query runs."""

    def __init__(self, path, before):
        self._path = str(path)
        self._before = before
        os.mkfifo(path)
        self._thread = threading.Thread(target=self._feed, daemon=True)  # a query that fails never opens it
        self._thread.start()
        self.rows = f"read_csv({quoted(self._path)}, columns = {{'i': 'INTEGER'}}, header = false, auto_detect = false)"

    def _feed(self):
        with open(self._path, "w") as pipe:  # returns when the query has opened it
            self.result = self._before()
            pipe.write("".join(f"{i}\n" for i in WANTED))

    def finish(self):
        self._thread.join(60)
        assert not self._thread.is_alive(), "the pipe was not read"
        return self.result


@pytest.mark.parametrize("change, new", [
    ("DELETE FROM lake.t USING {} AS w WHERE t.i = w.i", []),
    ("UPDATE lake.t SET s = 'new' FROM {} AS w WHERE t.i = w.i", WANTED),
    ("MERGE INTO lake.t USING {} AS w ON t.i = w.i WHEN MATCHED THEN DELETE", []),
    ("MERGE INTO lake.t USING {} AS w ON t.i = w.i WHEN MATCHED THEN UPDATE SET s = 'new'", WANTED),
])
def test_the_rows_that_match_are_changed_and_no_others(client, tmp_path, change, new):
    client.execute("BEGIN")
    other = client.cursor()
    wanted = Pipe(tmp_path / "wanted", lambda: other.execute("CALL lake.merge_adjacent_files()").fetchall())
    client.execute(change.format(wanted.rows))
    assert wanted.finish() == [("main", "t", 2, 1)]
    assert numbers(client, "true") == (ROWS if new else [i for i in ROWS if i not in WANTED])
    assert numbers(client, "s = 'new'") == new
    with pytest.raises(duckdb.Error, match="conflict"):
        client.execute("COMMIT")
    assert numbers(client, "s = 'old'") == ROWS
