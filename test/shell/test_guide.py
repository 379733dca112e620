"""The examples of README and guide do what the pages say: their SQL runs without an error, block after block in one
session, and a table shown below a block is what it prints."""

import os
import re
import subprocess
import sys

import pytest

from conftest import BUILD, ROOT

sys.path.insert(0, str(ROOT / "test"))
from harness import postgres  # noqa: E402

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs/guide").glob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Pages that go on from an earlier one do not attach.
LAKE = "ATTACH 'ducklake:sqlite:lake.sqlite' AS lake (DATA_PATH 'lake.files/');\n"
FILES = {"orders.csv": "id,customer\n1,ada\n", "customers.csv": "name\nada\n"}
SERVER = "dbname=lakes host=db.example user=ann"


def blocks(page, language):
    return [body for found, body in BLOCK.findall(page.read_text()) if found == language]


def shown_tables(page):
    return [body for body in blocks(page, "") if body.startswith("┌")]


@pytest.fixture
def folder(tmp_path):
    """Where the examples run: the files that they read, and the build where a clone has it."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "build").mkdir()
    (tmp_path / "build/release").symlink_to(BUILD)
    return tmp_path


def make_lakes(page, tarn):
    """Those that a page takes for granted."""
    if page.stem == "older-lakes":
        for lake in ("shop.sqlite", "old.sqlite"):
            tarn(lake, "-c", "CREATE TABLE t (i INTEGER)")
    elif page.stem == "running-a-lake":
        tarn("lake.sqlite", "-c", "CREATE TABLE prices AS SELECT 1 AS price")


def run_sql(page, tarn, connection=SERVER):
    sql = "".join(blocks(page, "sql")).replace(SERVER, connection).replace("'/data/lake/'", "'files/'")
    printed = tarn("-", stdin=sql if sql.startswith("ATTACH") else LAKE + sql)
    for table in shown_tables(page):
        assert table in printed


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "sql")], ids=lambda page: page.stem)
def test_sql_runs_and_prints_what_the_page_shows(page, tarn, folder):
    if page.stem == "older-lakes":
        make_lakes(page, tarn)
    if SERVER not in page.read_text():
        run_sql(page, tarn)
        return
    with postgres.Server() as server:
        server.sql("CREATE DATABASE lakes")
        run_sql(page, tarn, f"{server.dsn} dbname=lakes")


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.stem)
def test_python_runs(page, tarn, folder, monkeypatch):
    monkeypatch.chdir(folder)
    for code in blocks(page, "python"):
        code = code.replace("build/release/quickstart/nyc.sqlite", "nyc.sqlite")
        tarn("nyc.sqlite", "-c", "CREATE TABLE flights AS SELECT 'AA' AS carrier")
        exec(compile(code, page.name, "exec"), {})


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "sh")], ids=lambda page: page.stem)
def test_commands_run(page, tarn, folder, environment):
    make_lakes(page, tarn)
    environment["PATH"] = f"{BUILD}{os.pathsep}{environment['PATH']}"
    for commands in blocks(page, "sh"):
        subprocess.run(["bash", "-euc", commands], cwd=folder, env=environment, check=True, capture_output=True, timeout=60)
