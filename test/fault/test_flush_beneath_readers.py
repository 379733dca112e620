"""A query plans, and a flush moves rows of the catalog into files before the query reads them: it finds them there.

The first rows of a query fill its result; what comes after them is planned by then, and not read."""

import pytest

BEGIN = "SELECT range AS i, '' AS s, NULL AS rowid, NULL AS snapshot_id FROM range(200000) UNION ALL "


def in_order(rows):
    """NULLs first."""
    return sorted(rows, key=lambda row: [(value is not None, value) for value in row])


class Reader:
    """A connection of one thread whose query stops after the rows that fit a small buffer."""

    def __init__(self, connection):
        self._cursor = connection.cursor()

    def start(self, query):
        self._cursor.execute(BEGIN + query)
        self._cursor.fetchmany(1)

    def close(self):
        self._cursor.close()

    def rest(self):
        """The rows that the query itself gives."""
        return in_order(row for row in self._cursor.fetchall() if row[2] is not None)


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def world(make_world, request):
    return make_world(request.param)


@pytest.fixture
def writer(world):
    connection = world.open()
    connection.execute("SET threads = 1")
    connection.execute("SET streaming_buffer_size = '1KB'")
    connection.execute("CREATE TABLE lake.t (i INTEGER, s VARCHAR)")
    connection.execute("INSERT INTO lake.t VALUES (0, 'a'), (1, NULL)")
    connection.execute("INSERT INTO lake.t VALUES (2, 'c'), (3, 'd')")
    connection.execute("DELETE FROM lake.t WHERE i = 2")
    return connection


ROWS = [(0, "a", 0, 2), (1, None, 1, 2), (3, "d", 3, 3)]
SELECT = "SELECT i, s, rowid, snapshot_id FROM lake.t"


@pytest.fixture
def reader(writer):
    return Reader(writer)


@pytest.mark.parametrize("query, expected", [
    (SELECT, ROWS),
    (SELECT + " WHERE i = 3", ROWS[2:]),
    (SELECT + " AT (VERSION => 2)", ROWS[:2]),
    ("SELECT i, s, i AS rowid, 7 FROM lake.t", [(i, s, i, 7) for i, s, _, _ in ROWS]),
    ("SELECT count(*), '', 1, 1 FROM lake.t WHERE rowid >= 0", [(3, "", 1, 1)]),
])
def test_rows_are_found_in_their_file(world, writer, reader, query, expected):
    reader.start(query)
    assert writer.execute("CALL lake.flush_inlined_data()").fetchall() == [("main", "t", 4)]
    assert reader.rest() == expected
    reader.close()
    writer.close()
    world.assert_whole()


def test_some_rows_stay_in_the_catalog(world, writer, reader):
    """Those that were inserted while the flush was under way."""
    other = world.open() if world.catalog == "postgres" else writer.cursor()
    other.execute("BEGIN")
    other.execute("CALL lake.flush_inlined_data()")
    writer.execute("INSERT INTO lake.t VALUES (4, 'e')")
    reader.start(SELECT)
    other.execute("COMMIT")
    rows = reader.rest()
    assert [row[:3] for row in rows] == [row[:3] for row in ROWS] + [(4, "e", 4)]


def test_a_promoted_column_and_own_deletes(world, writer, reader):
    writer.execute("ALTER TABLE lake.t ALTER i SET DATA TYPE BIGINT")
    reader._cursor.execute("BEGIN")
    reader._cursor.execute("DELETE FROM lake.t WHERE i = 3")
    reader.start(SELECT)
    writer.execute("CALL lake.flush_inlined_data()")
    assert reader.rest() == ROWS[:2]
    reader._cursor.execute("ROLLBACK")


MERGED = {
    "all": ("SELECT i, '', rowid, snapshot_id FROM lake.u", [(i, "", i, 6 if i < 100 else 7) for i in range(101)]),
    "one of each": ("SELECT i, s, rowid, snapshot_id FROM lake.u WHERE i IN (7, 100)", [(7, None, 7, 6), (100, None, 100, 7)]),
    "none of the file": ("SELECT i, s, rowid, snapshot_id FROM lake.u WHERE i > 99", [(100, None, 100, 7)]),
    "counted": ("SELECT count(*), '', 1, 1 FROM lake.u WHERE rowid >= 0", [(101, "", 1, 1)]),
    "an old version": ("SELECT i, s, rowid, snapshot_id FROM lake.u AT (VERSION => 7)",
                       [(i, None, i, 6 if i < 100 else 7) for i in range(101)]),
}


@pytest.mark.parametrize("case", MERGED)
def test_a_merge_on_top(world, writer, reader, case):
    """The file that holds the rows holds others by then, which the query has read elsewhere."""
    query, expected = MERGED[case]
    writer.execute("CREATE TABLE lake.u (i INTEGER, s VARCHAR)")
    writer.execute("INSERT INTO lake.u (i) FROM range(100)")
    writer.execute("INSERT INTO lake.u (i) VALUES (100)")
    reader.start(query)
    writer.execute("CALL lake.flush_inlined_data()")
    assert len(writer.execute("CALL lake.merge_adjacent_files()").fetchall()) == 1
    assert reader.rest() == expected
    reader.close()
    writer.close()
    world.assert_whole()


# A table that had another name for a column, and for a while one more column: three inlined tables, and one file for two of them.
MIXED = {
    "all": ("SELECT i, z, rowid, snapshot_id FROM lake.t", 0),
    "one": ("SELECT i, z, rowid, snapshot_id FROM lake.t WHERE i = 20", 0),
    "by row id": ("SELECT i, '', rowid, 1 FROM lake.t WHERE rowid IN (1, 4)", 0),
    "counted": ("SELECT count(*), '', 1, 1 FROM lake.t WHERE rowid >= 0", 0),
    "an old version": ("SELECT i, z, rowid, snapshot_id FROM lake.t AT (VERSION => {last})", 0),
    "inserted": ("SELECT i, z, rowid, snapshot_id FROM ducklake_table_insertions('lake', 'main', 't', 1, {last})", 0),
    "changed": ("SELECT i, change_type || coalesce(z, '-'), rowid, snapshot_id "
                "FROM ducklake_table_changes('lake', 'main', 't', 1, {last})", 0),
    "with a file of its own": ("SELECT i, z, rowid, snapshot_id FROM lake.t", 30),
}


@pytest.mark.parametrize("case", MIXED)
def test_a_merge_of_several_shapes(world, writer, reader, case):
    """Which of the merged file's rows were in which inlined table, their snapshots tell."""
    query, more = MIXED[case]
    writer.execute("CREATE OR REPLACE TABLE lake.t (i INTEGER, s VARCHAR)")
    writer.execute("INSERT INTO lake.t VALUES (0, 'a'), (1, NULL)")
    writer.execute("ALTER TABLE lake.t RENAME s TO z")
    writer.execute("INSERT INTO lake.t VALUES (10, 'j')")
    writer.execute("ALTER TABLE lake.t ADD COLUMN more INTEGER")
    writer.execute("INSERT INTO lake.t VALUES (20, 'k', 5)")
    writer.execute("ALTER TABLE lake.t DROP COLUMN more")
    writer.execute("INSERT INTO lake.t VALUES (30, 'l'), (31, 'm')")
    if more:
        writer.execute(f"INSERT INTO lake.t SELECT 100 + range, 'n' FROM range({more})")
    last, = writer.execute("SELECT max(snapshot_id) FROM lake.snapshots()").fetchone()
    query = query.format(last=last)
    expected = in_order(writer.execute(query).fetchall())
    assert expected
    reader.start(query)
    assert writer.execute("CALL lake.flush_inlined_data()").fetchall()
    assert writer.execute("CALL lake.merge_adjacent_files()").fetchall()
    assert reader.rest() == expected
    reader.close()
    writer.close()
    world.assert_whole()


FEED = "SELECT i, s, rowid, snapshot_id FROM ducklake_{}('lake', 'main', 't', 1, {})"
TOLD = ("SELECT i, change_type || coalesce(s, '-'), rowid, snapshot_id FROM ducklake_table_changes('lake', 'main', 't', 1, {})")


def feeds(last):
    return [FEED.format("table_insertions", last), FEED.format("table_deletions", last), TOLD.format(last),
            TOLD.format(last) + " WHERE i = 2", TOLD.format(last) + " WHERE change_type = 'update_preimage'"]


@pytest.mark.parametrize("number, merge", [(0, False), (1, False), (2, True), (3, False), (4, False)])
def test_a_feed_tells_the_same_changes(world, writer, reader, number, merge):
    """Rows that came, went and changed in the catalog are told from their file, once."""
    if merge:
        writer.execute("CALL lake.set_option('data_inlining_row_limit', 0)")
        writer.execute("INSERT INTO lake.t VALUES (10, 'x'), (11, 'y')")
        writer.execute("CALL lake.set_option('data_inlining_row_limit', 10)")
    writer.execute("UPDATE lake.t SET s = 'u' WHERE i IN (0, 3, 10)")
    writer.execute("UPDATE lake.t SET s = 'v' WHERE i = 0")
    writer.execute("DELETE FROM lake.t WHERE i = 3")
    last = writer.execute("SELECT max(snapshot_id) FROM lake.snapshots()").fetchone()[0]
    query = feeds(last)[number]
    expected = in_order(writer.execute(query).fetchall())
    assert expected
    reader.start(query)
    assert writer.execute("CALL lake.flush_inlined_data()").fetchall()
    if merge:
        writer.execute("CALL lake.merge_adjacent_files()")
    assert reader.rest() == expected
    reader.close()
    assert in_order(writer.execute(query).fetchall()) == expected
    writer.close()
    world.assert_whole()


@pytest.mark.parametrize("query", [SELECT, TOLD.format(7)])
def test_rows_of_several_shapes(world, writer, reader, query):
    """Each shape's rows have an inlined table of their own; one flush moves them all."""
    writer.execute("ALTER TABLE lake.t ADD COLUMN more INTEGER DEFAULT 5")
    writer.execute("INSERT INTO lake.t VALUES (20, 'new', 1), (21, 'new', NULL)")
    writer.execute("UPDATE lake.t SET s = 'changed' WHERE i = 1")
    expected = in_order(writer.execute(query).fetchall())
    reader.start(query)
    assert writer.execute("CALL lake.flush_inlined_data()").fetchall()
    assert reader.rest() == expected
    reader.close()
    writer.close()
    world.assert_whole()


def test_own_deletes_after_a_flush(world, writer, reader):
    """A statement that is planned after the flush knows which rows the transaction has deleted before it."""
    own = reader._cursor
    own.execute("BEGIN")
    assert own.execute("DELETE FROM lake.t WHERE i = 3").fetchone() == (1,)
    writer.execute("CALL lake.flush_inlined_data()")
    for _ in range(2):
        assert own.execute(SELECT + " ORDER BY i").fetchall() == ROWS[:2]
        assert own.execute("SELECT count(*) FROM lake.t").fetchone() == (2,)
        assert own.execute(SELECT + " WHERE i = 3").fetchall() == []
        assert own.execute(SELECT + " WHERE i = 1").fetchall() == ROWS[1:2]
    own.execute("ROLLBACK")
    assert own.execute("SELECT count(*) FROM lake.t").fetchone() == (3,)


def test_own_deletes_after_a_merge(world, writer, reader):
    writer.execute("CREATE TABLE lake.m AS SELECT range AS i FROM range(100)")
    writer.execute("INSERT INTO lake.m SELECT range FROM range(100, 200)")
    own = reader._cursor
    own.execute("BEGIN")
    assert own.execute("DELETE FROM lake.m WHERE i IN (7, 150)").fetchone() == (2,)
    assert writer.execute("SELECT count(*) FROM ducklake_merge_adjacent_files('lake')").fetchone() == (1,)
    for _ in range(2):
        assert own.execute("SELECT count(*), sum(i) FROM lake.m").fetchone() == (198, 199 * 100 - 157)
        assert own.execute("SELECT i FROM lake.m WHERE i BETWEEN 149 AND 151 ORDER BY i").fetchall() == [(149,), (151,)]
    own.execute("ROLLBACK")
    assert own.execute("SELECT count(*), sum(i) FROM lake.m").fetchone() == (200, 199 * 100)
