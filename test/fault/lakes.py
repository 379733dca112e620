"""A lake under test: opening it in a fresh stock client, changing its catalog by hand, proving it whole, and what an error may look like."""

import glob
import os
import sqlite3
import subprocess

import duckdb

# What a file that a killed client left behind is called; it is no damage.
_UNREFERENCED = "Nothing refers to the file"
# The one sentence that may leave open whether a transaction happened.
UNKNOWN = "does not tell whether it was committed"


class World:
    def __init__(self, lake, catalog, build):
        self.lake = lake
        self.catalog = catalog
        self.extension = str(build / "tarn.duckdb_extension")
        self._command = str(build / "tarn")

    def open(self, attach=None):
        """A fresh client with the lake attached as `lake`."""
        connection = self.client()
        connection.execute(self.attach_statement(attach))
        return connection

    def client(self):
        connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
        connection.execute(f"LOAD '{self.extension}'")
        return connection

    def attach_statement(self, attach=None):
        return f"ATTACH '{attach or self.lake.attach}' AS lake (DATA_PATH '{self.lake.data}')"

    def through(self, port):
        """The attach string that goes to the server by another port."""
        words = [f"port={port}" if word.startswith("port=") else word for word in self.lake.attach.split()]
        return " ".join(words)

    def files(self):
        found = glob.glob(os.path.join(self.lake.data, "**"), recursive=True)
        return sorted(path for path in found if os.path.isfile(path))

    def assert_whole(self, unreferenced=True):
        """`tarn check --deep` finds nothing but, where allowed, files that nothing refers to."""
        done = subprocess.run([self._command, "check", "--deep", self.lake.check], text=True, capture_output=True)
        output = done.stdout + done.stderr
        assert done.returncode == 0, output
        notes = [line for line in output.splitlines() if line.startswith("note")]
        unexpected = [line for line in notes if not (unreferenced and _UNREFERENCED in line)]
        assert not unexpected, output


def attempt(connection, *statements):
    """Runs statements up to the first error. Returns that error, or None; afterwards no transaction is open."""
    try:
        for statement in statements:
            connection.execute(statement).fetchall()
    except duckdb.Error as error:
        assert_clear(str(error))
        try:
            connection.execute("ROLLBACK")
        except duckdb.Error as nothing:
            assert "no transaction is active" in str(nothing), f"after {error}: {nothing}"
        return str(error)
    return None


def tamper(world, statements):
    """Changes the catalog by hand, while no client has it open."""
    if world.catalog == "sqlite":
        database = sqlite3.connect(world.lake.check)
        for statement in statements:
            database.execute(statement)
        database.commit()
        database.close()
    elif world.catalog == "duckdb":
        with duckdb.connect(world.lake.check) as database:
            for statement in statements:
                database.execute(statement)
    else:
        subprocess.run(["psql", "-qX", "-v", "ON_ERROR_STOP=1", world.lake.attach.removeprefix("ducklake:postgres:"), "-c",
                        "; ".join(statements)], check=True, capture_output=True)


def assert_clear(message):
    """An error is one statement of what happened, not a client's inner failure or a heap of them."""
    text = message.strip()
    assert len(text) > 20 and not any(word in text for word in ("INTERNAL Error", "Internal error in Tarn", "Assertion")), text
    assert "database has been invalidated" not in text, text
    assert len(text.splitlines()) == 1, text
