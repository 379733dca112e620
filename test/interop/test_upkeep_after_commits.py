"""The options of upkeep after commits are rows that the reference leaves alone, and what upkeep leaves it reads and goes on with."""

from concurrent.futures import ThreadPoolExecutor

ROWS = "SELECT rowid, i FROM lake.t ORDER BY ALL"


def test_the_reference_reads_and_goes_on(world):
    world.script("reference", ["CREATE TABLE lake.t (i INTEGER)", "INSERT INTO lake.t VALUES (0)"])
    with world.session("tarn") as session:
        session.run("CALL lake.set_option('tarn_flush_after_rows', 4)")
        session.run("CALL lake.set_option('tarn_merge_after_files', 2, table_name => 't')")
        for i in range(1, 12):
            session.run(f"INSERT INTO lake.t VALUES ({i})")
        session.run("DELETE FROM lake.t WHERE i = 3")
        known = session.run(ROWS)
        files = len(session.run("FROM ducklake_list_files('lake', 't')"))
    assert world.check_command is None or files == 1
    with world.session("reference") as session:
        assert session.run(ROWS) == known
        assert [row[0] for row in session.run("SELECT i FROM lake.t AT (VERSION => 2)")] in (["0"], [0])
        session.run("INSERT INTO lake.t VALUES (100)")
        session.run("CALL ducklake_flush_inlined_data('lake')")
        session.run("CALL ducklake_merge_adjacent_files('lake')")
        options = [row[0] for row in session.run("FROM ducklake_options('lake')")]
        assert world.check_command is None or "tarn_flush_after_rows" in options
        known = session.run(ROWS)
    with world.session("tarn") as session:
        assert session.run(ROWS) == known
    world.check()


def test_many_writers(world, catalog):
    """Writers of several processes at once: each commit happens, and what piled up has been kept up along the way."""
    if catalog == "duckdb" or world.check_command is None:
        return  # a DuckDB file is open in one process at a time
    world.script("tarn", ["CREATE TABLE lake.t (i INTEGER)", "CALL lake.set_option('tarn_flush_after_rows', 5)",
                          "CALL lake.set_option('tarn_merge_after_files', 3)"])

    def write(writer):
        with world.session("tarn") as session:
            for i in range(15):
                session.run(f"INSERT INTO lake.t VALUES ({writer * 100 + i})")

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(write, range(3)))
    expected = [str(writer * 100 + i) for writer in range(3) for i in range(15)]
    for client in ("tarn", "reference"):
        with world.session(client) as session:
            assert [str(row[0]) for row in session.run("SELECT i FROM lake.t ORDER BY i")] == expected
    with world.session("tarn") as session:
        kept_up = session.run("SELECT 1 FROM ducklake_snapshots('lake') WHERE commit_message = 'upkeep after a commit'")
        assert 3 < len(kept_up) < 20  # nine flushes are due, and each made by one
    world.check()
