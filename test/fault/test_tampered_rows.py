"""Somebody has changed by hand what the catalog keeps of rows: each query says so in one sentence, `tarn check` names it."""

import subprocess

import duckdb
import pytest

from lakes import assert_clear, tamper

TYPES = {"b": "BOOLEAN", "i": "INTEGER", "h": "HUGEINT", "u": "UBIGINT", "f": "DOUBLE", "n": "DECIMAL(9, 2)", "d": "DATE",
         "c": "TIME", "ts": "TIMESTAMP", "tz": "TIMESTAMPTZ", "iv": "INTERVAL", "uu": "UUID", "s": "STRUCT(a INTEGER)",
         "l": "INTEGER[]", "m": "MAP(VARCHAR, INTEGER)"}
QUERY, FLUSH = "FROM lake.{table}", "CALL lake.flush_inlined_data(table_name => '{table}')"

# What was done, which statements say so, and what `tarn check --deep` says.
DAMAGE = {
    "a column is missing": ("ALTER TABLE {data} DROP COLUMN i", (QUERY, FLUSH), 'lack the column "i"'),
    "no row ids": ("ALTER TABLE {data} DROP COLUMN row_id", (QUERY, FLUSH), "cannot be read: it lacks"),
    "no begin": ("ALTER TABLE {data} RENAME COLUMN begin_snapshot TO b0", (QUERY, FLUSH), "cannot be read: it lacks"),
    "no end": ("ALTER TABLE {data} RENAME COLUMN end_snapshot TO e0", (QUERY, FLUSH), "cannot be read: it lacks"),
    "a NULL row id": ("UPDATE {data} SET row_id = NULL WHERE row_id = 0", (QUERY, FLUSH), "have no row id"),
    "a NULL begin": ("UPDATE {data} SET begin_snapshot = NULL WHERE row_id = 0", (QUERY, FLUSH), "do not say since when"),
    "a row id twice": ("UPDATE {data} SET row_id = 1", (), "is alive twice"),
    "the table is missing": ("DROP TABLE {data}", (QUERY, FLUSH), "there is no such table"),
    "another table": ("CREATE TABLE ducklake_inlined_data_99_9 (row_id BIGINT)", (), "the catalog does not list it"),
    "a delete of no row": ("INSERT INTO {deletes} SELECT data_file_id, 99, 4 FROM ducklake_data_file WHERE table_id = {id}", (FLUSH,),
                        "name row 99"),
    "a delete of no file": ("INSERT INTO {deletes} VALUES (99, 0, 4)", (), "a data file that does not exist"),
    "a delete of NULL": ("INSERT INTO {deletes} SELECT data_file_id, NULL, 4 FROM ducklake_data_file WHERE table_id = {id}", (QUERY, FLUSH),
                         "do not say of which row"),
}


def check(world):
    command = [world.extension.replace("tarn.duckdb_extension", "tarn"), "check", "--deep", world.lake.check]
    done = subprocess.run(command, text=True, capture_output=True)
    return (done.stdout + done.stderr).splitlines()


def make_table(connection, name, columns):
    """Returns how the catalog calls what it keeps of the table."""
    connection.execute(f"CREATE TABLE lake.{name} ({', '.join(f'{column} {kind}' for column, kind in columns.items())})")
    connection.execute(f"INSERT INTO lake.{name} (i) VALUES (1), (2)")
    connection.execute(f"INSERT INTO lake.{name} (i) FROM range(50)")
    connection.execute(f"DELETE FROM lake.{name} WHERE rowid = 3")
    table, data = connection.execute("SELECT table_id, table_name FROM __ducklake_metadata_lake.ducklake_inlined_data_tables "
                                     "ORDER BY table_id DESC LIMIT 1").fetchone()
    return {"id": table, "data": data, "deletes": f"ducklake_inlined_delete_{table}", "table": name}


def says(connection, statement):
    with pytest.raises(duckdb.Error) as error:
        connection.execute(statement).fetchall()
    assert_clear(str(error.value).splitlines()[0])
    return str(error.value)


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def world(make_world, request):
    return make_world(request.param)


def test_damage_is_told(world):
    with world.open() as connection:
        names = {damage: make_table(connection, f"t{number}", {"i": "INTEGER", "s": "VARCHAR"})
                 for number, damage in enumerate(DAMAGE)}
    tamper(world, [DAMAGE[damage][0].format(**names[damage]) for damage in DAMAGE])
    findings = check(world)
    with world.open() as connection:
        for damage, (_, speakers, finding) in DAMAGE.items():
            assert any(finding in line for line in findings), (damage, findings)
            for speaker in speakers:
                says(connection, speaker.format(**names[damage]))
            if QUERY not in speakers:
                rows = connection.execute(QUERY.format(**names[damage])).fetchall()
                assert connection.execute(f"SELECT count(*) FROM lake.{names[damage]['table']}").fetchone() == (len(rows),)


def test_values_that_are_none_of_their_types(world):
    with world.open() as connection:
        names = make_table(connection, "t", TYPES)
    change = "UPDATE {data} SET {column} = 'nonsense' WHERE row_id = 0" if world.catalog == "sqlite" else \
        "ALTER TABLE {data} ALTER {column} TYPE VARCHAR USING 'nonsense'"
    tamper(world, [change.format(column=column, **names) for column in TYPES])
    with world.open() as connection:
        for column in TYPES:
            assert f'A value of column "{column}"' in says(connection, f"SELECT {column} FROM lake.t")
        says(connection, FLUSH.format(**names))
        assert connection.execute("SELECT count(*) FROM lake.t").fetchone() == (51,)
    findings = check(world)
    assert all(any(f'A value of column "{column}"' in line for line in findings) for column in TYPES), findings
