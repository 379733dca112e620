"""Where a lake's files are: relative data paths, folders that are somebody's already, what cannot be read or written."""

import os
import pwd
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path

import pytest

from conftest import FILES, TARN

LOST = 'The data path "shop.files/" is relative: it is looked for in the working folder "{}" and beside the catalog, and is in neither.'


def parquet(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.parquet"))


def data_path(lake):
    with sqlite3.connect(lake) as catalog:
        (path,), = catalog.execute("SELECT value FROM ducklake_metadata WHERE key = 'data_path'")
    catalog.close()
    return path


@pytest.fixture
def at(tmp_path, environment):
    """Runs the command in some folder."""
    def run(folder, *arguments, code=0, error=""):
        (tmp_path / folder).mkdir(exist_ok=True)
        done = subprocess.run([TARN, *map(str, arguments)], cwd=tmp_path / folder, env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=60)
        assert done.returncode == code, done.stdout + done.stderr
        assert error in done.stderr
        return done.stdout + done.stderr
    return run


@pytest.fixture(params=["sqlite", "duckdb"])
def shop(request, at):
    """A lake in the folder home, whose data path is stored relative, as SQL stores it."""
    at("home", "-c", f"ATTACH 'ducklake:{request.param}:shop.lake' AS l (DATA_PATH 'shop.files/')", "-c",
       "CREATE TABLE l.t AS SELECT range AS i FROM range(100)", "-c", "INSERT INTO l.t VALUES (100)", "-c", FILES, "-c",
       "INSERT INTO l.t VALUES (101)", "-c", "INSERT INTO l.t VALUES (102)", "-c", "DELETE FROM l.t WHERE i < 20")
    return "../home/shop.lake"


def test_a_writer_from_elsewhere_finds_the_files_beside_the_catalog(at, shop, tmp_path):
    at("away", shop, "-c", FILES, "-c", "INSERT INTO t SELECT range FROM range(50)")
    assert parquet(tmp_path / "away") == []
    assert "\n133\n" in at("home", "shop.lake", "--csv", "-c", "SELECT count(*) FROM t")
    assert "whole" in at("away", "check", shop)
    # The whole path of the folder is another way to say where it is.
    at("away", shop, "--data-path", tmp_path / "home/shop.files", "-c", "SELECT sum(i) FROM t")
    at("away", "-c", f"ATTACH 'ducklake:{shop}' AS l (DATA_PATH '{tmp_path}/home/shop.files')", "-c", "SELECT sum(i) FROM l.t")


def test_nobody_writes_where_the_files_are_not(at, shop, tmp_path):
    (tmp_path / "home/shop.files").rename(tmp_path / "gone.files")
    lost = LOST.format(tmp_path / "away")
    for change in ("INSERT INTO t VALUES (1)", "INSERT INTO t SELECT range FROM range(50)", "CREATE TABLE u (i INTEGER)",
                   "CALL ducklake_flush_inlined_data('lake')"):
        at("away", shop, "-c", change, code=1, error=lost)
    for command in (["flush"], ["checkpoint"], ["cleanup", "--all"], ["orphans"], ["expire", "--versions", "0"],
                    ["restore", "--to", "1"]):
        at("away", command[0], shop, *command[1:], code=1, error=lost)
    assert lost in at("away", "keep", shop, "--once", code=1)
    at("away", "copy", shop, "to", "copy.sqlite", code=1, error=lost)
    assert at("away", "check", shop, code=1).startswith(f"error: {lost} Change to the folder it belongs to, or give DATA_PATH / --data-path.\nerror: ")
    at("away", "check", shop, "--repair", code=2, error=lost)
    assert [path.name for path in (tmp_path / "away").iterdir()] == []
    # Once the folder is there again, so is everything else.
    (tmp_path / "gone.files").rename(tmp_path / "away/shop.files")
    at("away", shop, "-c", FILES, "-c", "INSERT INTO t SELECT range FROM range(50)")
    assert "whole" in at("away", "check", shop)


def test_a_lake_without_files_is_begun_in_the_working_folder(at, tmp_path):
    at("home", "-c", "ATTACH 'ducklake:sqlite:shop.lake' AS l (DATA_PATH 'shop.files/')", "-c", "CREATE TABLE l.t (i INTEGER)")
    at("home", "shop.lake", "-c", FILES, "-c", "INSERT INTO t SELECT range FROM range(50)")
    assert len(parquet(tmp_path / "home/shop.files")) == 1


def test_the_command_and_copies_store_whole_paths(at, shop, tmp_path):
    at("home", "new.sqlite", "--data-path", "new.files", "-c", FILES, "-c", "CREATE TABLE t AS SELECT 1 AS i")
    assert data_path(tmp_path / "home/new.sqlite") == f"{tmp_path}/home/new.files/"
    at("home", "new.sqlite", "--data-path", "new.files", "-c", "FROM t")
    at("away", "copy", shop, "to", "copy.sqlite")
    assert data_path(tmp_path / "away/copy.sqlite").rstrip("/") == str(tmp_path / "home/shop.files")
    assert "whole" in at("home", "check", "../away/copy.sqlite")


def test_another_lakes_folder_is_told_of(at, tmp_path):
    at("home", "a.sqlite", "-c", FILES, "-c", "CREATE TABLE t AS SELECT 1 AS i")
    told = at("home", "b.sqlite", "--data-path", "a.sqlite.files", "-c", "SELECT 1")
    assert told.count("\n") > 1 and "holds Parquet files already" in told
    assert "already" not in at("home", "c.sqlite", "-c", "SELECT 1") + at("home", "a.sqlite", "-c", "FROM t")


def test_mismatch_says_to_leave_the_path_out(at):
    at("home", "a.sqlite", "-c", "SELECT 1")
    at("home", "a.sqlite", "--data-path", "other", "-c", "SELECT 1", code=2, error="Leave DATA_PATH out: the lake knows its folder.")
    at("home", "a.sqlite", "-c", "CALL lake.set_option('data_path', 'x')", code=1, error="`tarn copy` with --override-data-path")


def test_object_storage_holds_no_catalog(tarn):
    for lake in ("s3://bucket/lake.sqlite", "sqlite:s3://bucket/lake.sqlite"):
        tarn(lake, "-c", "SELECT 1", code=2, error="cannot lie in object storage; only a lake's data path can")


@pytest.fixture
def nobody(environment):
    """Runs the command as a user without rights, in a folder that everybody may look into."""
    if os.geteuid() != 0:
        pytest.skip("only root can run something as somebody else")
    user = pwd.getpwnam("nobody")
    folder = Path(tempfile.mkdtemp(prefix="tarn_nobody_"))
    folder.chmod(0o755)

    def run(*arguments):
        command = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", TARN, *map(str, arguments)]
        return subprocess.run(command, cwd=folder, env=environment | {"HOME": "/nonexistent"}, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=60)

    if run("--version").returncode != 0:
        pytest.skip("another user cannot run the command from here")
    run.folder = folder
    yield run
    shutil.rmtree(folder)


def test_who_cannot_write_or_read(tarn, nobody):
    lake = nobody.folder / "a.sqlite"
    tarn(lake, "-c", "CREATE TABLE t AS SELECT 1 AS i")
    for command in (["keep", lake, "--once"], ["checkpoint", lake], ["expire", lake, "--versions", "0"], ["restore", lake, "--to", "0"]):
        done = nobody(*command)
        assert done.returncode == 1
        assert done.stderr == f'Error: The lake is read-only: the user "nobody" cannot write the catalog "{lake}".\n'
    lake.chmod(0)
    done = nobody(lake, "-c", "FROM t")
    assert (done.returncode, done.stderr) == (2, f'Error: "{lake}" cannot be read: Permission denied.\n')
