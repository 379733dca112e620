"""A lake that has about everything is copied from catalog to catalog by `tarn copy`: each copy shows both clients what
the lake shows, at every snapshot, and the last one is the first again, row for row."""

import sqlite3
import subprocess
import sys

import pytest

import probes
from conftest import BUILD, PROVE, ROOT
from harness import clients
from sessions import Session, World
from test_reading import Asked

pytestmark = pytest.mark.skipif(PROVE, reason="the reference copies no lakes")

TARN = str(BUILD / "tarn")
MORE = [
    "INSERT INTO lake.main.types VALUES (NULL, 1, 2, 3, 4, 5, 6, 7, '-0.0', 1e308, 3.25, '0044-03-15 (BC)', '24:00:00', "
    "'infinity', '-infinity', '1969-12-31 23:59:59', '2020-01-01', '2020-01-01', "
    "interval '-1 year 2 months -3 days 04:05:06.5', 'it''s \\ {x}' || chr(0), '\\x00\\xFF'::blob, "
    "'f79c3e09-677c-4bbd-a479-3f349cb785e7', 'null', [], {'x': NULL, 'y': 'a ''b'' \"c\" \\'}, map {'': NULL, 'a=b': 2})",
    "CREATE TABLE lake.main.more (n INTEGER, u UHUGEINT, h HUGEINT, tz TIMETZ, lv VARCHAR[], "
    "s STRUCT(a VARCHAR, n STRUCT(ts TIMESTAMP, u UUID)), e DECIMAL(38, 10), tns TIME_NS)",
    "INSERT INTO lake.main.more VALUES (1, 340282366920938463463374607431768211455, "
    "-170141183460469231731687303715884105728, '23:59:59.999999-15:59', ['a,b', 'NULL', NULL, 'it''s', '', ' x', '[', "
    "'back\\slash'], {'a': 'q''q', 'n': {'ts': '2020-01-01 12:00:00.5', 'u': 'f79c3e09-677c-4bbd-a479-3f349cb785e7'}}, "
    "9999999999999999999999999999.9999999999, '12:34:56.123456789'), (2, 0, 0, '00:00:00+15:59', [], NULL, 0, NULL)",
    "UPDATE lake.main.more SET n = 3 WHERE n = 1",
    "DELETE FROM lake.main.more WHERE n = 2",
    "COMMENT ON TABLE lake.main.more IS 'copied'",
    "CREATE MACRO lake.main.twice(x) AS x * 2",
]


def copy(*arguments):
    done = subprocess.run([TARN, "copy", *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def dump(path):
    """All tables of a SQLite catalog: their columns, and their rows in some fixed order."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: ([row[1:] for row in connection.execute(f'PRAGMA table_info("{table}")')],
                        sorted(connection.execute(f'SELECT * FROM "{table}"'), key=repr))
                for table in sorted(tables)}


def one_spelling(content):
    """The reference quotes the texts in an inlined struct, Tarn writes them as a plain cast does."""
    columns, rows = content
    plain = [tuple(value.replace("'z'}", "z}").replace("'k'}", "k}") if isinstance(value, str) else value
                   for value in row) for row in rows]
    return columns, plain


def make_lake(folder):
    """The reference's lake of everything, and what Tarn adds to it."""
    catalog = folder / "first.sqlite"
    subprocess.run([sys.executable, str(ROOT / "test/interop/reference_lake.py"), "sqlite", str(catalog)], check=True,
                   capture_output=True, timeout=120)
    done = subprocess.run([TARN, str(catalog), *[word for statement in MORE for word in ("-c", statement)]],
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return catalog


class Copied(World):
    """A lake that is there, with a data path of its own."""

    def __init__(self, kind, location, folder):
        home = folder / "home"
        home.mkdir(exist_ok=True)
        attach = f"ducklake:{location}" if kind == "duckdb" else f"ducklake:{kind}:{location}"
        called = f"{kind}:{location}" if kind == "postgres" else str(location)
        tarn = clients.Client("tarn", kind, str(BUILD / "tarn.duckdb_extension"), home=str(home))
        reference = clients.Client("reference", kind, home=str(home))
        super().__init__(clients.Lake(attach, "", called, str(folder)), tarn, reference, str(folder), TARN)

    def session(self, client, attach=""):
        session = Session(getattr(self, client), self.folder)
        session.run(f"ATTACH {clients.quoted(self.lake.attach)} AS lake ({attach or 'CREATE_IF_NOT_EXISTS false'})")
        return session


def require_same(asked, world, client):
    with world.session(client) as session:
        found = asked.differences(world, session)
    assert not found, f"{client}: {len(found)} of {len(asked)} answers differ:\n" + "\n".join(found[:12])


def test_a_lake_goes_through_every_catalog(server, tmp_path):
    first = Copied("sqlite", make_lake(tmp_path), tmp_path)
    server.sql("CREATE DATABASE copied")
    second = Copied("postgres", f"dbname=copied {server.dsn}", tmp_path)
    third = Copied("duckdb", tmp_path / "third.db", tmp_path)
    last = Copied("sqlite", tmp_path / "last.sqlite", tmp_path)

    asked = Asked()
    with first.session("tarn") as session:
        asked.ask(session, [question for question in probes.listing() + probes.now(session) + probes.at_snapshots(session, 8)
                            if "ducklake_options" not in question and "ducklake_list_files" not in question])
    before = dump(first.lake.check)
    copy(first.lake.check, "to", second.lake.check)
    copy(second.lake.check, "to", f"duckdb:{third.lake.check}", "--data", tmp_path / "files")
    copy(third.lake.check, last.lake.check)
    assert dump(first.lake.check) == before
    after = dump(last.lake.check)
    assert list(after) == list(before)
    by_key = {row[0]: row for row in after["ducklake_metadata"][1]}
    assert by_key["data_path"][1] == f"{tmp_path}/files/"
    for table, content in before.items():
        if table != "ducklake_metadata":
            assert after[table] == one_spelling(content), table
    for world in (second, third, last):
        require_same(asked, world, "tarn")
        world.check()
    with first.session("reference") as session:
        asked = Asked()
        asked.ask(session, probes.at_snapshots(session, 4))
    for world in (second, third, last):
        require_same(asked, world, "reference")
