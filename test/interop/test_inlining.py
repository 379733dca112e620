"""Rows and deletes that Tarn keeps in the catalog: the same rows there as the reference makes, readable and changeable by it."""

import sqlite3

import pytest

from harness import clients
from sessions import Session
from test_changing_rows import rows
from test_metadata import TABLES, comparable, dump, normal, shown
from test_turns import ALL_TYPES, ROWS, compare

# Each statement's rows stay within the limit, or go over it, on purpose; the limit is 5.
SCRIPT = [
    "CREATE TABLE lake.t (i INTEGER, s VARCHAR, e DECIMAL(6,2), b DATE)",
    "INSERT INTO lake.t VALUES (1, 'one', 1.5, '2020-01-01'), (2, NULL, -2, NULL)",
    "INSERT INTO lake.t VALUES (3, 'it''s', NULL, '2021-01-01')",
    "INSERT INTO lake.t SELECT range, 'file', range / 2, NULL FROM range(10, 40)",
    "DELETE FROM lake.t WHERE i IN (2, 10, 11)",
    "DELETE FROM lake.t WHERE i = 12",
    "DELETE FROM lake.t WHERE i BETWEEN 13 AND 19",
    "UPDATE lake.t SET s = 'updated' WHERE i IN (1, 20)",
    "UPDATE lake.t SET s = 'again' WHERE i IN (1, 20)",
    "BEGIN", "INSERT INTO lake.t SELECT range, 'tx', 0, NULL FROM range(100, 104)",
    "INSERT INTO lake.t SELECT range, 'tx', 0, NULL FROM range(200, 205)", "COMMIT",
    "BEGIN", "DELETE FROM lake.t WHERE i = 21", "DELETE FROM lake.t WHERE i = 22", "COMMIT",
    "BEGIN", "INSERT INTO lake.t SELECT range, 'own', 0, NULL FROM range(300, 320)",
    "INSERT INTO lake.t VALUES (400, 'own', 0, NULL), (401, 'own', 0, NULL)", "DELETE FROM lake.t WHERE i = 400", "COMMIT",
    "CREATE TABLE lake.small AS SELECT range AS i FROM range(3)",
    "CREATE TABLE lake.large AS SELECT range AS i FROM range(30)",
    "INSERT INTO lake.large VALUES (1)",
    "BEGIN", "INSERT INTO lake.large VALUES (2)", "INSERT INTO lake.small VALUES (2)", "INSERT INTO lake.t (i) VALUES (2)",
    "COMMIT",
    "DELETE FROM lake.large WHERE i BETWEEN 5 AND 8",
    "CALL ducklake_set_option('lake', 'data_inlining_row_limit', '0')",
    "CREATE TABLE lake.late (i INTEGER)",
    "CALL ducklake_set_option('lake', 'data_inlining_row_limit', '3')",
    "INSERT INTO lake.late VALUES (1)",
    "CREATE TABLE lake.n (s STRUCT(a INTEGER, b INTEGER), l INTEGER[], m MAP(VARCHAR, INTEGER))",
    "INSERT INTO lake.n VALUES ({'a': 1, 'b': 2}, [1, NULL], MAP {'k': 1}), (NULL, [], NULL), (NULL, NULL, MAP {})",
    "DROP TABLE lake.small",
]

NESTED = """CREATE TABLE lake.nested (id INTEGER, l VARCHAR[], s STRUCT(a INTEGER, b VARCHAR, c STRUCT(d DATE, e BLOB)),
  m MAP(VARCHAR, STRUCT(x INTEGER[])), lt TIMESTAMPTZ[], li INTERVAL[], lh HUGEINT[], lf DOUBLE[], j STRUCT(k JSON))"""
NESTED_ROWS = [
    """INSERT INTO lake.nested VALUES (1, ['a,b', 'NULL', NULL, 'it''s', 'q"q', '{x}', '', ' lead', 'back\\slash'],
  {'a': 1, 'b': 'plain', 'c': {'d': '2020-01-01', 'e': '\\x00\\xFF'::BLOB}}, MAP {'a=b': {'x': [1, NULL]}, '': NULL},
  ['2020-01-01 00:00:00+00'], [INTERVAL 1 DAY], [-170141183460469231731687303715884105728], ['nan', 'inf']::DOUBLE[],
  {'k': '{"a": [1, null]}'})""",
    """INSERT INTO lake.nested (id, s) VALUES (2, {'a': NULL, 'b': 'it''s "q" \\ \\\\', 'c': NULL}),
  (3, {'a': 1, 'b': 'NULL', 'c': {'d': NULL, 'e': NULL}}), (4, NULL), (5, {'a': 2, 'b': '', 'c': NULL})""",
]


def inlined(world):
    """The rows of all tables that hold rows or deletes, as a third party reads them."""
    found = {}
    if world.lake.attach.startswith("ducklake:sqlite:"):
        with sqlite3.connect(world.lake.check) as connection:
            names = [row[0] for row in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND (name LIKE 'ducklake_inlined_de%' OR name LIKE 'ducklake_inlined_data_%_%') "
                "AND name <> 'ducklake_inlined_data_tables'")]
            for name in names:
                columns = [row[1:3] for row in connection.execute(f"PRAGMA table_info({name})")]
                found[name] = [str(columns)] + sorted(str(tuple(map(shown, row)))
                                                      for row in connection.execute(f"SELECT * FROM {name}"))
        return found
    plain = clients.Client("plain", "duckdb", home=world.tarn.home)
    with Session(plain, world.folder) as session:
        if world.lake.check.startswith("postgres:"):
            session.run(f"LOAD {clients.quoted(clients.packaged_extension('postgres_scanner'))}")
        session.run(f"ATTACH '{world.lake.check}' AS raw (READ_ONLY)")
        names = [row[0] for row in session.run(
            "SELECT table_name FROM duckdb_tables() WHERE database_name = 'raw' AND table_name LIKE 'ducklake_inlined_d%' "
            "AND table_name <> 'ducklake_inlined_data_tables'")]
        for name in names:
            columns = [row[:2] for row in session.run(f"DESCRIBE raw.{name}")]
            found[name] = [str(columns)] + sorted(map(str, session.run(f"FROM raw.{name}")))
    return found


def test_same_script_same_rows(worlds):
    ours, theirs = worlds
    ours.script("tarn", SCRIPT, "DATA_INLINING_ROW_LIMIT 5")
    theirs.script("reference", SCRIPT, "DATA_INLINING_ROW_LIMIT 5")
    mine, reference = comparable(dump(ours)), comparable(dump(theirs))
    found = []
    for table in TABLES:
        got = sorted(normal(ours, table, row) for row in mine[table])
        wanted = sorted(normal(theirs, table, row) for row in reference[table])
        found += [f"{table} lacks  {dict(row)}" for row in wanted if row not in got][:5]
        found += [f"{table} has    {dict(row)}" for row in got if row not in wanted][:5]
        if len(got) != len(wanted):
            found.append(f"{table} has {len(got)} rows for {len(wanted)}")
    assert not found, "\n".join(found)
    assert inlined(ours) == inlined(theirs)
    ours.check()


@pytest.mark.parametrize("first", ["tarn", "reference"])
def test_every_type_by_turns(world, first, catalog):
    """Each client writes rows of every type into the catalog, the other one updates and deletes some of them.

    Of nested values in other databases than its own kind, the reference cannot read all that it wrote, and on PostgreSQL it
    ends: there it only reads and deletes Tarn's.
    """
    second = "reference" if first == "tarn" else "tarn"
    nests = ["tarn", "reference"] if catalog == "duckdb" else ["tarn"]
    world.script(first, [ALL_TYPES, *(ROWS[:2] if first in nests else []),
                         "INSERT INTO lake.types (id) SELECT range FROM range(3, 9)"])
    world.script("tarn", [NESTED, *NESTED_ROWS])
    with world.session("reference") as session:
        for table in ("types", "nested"):
            assert session.run(f"SELECT count(*) FROM ducklake_list_files('lake', '{table}')") == [("0",)]
    compare(world, first, second)
    world.script(second, ["UPDATE lake.types SET id = id + 100 WHERE id IN (3, 6)", "DELETE FROM lake.types WHERE id = 4",
                          "DELETE FROM lake.nested WHERE id = 4", "DELETE FROM lake.types WHERE id = 103",
                          *([ROWS[0].replace("VALUES (1,", "VALUES (11,")] if second in nests else [])])
    compare(world, second, first)
    world.script(first, ["UPDATE lake.types SET z = 'third' WHERE id IN (7, 106)", "DELETE FROM lake.types WHERE id = 5"])
    world.script("tarn", ["UPDATE lake.nested SET id = id + 100 WHERE id % 2 = 1",
                          "UPDATE lake.types SET z = 'fourth' WHERE id IN (1, 2)"])
    compare(world, "tarn", "reference")


MAKE = [
    "CREATE TABLE lake.t (i INTEGER, s VARCHAR, l INTEGER[])",
    "INSERT INTO lake.t SELECT range, 'a' || range, [range] FROM range(200)",
    "INSERT INTO lake.t SELECT range, 'b' || range, NULL FROM range(200, 203)",
]
CHANGE = [
    "INSERT INTO lake.t VALUES (1000 + {turn}, 'small', [])",
    "DELETE FROM lake.t WHERE i IN ({turn}, 50 + {turn}, 200)",
    "DELETE FROM lake.t WHERE i BETWEEN 10 + {turn} * 10 AND 18 + {turn} * 10",
    "UPDATE lake.t SET s = s || '{turn}' WHERE i IN (60, 61, 1000, 201)",
    "MERGE INTO lake.t USING (SELECT 99 + {turn} AS i UNION ALL SELECT 5000 + {turn}) m ON t.i = m.i "
    "WHEN MATCHED THEN UPDATE SET s = 'm{turn}' WHEN NOT MATCHED THEN INSERT (i, s) VALUES (m.i, 'n')",
    "BEGIN",
    "INSERT INTO lake.t VALUES (2000 + {turn}, 'own', NULL)",
    "UPDATE lake.t SET s = 'twice' WHERE i IN (2000 + {turn}, 70 + {turn})",
    "UPDATE lake.t SET s = 'thrice' WHERE i IN (2000 + {turn}, 70 + {turn})",
    "DELETE FROM lake.t WHERE i = 80 + {turn}",
    "COMMIT",
]


@pytest.mark.parametrize("first", ["tarn", "reference"])
def test_small_changes_by_turns(world, first):
    turns = [first, "reference" if first == "tarn" else "tarn"]
    world.script(first, MAKE)
    for turn in range(4):
        client = turns[turn % 2]
        world.script(client, [statement.format(turn=turn) for statement in CHANGE], "DATA_INLINING_ROW_LIMIT 5")
        assert rows(world, "tarn") == rows(world, "reference")
    compare(world, "tarn", "reference")
    world.script("reference", ["CALL ducklake_flush_inlined_data('lake')"])
    assert rows(world, "tarn") == rows(world, "reference")
    world.script("tarn", [statement.format(turn=5) for statement in CHANGE], "DATA_INLINING_ROW_LIMIT 5")
    compare(world, "tarn", "reference")


VARIANTS = [
    "INSERT INTO lake.v VALUES ({turn}0, {turn}::VARIANT), ({turn}1, NULL), ({turn}2, 'it''s'::VARIANT), "
    "({turn}3, [1, NULL, 3]::VARIANT), ({turn}4, {{'a': {turn}, 'b': {{'c': ['x', 'y']}}}}::VARIANT), "
    "({turn}5, DATE '2020-02-29'::VARIANT), ({turn}6, 1.50::DECIMAL(5,2)::VARIANT)",
    "UPDATE lake.v SET v = {{'updated': id}}::VARIANT WHERE id % 10 = {turn}",
    "DELETE FROM lake.v WHERE id = {turn}5 - 10",
    "MERGE INTO lake.v USING (SELECT {turn}1 AS id UNION ALL SELECT {turn}9) m ON v.id = m.id "
    "WHEN MATCHED THEN UPDATE SET v = 'merged'::VARIANT WHEN NOT MATCHED THEN INSERT VALUES (m.id, 'new'::VARIANT)",
    "BEGIN", "INSERT INTO lake.v VALUES ({turn}7, 'own'::VARIANT)", "UPDATE lake.v SET v = [id]::VARIANT WHERE id = {turn}7",
    "COMMIT",
]


@pytest.mark.parametrize("catalog", ["duckdb"], indirect=True)
@pytest.mark.parametrize("first", ["tarn", "reference"])
def test_variants_by_turns(world, first):
    """Both keep VARIANT in a DuckDB file, whoever has made it, and flush what the other one kept."""
    turns = [first, "reference" if first == "tarn" else "tarn"]
    world.script(first, ["CREATE TABLE lake.v (id INTEGER, v VARIANT)"])
    for turn in range(1, 5):
        # Rows that the reference updates in its own transaction, or merges, become files.
        script = VARIANTS if turns[turn % 2] == "tarn" else VARIANTS[:3]
        world.script(turns[turn % 2], [statement.format(turn=turn) for statement in script])
    compare(world, "tarn", "reference")
    if world.tarn.name != "reference":
        with world.session("tarn") as session:
            assert session.run("SELECT count(*) FROM ducklake_list_files('lake', 'v')") == [("0",)]
            assert session.run("SELECT DISTINCT typeof(v) FROM __ducklake_metadata_lake.ducklake_inlined_data_1_1") == [
                ("VARIANT",)]
        # Types that a literal does not give back.
        world.script("tarn", ["INSERT INTO lake.v VALUES (90, 1::TINYINT::VARIANT), (91, 1.5::FLOAT::VARIANT), "
                              "(92, {'x': [1::VARIANT, {'z': 'deep'}::VARIANT]}::VARIANT)"])
        with world.session("reference") as session:
            assert session.run("SELECT variant_typeof(v), v FROM lake.v WHERE id >= 90 ORDER BY id") == [
                ("INT8", "1"), ("FLOAT", "1.5"), ("OBJECT(x)", "{'x': [1, {'z': deep}]}")]
    world.script(first, ["CALL ducklake_flush_inlined_data('lake')"])
    compare(world, "tarn", "reference")


@pytest.mark.parametrize("catalog", ["duckdb"], indirect=True)
def test_variants_that_no_file_holds_are_named_by_a_flush(world):
    """The reference keeps them, and its own flush fails from then on."""
    world.script("reference", ["CREATE TABLE lake.v (i INTEGER, v VARIANT)",
                               "INSERT INTO lake.v VALUES (1, (INTERVAL 1 DAY)::VARIANT), (2, 5::VARIANT)"])
    with world.session("tarn") as session:
        rows_before = session.run("SELECT i, v::VARCHAR, variant_typeof(v) FROM lake.v ORDER BY i")
        assert rows_before == [("1", "1 day", "INTERVAL"), ("2", "5", "INT32")]
        message = session.error("CALL lake.flush_inlined_data()")
        assert 'Table "v" cannot be flushed: its column "v" keeps VARIANT values' in message
        assert session.run("SELECT i, v::VARCHAR, variant_typeof(v) FROM lake.v ORDER BY i") == rows_before
        # What the message advises.
        session.run("UPDATE lake.v SET v = v::VARCHAR::VARIANT WHERE variant_typeof(v) = 'INTERVAL'")
        session.run("CALL ducklake_expire_snapshots('lake', older_than => now() + INTERVAL 1 DAY)")
        assert session.run("CALL lake.flush_inlined_data()") == [("main", "v", "2")]
    compare(world, "tarn", "reference")
