"""Files that were there before the lake: both clients write the same rows of the catalog for them, and the reference reads,
changes and goes on with what Tarn registered."""

from test_metadata import assert_same_rows

MAKE = [
    "CREATE TABLE lake.t (id BIGINT, s STRUCT(x DOUBLE, y VARCHAR), l STRUCT(a INTEGER)[], m MAP(VARCHAR, INTEGER), "
    "name VARCHAR, k INTEGER)",
    "COPY (SELECT 'n' || range AS NAME, {'Y': 'q', 'x': range / 2} AS s, range::INTEGER AS id, "
    "[{'a': 1::INTEGER}, NULL] AS l, MAP {'k': 2::INTEGER} AS m, 7::INTEGER AS k FROM range(10)) TO '{FILES}/1.parquet'",
    "COPY (SELECT range::BIGINT AS id, 'n' || range AS NAME, {'x': range / 2, 'Y': 'q'} AS s, "
    "[]::STRUCT(a INTEGER)[] AS l, MAP {}::MAP(VARCHAR, INTEGER) AS m, NULL::INTEGER AS k FROM range(10, 20)) "
    "TO '{FILES}/2.parquet'",
    "COPY (SELECT range::BIGINT AS id, range % 2 AS k, NULL::VARCHAR AS extra FROM range(20, 40)) TO '{FILES}/hive' "
    "(FORMAT parquet, PARTITION_BY (k))",
]
ADD = [
    "CALL ducklake_add_data_files('lake', 't', ['{FILES}/1.parquet', '{FILES}/2.parquet', '{FILES}/1.parquet'])",
    "CALL ducklake_add_data_files('lake', 't', '{FILES}/hive/*/*.parquet', allow_missing => true, "
    "ignore_extra_columns => true)",
    "INSERT INTO lake.t (id) SELECT range FROM range(100, 120)",
]
NO_MISSING = [
    "CREATE TABLE lake.h (k INTEGER, id BIGINT)",
    "CALL ducklake_add_data_files('lake', 'h', '{FILES}/hive/*/*.parquet', ignore_extra_columns => true)",
]
CHANGE = [
    "DELETE FROM lake.t WHERE id IN (1, 11, 21)",
    "ALTER TABLE lake.t RENAME COLUMN name TO label",
    "ALTER TABLE lake.t ADD COLUMN s.z INTEGER",
    "ALTER TABLE lake.t ADD COLUMN more INTEGER DEFAULT 3",
    "UPDATE lake.t SET label = 'changed', k = -1 WHERE id IN (2, 12, 22, 102)",
]
QUESTIONS = [
    "SELECT rowid, * FROM lake.t ORDER BY ALL",
    "SELECT rowid, * FROM lake.t AT (VERSION => 3) ORDER BY ALL",
    "SELECT count(*) FROM lake.t WHERE s.x > 3",
    "SELECT count(*) FROM lake.t WHERE k = 1",
    "SELECT count(*) FROM lake.t WHERE k IS NULL",
    "SELECT min(id), max(id), count(*) FROM lake.t",
]


def statements(world, script):
    return [statement.replace("{FILES}", world.folder) for statement in script]


def test_the_same_rows_in_the_catalog(worlds):
    """But for columns that a file lacks: Tarn says what they read as, the reference nothing."""
    ours, theirs = worlds
    for world, client in ((ours, "tarn"), (theirs, "reference")):
        world.script(client, statements(world, MAKE + ADD[:1] + ADD[-1:] + NO_MISSING), "DATA_INLINING_ROW_LIMIT 0")
    assert_same_rows(ours, theirs)
    ours.check()


def test_the_reference_goes_on_with_what_tarn_registered(world):
    """The other way round is among the lakes of test_reading.py and test_changing_rows.py."""
    world.script("tarn", statements(world, MAKE + ADD), "DATA_INLINING_ROW_LIMIT 0")
    world.script("reference", CHANGE, "DATA_INLINING_ROW_LIMIT 0")
    answers = {}
    for client in ("tarn", "reference"):
        with world.session(client) as session:
            answers[client] = [session.run(question) for question in QUESTIONS]
    assert answers["tarn"] == answers["reference"]
    assert len(answers["tarn"][0]) == 57
    world.check()
