#!/usr/bin/env python3
"""Makes the golden lakes: lakes of older versions of the format, written by the clients of their time.

    python3 test/golden/make_golden.py [VERSION…]

Each client comes from PyPI, with its DuckDB, into a virtual environment of its own in a temporary folder; the pinned releases
are in PACKAGES. There is none that writes 0.1: golden.py makes such a lake from one of 0.2. What is made lies in
lakes/VERSION-CATALOG/ and is committed, so that tests need no old packages:

    catalog.sql   the catalog database as SQL text for itself, with {LAKE} for the lake's folder
    files.tar.xz  the data path
    rows.json     what that client read from each table at each snapshot, as digests
"""

import argparse
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent))

PACKAGES = {"0.2": "1.3.1", "0.3": "1.4.4", "0.4": "1.5.0"}  # the version of the format: of the packages
CATALOGS = ("sqlite", "duckdb", "postgres")
EXTENSIONS = ("sqlite_scanner", "postgres_scanner", "ducklake")


def quoted(text):
    return "'" + str(text).replace("'", "''") + "'"


def identifier(name):
    return '"' + name.replace('"', '""') + '"'


# --- in the old client's environment ---


def connect():
    import duckdb

    connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "autoinstall_known_extensions": "false"})
    for name in EXTENSIONS:
        (path,) = Path(duckdb.__file__).parents[1].glob(f"duckdb_extension_{name}/extensions/*/{name}.duckdb_extension")
        connection.execute(f"LOAD {quoted(path)}")
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute("SET threads = 1")  # the same files each time
    return connection


def attach(connection, where, lake, limit):
    inlining = f", DATA_INLINING_ROW_LIMIT {limit}" if limit else ""
    connection.execute(f"ATTACH {quoted('ducklake:' + where)} AS l (DATA_PATH {quoted(f'{lake}/data/')}{inlining})")


def write(connection, version, catalog, where, lake):
    import history

    attach(connection, where, lake, 0)
    for statement in history.statements(version):
        if not isinstance(statement, history.Limit):
            connection.execute(statement.replace("{LAKE}", str(lake)))
        elif version != "0.2":
            connection.execute(f"CALL l.set_option('data_inlining_row_limit', {int(statement)})")
        elif catalog == "duckdb":  # only there, and only while attached so
            connection.execute("DETACH l")
            attach(connection, where, lake, int(statement))


def digest(rows):
    text = "\n".join(sorted(repr(row) for row in rows))
    return hashlib.md5(text.encode()).hexdigest()[:12]


def rows_at_snapshots(execute):
    """[snapshot, schema, table, count, digest] wherever a table shows something else than at the snapshot before; `execute`
    runs SQL on the attached lake `l` and gives rows of texts."""
    found, last = [], {}
    metadata = "__ducklake_metadata_l."
    for (snapshot,) in execute(f"SELECT snapshot_id::VARCHAR FROM {metadata}ducklake_snapshot ORDER BY snapshot_id"):
        alive = "{0}.begin_snapshot <= " + snapshot + " AND ({0}.end_snapshot IS NULL OR {0}.end_snapshot > " + snapshot + ")"
        tables = execute(f"SELECT s.schema_name, t.table_name FROM {metadata}ducklake_table t JOIN {metadata}ducklake_schema s "
                         f"USING (schema_id) WHERE {alive.format('t')} AND {alive.format('s')} ORDER BY ALL")
        for schema, table in tables:
            name = f"l.{identifier(schema)}.{identifier(table)}"
            rows = execute(f"SELECT rowid::VARCHAR, COLUMNS(*)::VARCHAR FROM {name} AT (VERSION => {snapshot})")
            shown = [len(rows), digest(rows)]
            if last.get((schema, table)) != shown:
                found.append([int(snapshot), schema, table, *shown])
            last[schema, table] = shown
    return found


def duckdb_dump(path):
    """A DuckDB file as SQL: texts cast back to every type."""
    import duckdb

    connection = duckdb.connect(str(path))
    connection.execute("SET TimeZone = 'UTC'")
    for name, sql in connection.execute("SELECT table_name, sql FROM duckdb_tables() ORDER BY 1").fetchall():
        yield sql
        rows = connection.execute(f"SELECT COLUMNS(*)::VARCHAR FROM {identifier(name)} ORDER BY ALL").fetchall()
        if rows:
            values = ",\n".join("(" + ", ".join("NULL" if v is None else quoted(v) for v in row) + ")" for row in rows)
            yield f"INSERT INTO {identifier(name)} VALUES\n{values};"
    connection.close()


def sqlite_dump(path):
    import sqlite3

    connection = sqlite3.connect(path)
    for name, sql in connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall():
        yield sql + ";"
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({identifier(name)})")]
        quotes = ", ".join(f"quote({identifier(column)})" for column in columns)
        rows = connection.execute(f"SELECT {quotes} FROM {identifier(name)} ORDER BY rowid").fetchall()
        if rows:
            values = ",\n".join("(" + ", ".join(row) + ")" for row in rows)
            yield f"INSERT INTO {identifier(name)} VALUES\n{values};"
    connection.close()


def postgres_dump(dsn):
    text = subprocess.run(["pg_dump", "--rows-per-insert=1000", "--no-owner", "--no-privileges", dsn],
                          check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        if line and not re.match(r"--|SET |\\(un)?restrict|SELECT pg_catalog\.set_config", line):
            yield line


def work(version, catalog, lake, where):
    (lake / "data/main").mkdir(parents=True)
    connection = connect()
    write(connection, version, catalog, where, lake)
    rows = rows_at_snapshots(lambda sql: connection.execute(sql).fetchall())
    connection.execute("DETACH l")
    connection.close()
    if catalog == "duckdb":
        dump = duckdb_dump(lake / "lake.db")
    elif catalog == "sqlite":
        dump = sqlite_dump(lake / "lake.db")
    else:
        dump = postgres_dump(where.removeprefix("postgres:"))
    print(json.dumps({"catalog": "\n".join(dump).replace(str(lake), "{LAKE}") + "\n", "rows": rows}))


# --- outside ---


def environment(folder, version):
    """The Python of an environment with the packages of a version, made when it is not there."""
    python = folder / f"ducklake-{version}" / "bin/python"
    if not python.exists():
        venv.create(python.parents[1], with_pip=True)
        names = ["duckdb", "pytz"] + ["duckdb-extension-" + name.replace("_", "-") for name in EXTENSIONS]
        pins = [name if name == "pytz" else f"{name}=={PACKAGES[version]}" for name in names]
        subprocess.run([python, "-m", "pip", "install", "--quiet", *pins], check=True)
    return python


def make(python, version, catalog, server):
    with tempfile.TemporaryDirectory() as folder:
        lake = Path(folder).resolve() / "lake"
        where = {"duckdb": f"{lake}/lake.db", "sqlite": f"sqlite:{lake}/lake.db"}.get(catalog)
        if catalog == "postgres":
            name = f"golden_{version.replace('.', '_')}"
            server.sql(f"CREATE DATABASE {name}")
            where = f"postgres:dbname={name} {server.dsn}"
        done = subprocess.run([python, __file__, "--worker", version, catalog, lake, where], check=True, stdout=subprocess.PIPE)
        made = json.loads(done.stdout)
        target = HERE / "lakes" / f"{version}-{catalog}"
        target.mkdir(parents=True, exist_ok=True)
        (target / "catalog.sql").write_text(made["catalog"])
        lines = ",\n".join(json.dumps(row) for row in made["rows"])
        (target / "rows.json").write_text(f"[\n{lines}\n]\n")
        with tarfile.open(target / "files.tar.xz", "w:xz") as archive:
            for file in sorted(path for path in (lake / "data").rglob("*") if path.is_file()):
                member = tarfile.TarInfo(str(file.relative_to(lake)))
                member.size = file.stat().st_size
                archive.addfile(member, io.BytesIO(file.read_bytes()))


def main():
    if sys.argv[1:2] == ["--worker"]:
        version, catalog, lake, where = sys.argv[2:]
        return work(version, catalog, Path(lake), where)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("versions", nargs="*", default=list(PACKAGES))
    parser.add_argument("--environments", type=Path, help="a folder for the virtual environments, to keep them")
    arguments = parser.parse_args()
    from harness import postgres

    with tempfile.TemporaryDirectory() as temporary, postgres.Server() as server:
        for version in arguments.versions:
            python = environment(arguments.environments or Path(temporary), version)
            for catalog in CATALOGS:
                make(python, version, catalog, server)
                print(version, catalog)


if __name__ == "__main__":
    main()
