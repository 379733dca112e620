"""Lakes in PostgreSQL from stock Python: how they are named, what is shown of them, what a role may do."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from harness import clients, duck, postgres  # noqa: E402

BUILD = Path(os.environ.get("TARN_BUILD") or HERE.parents[1] / "build/release").resolve()


def error(client, sql):
    with pytest.raises(duck.SqlError) as caught:
        client.execute(sql)
    return str(caught.value)


def rows(client, sql):
    return client.execute(sql).rows


def make_lake(client, server, database, folder, options=""):
    client.execute(f"ATTACH 'ducklake:postgres:dbname={database} {server.dsn}' AS l (DATA_PATH '{folder}/data/'{options})")
    client.execute("CREATE TABLE l.t AS SELECT range AS i FROM range(20)")


def test_all_names_of_a_database(client, server, database, tmp_path):
    make_lake(client, server, database, tmp_path)
    place = f"tarn:{postgres.PASSWORD}@127.0.0.1:{server.port}/{database}"
    for number, path in enumerate([
            f"ducklake:postgres://{place}", f"tarn:postgresql://{place}", f"ducklake:postgres:postgres://{place}",
            f"tarn:postgres:dbname={database} {server.dsn}"]):
        client.execute(f"ATTACH '{path}' AS m{number}")
        assert rows(client, f"SELECT count(*) FROM m{number}.t") == [("20",)]
    # One lake by two names is one lake.
    client.execute("INSERT INTO m0.t VALUES (100)")
    assert rows(client, "SELECT count(*) FROM l.t") == [("21",)]
    shown = str(rows(client, "SELECT path, tags FROM duckdb_databases()"))
    assert database in shown and postgres.PASSWORD not in shown
    assert rows(client, "SELECT catalog_type FROM ducklake_settings('l')") == [("postgres",)]


def test_errors_are_sentences_without_passwords(client, server, database, tmp_path):
    options = f"(DATA_PATH '{tmp_path}/data/')"
    at = f"host=127.0.0.1 port={server.port}"
    for dsn, expected in [
            (f"dbname={database} {at} user=tarn password=wrong-s3cret", "refused the password of role"),
            ("dbname=x host=127.0.0.1 port=1 user=u password=wrong-s3cret", "cannot be reached"),
            (f"dbname=not_there {server.dsn}", "no database \"not_there\""),
            ("dbname=x pasword=wrong-s3cret", 'has the key "pasword"'),
            ("dbname=x password", "cannot be read")]:
        message = error(client, f"ATTACH 'ducklake:postgres:{dsn}' AS l {options}")
        assert expected in message
        assert "s3cret" not in message and postgres.PASSWORD not in message
    missing = error(client, f"ATTACH 'ducklake:postgres:dbname={database} {server.dsn}' AS l (READ_ONLY)")
    assert "does not exist" in missing and postgres.PASSWORD not in missing
    no_path = error(client, f"ATTACH 'ducklake:postgres:dbname={database} {server.dsn}' AS l")
    assert "data_path is not set" in no_path and "(in `tarn`: --data-path FOLDER)" in no_path
    assert server.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", database) == "0"


@pytest.mark.parametrize("location, words", [
    ("postgres:dbname=x hots=localhost password=hidden", 'has the key "hots", which libpq does not know'),
    ("postgres://localhost/x?sslmod=require", 'has the key "sslmod", which libpq does not know'),
    ("postgres:dbname=x connect_timeout=soon", 'connect_timeout is a number of seconds, not "soon"'),
])
def test_a_mistake_in_the_connection_string_is_named(client, tmp_path, location, words):
    message = error(client, f"ATTACH 'ducklake:{location}' AS l (DATA_PATH '{tmp_path}')")
    assert words in message
    assert "hidden" not in message


def test_a_schema_of_its_own_beside_other_tables(client, server, database, tmp_path):
    server.sql("CREATE SCHEMA sales; CREATE TABLE sales.orders (id int); INSERT INTO sales.orders VALUES (7)", database)
    make_lake(client, server, database, tmp_path, ", METADATA_SCHEMA 'sales'")
    client.execute(f"ATTACH 'ducklake:postgres:dbname={database} {server.dsn}' AS other "
                   f"(DATA_PATH '{tmp_path}/other/', METADATA_SCHEMA 'Made \"here')")
    client.execute("CREATE TABLE other.u (i INTEGER)")
    assert rows(client, "SELECT table_name FROM ducklake_table_info('l')") == [("t",)]
    assert rows(client, "SELECT table_name FROM ducklake_table_info('other')") == [("u",)]
    assert server.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", database) == "0"
    assert rows(client, "SELECT * FROM __ducklake_metadata_l.orders") == [("7",)]
    assert server.sql("SELECT id FROM sales.orders", database) == "7"


def test_roles(client, server, database, tmp_path):
    make_lake(client, server, database, tmp_path)
    server.sql("DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN PASSWORD 'r'; "
               "GRANT USAGE ON SCHEMA public TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader", database)
    dsn = f"dbname={database} host=127.0.0.1 port={server.port} user=reader password=r"
    client.execute(f"ATTACH 'ducklake:postgres:{dsn}' AS r (READ_ONLY)")
    assert rows(client, "SELECT count(*) FROM r.t") == [("20",)]
    client.execute(f"ATTACH 'ducklake:postgres:{dsn}' AS w")
    assert "permission denied for table" in error(client, "INSERT INTO w.t SELECT range FROM range(20)")
    assert rows(client, "SELECT count(*) FROM w.t") == [("20",)]
    refused = error(client, f"ATTACH 'ducklake:postgres:{dsn}' AS n (METADATA_SCHEMA 'new', DATA_PATH '{tmp_path}/n/')")
    assert "permission denied for database" in refused
    client.execute("DETACH r")
    client.execute("DETACH w")
    server.sql("DROP OWNED BY reader; DROP ROLE reader", database)


def test_catalog_tables_in_sql(client, server, database, tmp_path):
    make_lake(client, server, database, tmp_path)
    assert rows(client, "SELECT table_name, typeof(table_uuid), path_is_relative FROM __ducklake_metadata_l.ducklake_table") == [
        ("t", "UUID", "true")]
    assert rows(client, "SELECT typeof(snapshot_time), count(*) FROM __ducklake_metadata_l.public.ducklake_snapshot GROUP BY 1") == [
        ("TIMESTAMP WITH TIME ZONE", "2")]
    assert "can only be read" in error(client, "DELETE FROM __ducklake_metadata_l.ducklake_table")


def test_secrets(client, server, database, tmp_path):
    scanner = clients.packaged_extension("postgres_scanner")
    assert scanner, "the package duckdb-extension-postgres-scanner is not installed"
    client.execute(f"LOAD '{scanner}'")
    make_lake(client, server, database, tmp_path)
    assert "was not found" in error(client, "ATTACH 'ducklake:postgres:' AS a (META_SECRET 'nope')")
    what = f"TYPE postgres, HOST '127.0.0.1', PORT {server.port}, USER 'tarn', PASSWORD '{postgres.PASSWORD}'"
    client.execute(f"CREATE SECRET named ({what}, DATABASE '{database}')")
    client.execute("ATTACH 'ducklake:postgres:' AS a (META_SECRET 'named')")
    assert rows(client, "SELECT count(*) FROM a.t") == [("20",)]
    client.execute(f"CREATE SECRET ({what})")
    client.execute(f"ATTACH 'ducklake:postgres:dbname={database}' AS b")
    assert rows(client, "SELECT count(*) FROM b.t") == [("20",)]


def test_a_server_that_was_started_anew(client, tmp_path):
    with postgres.Server() as own:
        own.sql("CREATE DATABASE lakes")
        make_lake(client, own, "lakes", tmp_path)
        own.stop()
        assert re.search("cannot be reached|closed the connection|broke", error(client, "SELECT count(*) FROM l.t"))
        own.start()
        assert rows(client, "SELECT count(*) FROM l.t") == [("20",)]
        client.execute("INSERT INTO l.t SELECT range FROM range(5)")
        assert rows(client, "SELECT count(*) FROM l.t") == [("25",)]


def test_ddl_is_the_references(server, tmp_path):
    """The 28 tables of a new lake have the columns, types and keys that the reference gives them."""
    shapes = []
    for name, attach in [("tarn", str(BUILD / "tarn.duckdb_extension")), ("reference", None)]:
        database = f"ddl_{name}"
        server.sql(f"CREATE DATABASE {database}")
        instance = clients.Client(name, "postgres", attach, home=str(tmp_path)).open()
        instance.connect().execute(
            f"ATTACH 'ducklake:postgres:dbname={database} {server.dsn}' AS l (DATA_PATH '{tmp_path}/{name}/')")
        instance.close()
        shapes.append(server.sql(
            "SELECT c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull FROM pg_attribute a "
            "JOIN pg_class c ON c.oid = a.attrelid WHERE c.relkind IN ('r', 'i') AND c.relnamespace = 'public'::regnamespace "
            "AND a.attnum > 0 ORDER BY 1, 2", database).splitlines())
    assert shapes[0] == shapes[1]
    assert len(shapes[0]) > 100


def test_the_extension_needs_no_client_library():
    """Neither the entry library nor the engine inside it asks for libpq, OpenSSL, Kerberos or LDAP."""
    for library in ["tarn.duckdb_extension", "engine/libtarn_engine.so"]:
        text = subprocess.run(["readelf", "-d", BUILD / library], text=True, capture_output=True, check=True).stdout
        needed = re.findall(r"NEEDED.*\[(.*)\]", text)
        assert needed and not [name for name in needed if re.search("pq|ssl|crypto|gss|krb|ldap", name)]
    exported = subprocess.run(["nm", "-D", "--defined-only", BUILD / "engine/libtarn_engine.so"], text=True,
                              capture_output=True, check=True).stdout
    assert not re.search(r"\b(PQ|SSL_|EVP_|gss_|ldap_)", exported)


def test_the_command(server, database, tmp_path):
    lake = f"postgres:dbname={database} {server.dsn}"
    def run(*arguments):
        return subprocess.run([str(BUILD / "tarn"), *arguments], text=True, capture_output=True, cwd=tmp_path,
                              env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]})
    empty = run("tables", lake)
    assert empty.returncode == 2 and postgres.PASSWORD not in empty.stdout + empty.stderr
    made = run(lake, "--data-path", f"{tmp_path}/data", "-c", "CREATE TABLE t AS SELECT 1 AS i")
    assert made.returncode == 0, made.stderr
    assert "t" in run("tables", lake).stdout
    info = run("info", f"postgres://tarn:{postgres.PASSWORD}@127.0.0.1:{server.port}/{database}")
    assert info.returncode == 0 and postgres.PASSWORD not in info.stdout
    assert run("check", lake).returncode == 0


@pytest.mark.parametrize("schema, words", [
    ("x" * 64, "PostgreSQL keeps 63 of a name"),
    ("pg_mine", "keeps for itself"),
    ("information_schema", "keeps for itself"),
])
def test_schemas_that_cannot_hold_a_lake(client, server, database, tmp_path, schema, words):
    refused = error(client, f"ATTACH 'ducklake:postgres:dbname={database} {server.dsn}' AS l "
                            f"(DATA_PATH '{tmp_path}/data/', METADATA_SCHEMA '{schema}')")
    assert words in refused and schema in refused


@pytest.mark.parametrize("stranger", ["CREATE TABLE ducklake_snapshot (x int)", "CREATE VIEW ducklake_table AS SELECT 1 AS x"])
def test_a_table_in_the_way_is_named(client, server, database, tmp_path, stranger):
    server.sql(stranger, database)
    refused = error(client, f"ATTACH 'ducklake:postgres:dbname={database} {server.dsn}' AS l (DATA_PATH '{tmp_path}/data/')")
    assert f'"{stranger.split()[2]}" already' in refused and "METADATA_SCHEMA" in refused


def test_no_connection_is_left(client, server, database, tmp_path):
    make_lake(client, server, database, tmp_path)
    server.sql("CREATE ROLE crowded LOGIN PASSWORD 'x' CONNECTION LIMIT 0")
    dsn = re.sub(r"user=\S+", "user=crowded", re.sub(r"password=\S+", "password=x", server.dsn))
    refused = error(client, f"ATTACH 'ducklake:postgres:dbname={database} {dsn}' AS m")
    assert "no connection left" in refused and "crowded" in refused
