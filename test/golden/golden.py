"""Golden lakes put up for a test, and their catalogs as plain rows."""

import json
import sqlite3
import subprocess
import tarfile
from pathlib import Path

import duckdb

from harness import clients

LAKES = Path(__file__).resolve().parent / "lakes"
VERSIONS = ("0.1", "0.2", "0.3", "0.4")

# What 0.2 brought is taken away again: folders of schemas and tables, scopes of options, registered files, column ids of
# partition keys (before: places). The files stay where they are, below the data path.
BACK_TO_0_1 = """
DELETE FROM ducklake_file_column_statistics WHERE data_file_id IN (SELECT data_file_id FROM ducklake_data_file
    WHERE mapping_id IS NOT NULL);
DELETE FROM ducklake_data_file WHERE mapping_id IS NOT NULL;
UPDATE ducklake_data_file SET path = (SELECT min(s.path || t.path) FROM ducklake_table t JOIN ducklake_schema s
    ON s.schema_id = t.schema_id WHERE t.table_id = ducklake_data_file.table_id) || path;
UPDATE ducklake_delete_file SET path = (SELECT min(s.path || t.path) FROM ducklake_table t JOIN ducklake_schema s
    ON s.schema_id = t.schema_id WHERE t.table_id = ducklake_delete_file.table_id) || path;
UPDATE ducklake_partition_column SET column_id = (SELECT count(DISTINCT c.column_id) FROM ducklake_column c
    WHERE c.table_id = ducklake_partition_column.table_id AND c.parent_column IS NULL
    AND c.column_id < ducklake_partition_column.column_id);
DELETE FROM ducklake_metadata WHERE scope IS NOT NULL;
UPDATE ducklake_metadata SET value = '0.1' WHERE key = 'version';
ALTER TABLE ducklake_metadata DROP COLUMN scope;
ALTER TABLE ducklake_metadata DROP COLUMN scope_id;
ALTER TABLE ducklake_schema DROP COLUMN path;
ALTER TABLE ducklake_schema DROP COLUMN path_is_relative;
ALTER TABLE ducklake_table DROP COLUMN path;
ALTER TABLE ducklake_table DROP COLUMN path_is_relative;
ALTER TABLE ducklake_data_file DROP COLUMN mapping_id;
DROP TABLE ducklake_column_mapping;
DROP TABLE ducklake_name_mapping;
"""


class Golden:
    """A golden lake in a folder of its own, or in a database of its own on PostgreSQL."""

    def __init__(self, version, catalog, folder, server=None, name="golden"):
        self.version, self.catalog = version, catalog
        stored = LAKES / f"{'0.2' if version == '0.1' else version}-{catalog}"
        folder.mkdir(parents=True)
        self.folder = folder
        self.lake = clients.new_lake(catalog, folder / "new", server.dsn if server else None, name)
        with tarfile.open(stored / "files.tar.xz") as archive:
            archive.extractall(folder)
        self.run("BEGIN; " + (stored / "catalog.sql").read_text().replace("{LAKE}", str(folder)) + "COMMIT;")
        if version == "0.1":
            self.run(BACK_TO_0_1)
        self.rows = [row for row in json.loads((stored / "rows.json").read_text())
                     if version != "0.1" or row[2] != "registered"]

    @property
    def path(self):
        return self.lake.check

    def run(self, script):
        """Runs SQL in the catalog database."""
        if self.catalog == "sqlite":
            connection = sqlite3.connect(self.path)
            connection.executescript(script)
            connection.close()
        elif self.catalog == "duckdb":
            with duckdb.connect(self.path) as connection:
                connection.execute("SET TimeZone = 'UTC'")
                connection.execute(script)
        else:
            subprocess.run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", self.path.removeprefix("postgres:")], input=script, text=True,
                           check=True, stdout=subprocess.DEVNULL)

    def version_now(self):
        return dict(row[:2] for row in self.dump()["ducklake_metadata"].rows)["version"]

    def dump(self):
        """Every table of the catalog: its columns, and its rows as texts, sorted."""
        if self.catalog == "sqlite":
            sql = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1"
        elif self.catalog == "duckdb":
            sql = "SELECT table_name FROM duckdb_tables() ORDER BY 1"
        else:
            sql = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
        names = [name for (name,) in next(self._query([sql])).rows]
        tables = dict(zip(names, self._query([f'SELECT * FROM "{name}"' for name in names])))
        for table in tables.values():
            table.rows.sort(key=lambda row: [(value is not None, value or "") for value in row])
        return tables

    def _query(self, statements):
        """What each of the queries finds, in one session."""
        if self.catalog == "sqlite":
            connection = sqlite3.connect(self.path)
            for sql in statements:
                cursor = connection.execute(sql)
                yield Table([column[0] for column in cursor.description], [list(map(text, row)) for row in cursor])
            connection.close()
        elif self.catalog == "duckdb":
            with duckdb.connect(self.path) as connection:
                connection.execute("SET TimeZone = 'UTC'")
                for sql in statements:
                    cursor = connection.execute(sql.replace("*", "COLUMNS(*)::VARCHAR"))
                    yield Table([column[0] for column in cursor.description], [list(row) for row in cursor.fetchall()])
        else:
            script = "".join(f"{sql};\n\\qecho \x1c\n" for sql in statements)
            done = subprocess.run(["psql", "-XAq", "-F", "\x1f", "-R", "\x1e", "-P", "null=\x1d", "-P", "footer=off",
                                   self.path.removeprefix("postgres:")], input=script, text=True, check=True, capture_output=True)
            for part in done.stdout.split("\x1c\n")[:-1]:
                names, *rows = [line.split("\x1f") for line in part.removesuffix("\n").split("\x1e")]
                yield Table(names, [[None if value == "\x1d" else value for value in row] for row in rows])


class Table:
    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows

    def __eq__(self, other):
        return (self.columns, self.rows) == (other.columns, other.rows)

    def __repr__(self):
        return f"{self.columns}: {self.rows}"

    def column(self, name):
        at = self.columns.index(name)
        return [row[at] for row in self.rows]

    def without(self, *names):
        """The rows without some columns."""
        keep = [at for at, column in enumerate(self.columns) if column not in names]
        return sorted(repr([row[at] for at in keep]) for row in self.rows)


def text(value):
    return None if value is None else str(value)
