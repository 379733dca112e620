"""NaN in files of the reference, which looks for it in the last row group only."""

import pytest

ROWS = 150_000  # a row group has 122,880


def fill(session, nan_at, rows, small_groups=False):
    session.run("CREATE TABLE lake.t (x DOUBLE)")
    if small_groups:
        session.run("CALL lake.set_option('parquet_row_group_size', '100')")
    session.run(f"INSERT INTO lake.t SELECT CASE WHEN range = {nan_at} THEN 'NaN'::DOUBLE ELSE range END FROM range({rows})")


def said(session):
    return session.run("SELECT contains_nan::BOOLEAN FROM __ducklake_metadata_lake.ducklake_file_column_stats ORDER BY data_file_id")


@pytest.mark.parametrize("nan_at, rows, small_groups", [(0, ROWS, False), (ROWS - 1, ROWS, False), (5, 5000, True)],
                         ids=["first", "last", "small"])
def test_a_nan_in_any_row_group_is_found(world, nan_at, rows, small_groups):
    with world.session("reference") as session:
        fill(session, nan_at, rows, small_groups)
        wrong = said(session) == [("false",)]
        assert wrong == (nan_at < rows - 1), "the reference has learned to look at all row groups"
    with world.session("tarn") as session:
        for condition in (f"x > {rows}", f"x >= {rows}", "x = 'NaN'::DOUBLE", "isnan(x)", f"x > {rows} AND x <> 7"):
            assert session.run(f"SELECT count(*) FROM lake.t WHERE {condition}") == [("1",)], condition
        assert session.run("SELECT count(*) FROM lake.t WHERE x < 0") == [("0",)]
        assert session.run(f"SELECT count(*) FROM lake.t WHERE x BETWEEN {rows} AND {2 * rows}") == [("0",)]
        assert session.run("SELECT max(x) FROM lake.t") == [("nan",)]
    world.check()


def test_small_files_of_the_reference_are_skipped(world):
    """A file that cannot be opened shows which ones are."""
    with world.session("reference") as session:
        fill(session, -1, 1000)
        session.run("INSERT INTO lake.t SELECT range + 10000 FROM range(1000)")
        path = session.run("SELECT data_file FROM ducklake_list_files('lake', 't') ORDER BY data_file LIMIT 1")[0][0]
    with open(path, "r+b") as file:
        whole = file.read()
        file.truncate(0)
    with world.session("tarn") as session:
        assert session.run("SELECT count(*) FROM lake.t WHERE x > 5000") == [("1000",)]
        session.error("SELECT count(*) FROM lake.t WHERE x > 500")
    with open(path, "wb") as file:
        file.write(whole)
    world.check()
