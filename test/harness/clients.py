"""The two clients and the catalog databases: how to load the one and how to name a new lake in the other.

The reference client comes from its PyPI package. It and Tarn are never loaded into one process: both answer to the same
names, and two SQLite libraries on one file in one process can damage it.
"""

import importlib.util
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from harness import duck

CLIENTS = ("tarn", "reference")
CATALOGS = ("sqlite", "duckdb", "postgres")

_REFERENCE_SCANNERS = {"sqlite": "sqlite_scanner", "duckdb": None, "postgres": "postgres_scanner"}


def packaged_extension(name):
    """The path of a DuckDB extension that an installed `duckdb-extension-NAME` package holds; None without it."""
    spec = importlib.util.find_spec(f"duckdb_extension_{name}")
    if spec is None or spec.origin is None and not spec.submodule_search_locations:
        return None
    folder = Path(next(iter(spec.submodule_search_locations)))
    found = folder / "extensions" / f"v{duck.version()}" / f"{name}.duckdb_extension"
    return str(found) if found.exists() else None


def quoted(text):
    return "'" + str(text).replace("'", "''") + "'"


@dataclass
class Client:
    """How to open a DuckDB instance with one of the two clients loaded."""

    name: str
    catalog: str
    extension: str | None = None     # path of tarn.duckdb_extension
    installed_in: str | None = None  # a folder into which it was installed: LOAD by name instead
    home: str | None = None          # stands in for the user's home: nothing of the machine's is found or changed

    def open(self):
        """A fresh instance with the client loaded and nothing attached."""
        settings = {
            "allow_unsigned_extensions": "true",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
        }
        if self.home:
            settings["home_directory"] = self.home
            settings["secret_directory"] = os.path.join(self.home, "secrets")
            settings["extension_directory"] = self.installed_in or os.path.join(self.home, "extensions")
        database = duck.Database(**settings)
        connection = database.connect()
        for statement in self.load_statements():
            connection.execute(statement)
        connection.execute("SET GLOBAL TimeZone = 'UTC'")
        connection.close()
        return database

    def load_statements(self):
        if self.name == "plain":  # DuckDB alone, for the tests of the runner itself
            return []
        if self.name == "tarn":
            if self.installed_in:
                return ["LOAD tarn"]
            return [f"LOAD {quoted(self.extension)}"]
        wanted = ["ducklake"]
        if _REFERENCE_SCANNERS[self.catalog]:
            wanted.append(_REFERENCE_SCANNERS[self.catalog])
        statements = []
        for name in wanted:
            path = packaged_extension(name)
            if path is None:
                raise RuntimeError(f"the package duckdb-extension-{name} for DuckDB {duck.version()} is not installed")
            statements.append(f"LOAD {quoted(path)}")
        return statements


@dataclass
class Lake:
    """Where a new lake goes: its attach string, its data folder, and what `tarn check` calls it."""

    attach: str
    data: str
    check: str
    scratch: str

    def exists(self):
        """Whether a test has made it: some make others of their own."""
        if not self.check.startswith("postgres:"):
            return os.path.exists(self.check)
        found = subprocess.run(["psql", "-XqAt", self.check.removeprefix("postgres:"), "-c",
                                "SELECT to_regclass('public.ducklake_metadata')"], text=True, capture_output=True)
        return bool(found.stdout.strip())


def new_lake(catalog, folder, postgres=None, name="lake"):
    """A lake that does not exist yet, below an empty folder; on PostgreSQL in an empty database of its own."""
    folder = Path(folder)
    data = folder / "data"
    scratch = folder / "scratch"
    data.mkdir(parents=True)
    scratch.mkdir()
    if catalog == "sqlite":
        path = str(folder / "catalog.sqlite")
        return Lake(f"ducklake:sqlite:{path}", f"{data}/", path, str(scratch))
    if catalog == "duckdb":
        path = str(folder / "catalog.db")
        return Lake(f"ducklake:{path}", f"{data}/", path, str(scratch))
    if catalog == "postgres":
        if not postgres:
            raise RuntimeError("a PostgreSQL catalog needs --postgres with the server's connection string")
        dsn = f"dbname={name} {postgres}"
        drop_database(postgres, name)
        subprocess.run(["psql", "-q", f"dbname=postgres {postgres}", "-c", f'CREATE DATABASE "{name}" TEMPLATE template0'],
                       check=True)
        return Lake(f"ducklake:postgres:{dsn}", f"{data}/", f"postgres:{dsn}", str(scratch))
    raise ValueError(f"unknown catalog {catalog}")


def drop_database(postgres, name):
    subprocess.run(["psql", "-q", f"dbname=postgres {postgres}", "-c", f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'],
                   check=True, stderr=subprocess.DEVNULL)
