"""ENUMs and arrays of fixed size: the reference sees text and lists, writes them, and leaves the tags alone."""

import pytest

MADE = [
    "CREATE TABLE lake.t (id INTEGER, e ENUM('a', 'b'), v INTEGER[2], s STRUCT(x ENUM('p', 'q')))",
    "INSERT INTO lake.t VALUES (1, 'b', [1, 2], {'x': 'q'})",
    "INSERT INTO lake.t SELECT range + 2, 'a', [3, 4], {'x': 'p'} FROM range(20)",
]


def test_the_reference_reads_and_writes_them(world):
    if world.tarn.name == "reference":
        pytest.skip("only Tarn has them")
    world.script("tarn", MADE)
    with world.session("reference") as session:
        assert session.run("SELECT typeof(e), typeof(v), typeof(s), e, v, s FROM lake.t WHERE id = 1") == [
            ("VARCHAR", "INTEGER[]", "STRUCT(x VARCHAR)", "b", "[1, 2]", "{'x': q}")]
        session.run("INSERT INTO lake.t VALUES (50, 'b', [5, 6], {'x': 'p'})")
        session.run("INSERT INTO lake.t SELECT range + 60, 'b', [7, 8], {'x': 'q'} FROM range(20)")
        session.run("UPDATE lake.t SET e = 'a' WHERE id = 1")
        session.run("ALTER TABLE lake.t RENAME COLUMN e TO f")
        session.run("COMMENT ON COLUMN lake.t.f IS 'words'")
        session.run("ALTER TABLE lake.t ADD COLUMN n INTEGER")
    with world.session("tarn") as session:
        assert session.run("SELECT typeof(f), typeof(v), typeof(s), f, v, s FROM lake.t WHERE id = 50") == [
            ("ENUM('a', 'b')", "INTEGER[2]", "STRUCT(x ENUM('p', 'q'))", "b", "[5, 6]", "{'x': p}")]
        assert session.run("SELECT count(*) FROM lake.t WHERE f > 'a'::ENUM('a', 'b')") == [("21",)]
        assert session.run("SELECT comment FROM duckdb_columns() WHERE column_name = 'f' AND database_name = 'lake'") == [
            ("words",)]
    world.check()


@pytest.mark.parametrize("rows", [1, 20])
def test_values_that_the_type_does_not_have_are_named(world, rows):
    if world.tarn.name == "reference":
        pytest.skip("only Tarn has them")
    world.script("tarn", MADE)
    world.script("reference", [f"INSERT INTO lake.t SELECT 100, 'new', [1, 2, 3], {{'x': 'q'}} FROM range({rows})"])
    with world.session("tarn") as session:
        for column, value in (("e", "'new'"), ("v", "[1, 2, 3]")):
            message = session.error(f"SELECT {column} FROM lake.t")
            assert f'Column "{column}" of table "t"' in message and f"another client or a registered file has stored {value}" in message
            assert "Failed to read" not in message and "INTERNAL" not in message
        assert session.run("SELECT count(*) FROM lake.t WHERE e = 'a'") == [("20",)]
        session.run("ALTER TABLE lake.t ALTER e SET DATA TYPE ENUM('a', 'b', 'new')")
        session.run("ALTER TABLE lake.t ALTER v SET DATA TYPE INTEGER[]")
        assert session.run("SELECT DISTINCT e, v FROM lake.t WHERE id = 100") == [("new", "[1, 2, 3]")]
        session.run("ALTER TABLE lake.t ALTER e SET DATA TYPE VARCHAR")
        session.run("COMMENT ON TABLE lake.t IS 'words'")
    with world.session("reference") as session:  # tags that have ended
        session.run("COMMENT ON TABLE lake.t IS NULL")
        assert session.run("SELECT DISTINCT e, v FROM lake.t WHERE id = 100") == [("new", "[1, 2, 3]")]
    world.check()
