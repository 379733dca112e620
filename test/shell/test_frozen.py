"""Lakes on media that nobody can write: every question is answered, every change is refused in one sentence, and nothing is
made beside the catalog. Read-only by a mount where tests run as root, by the rights of the folder where they do not."""

import os
import pwd
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path

import pytest

from conftest import FILES, TARN

FILL = ["CREATE TABLE t (i INTEGER)", "INSERT INTO t VALUES (1), (2), (3)", "DELETE FROM t WHERE i = 2", FILES,
        "INSERT INTO t SELECT range FROM range(100, 200)", "DELETE FROM t WHERE i >= 190"]
QUESTIONS = ["SELECT count(*), sum(i) FROM t", "SELECT count(*) FROM t AT (VERSION => 2)",
             "SELECT change_type, count(*) FROM lake.table_changes('t', 1, 5) GROUP BY ALL ORDER BY ALL",
             "SELECT count(*) FROM lake.snapshots()", "FROM ducklake_list_files('lake', 't') SELECT count(*)"]
CHANGES = ["INSERT INTO t VALUES (5)", "INSERT INTO t SELECT range FROM range(100)", "DELETE FROM t WHERE i = 1",
           "UPDATE t SET i = 7 WHERE i = 1", "CREATE TABLE u (i INTEGER)", "CREATE TABLE u AS SELECT 1 AS i", "DROP TABLE t",
           "ALTER TABLE t ADD COLUMN j INTEGER", "COMMENT ON TABLE t IS 'x'", "CREATE VIEW v AS SELECT 1 AS i",
           "CALL lake.set_option('expire_older_than', '1 day')", "CHECKPOINT lake",
           "CALL ducklake_flush_inlined_data('lake')", "CALL ducklake_merge_adjacent_files('lake')",
           "CALL ducklake_expire_snapshots('lake', versions => [0])",
           "CALL ducklake_cleanup_old_files('lake', cleanup_all => true)",
           "CALL ducklake_add_data_files('lake', 't', 'absent.parquet')"]


def options(statements):
    return [word for statement in statements for word in ("-c", statement)]


def listing(folder):
    return sorted((str(path.relative_to(folder)), path.stat().st_size, path.stat().st_mtime_ns)
                  for path in [folder, *folder.rglob("*")])


def mounted(folder, command):
    """As root: in a namespace of its own in which the folder is mounted read-only."""
    script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd / && exec "$@"'
    return ["unshare", "-m", "sh", "-c", script, str(folder), *command]


def without_rights(folder, command):
    """As a user who may read the folder only."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    if os.geteuid() != 0:
        return command
    nobody = pwd.getpwnam("nobody")
    return ["setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups", *command]


def works(medium):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        command = medium(Path(folder), [str(TARN), "--version"])
        try:
            return subprocess.run(command, capture_output=True).returncode == 0
        except OSError:
            return False


@pytest.fixture(params=[mounted, without_rights], ids=lambda medium: medium.__name__)
def medium(request):
    if not works(request.param):
        pytest.skip("this user cannot make such a medium, or cannot run the command from there")
    return request.param


@pytest.fixture
def folder():
    """One that another user can look into."""
    path = Path(tempfile.mkdtemp(prefix="tarn_frozen_"))
    path.chmod(0o755)
    yield path
    for entry in [path, *path.rglob("*")]:
        if entry.is_dir():
            entry.chmod(0o755)
    shutil.rmtree(path)


@pytest.fixture
def frozen(medium, folder, environment):
    """Runs the command where the folder cannot be written."""
    def run(*arguments, code=0, error=""):
        done = subprocess.run(medium(folder, [str(TARN), *map(str, arguments)]), env=environment | {"HOME": "/nonexistent"},
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
        assert done.returncode == code, done.stdout + done.stderr
        assert error in done.stderr
        if code == 0:
            assert done.stderr == ""
        else:
            assert len(done.stderr.strip().split("\n")) == 1, "one sentence"
        return done.stdout
    return run


def leave_log(path, suffix):
    """Changes the catalog as a process does that is killed: the change is in the log, and the file is not closed."""
    connection = sqlite3.connect(path)
    connection.execute("UPDATE ducklake_snapshot_changes SET author = 'late'")
    connection.commit()
    for name in (str(path), str(path) + suffix):
        shutil.copy(name, name + ".kept")
    connection.close()
    for name in (str(path), str(path) + suffix):
        os.rename(name + ".kept", name)
    assert os.path.getsize(str(path) + suffix) > 0


def make(tarn, folder, kind):
    """A lake beside its files. Kinds: a SQLite file in WAL mode, with a log that was left, in rollback mode; a DuckDB file."""
    path = folder / f"lake.{kind}"
    scheme = "duckdb" if kind.startswith("duckdb") else "sqlite"
    tarn(f"{scheme}:{path}", "--data-path", folder / "files", *options(FILL))
    if kind == "wal_left":
        leave_log(path, "-wal")
    elif kind == "rollback":
        with sqlite3.connect(path) as connection:
            assert connection.execute("PRAGMA journal_mode = delete").fetchone() == ("delete",)
        connection.close()
    return path


@pytest.mark.parametrize("flags", [[], ["--read-only"]], ids=["by_need", "by_wish"])
@pytest.mark.parametrize("kind", ["wal", "wal_left", "rollback", "duckdb"])
def test_a_frozen_lake_is_read_and_never_written(kind, flags, tarn, frozen, folder):
    path = make(tarn, folder, kind)
    shutil.copytree(folder, f"{folder}.copy")
    shown = tarn("--csv", f"{folder}.copy/{path.name}", *options(QUESTIONS))
    shutil.rmtree(f"{folder}.copy")
    before = listing(folder)
    assert frozen(path, *flags, "--csv", *options(QUESTIONS)) == shown
    assert ("late" in frozen(path, *flags, "-c", "SELECT max(author) FROM lake.snapshots()")) == (kind == "wal_left")
    assert "whole" in frozen("check", "--deep", path)
    for command in ("tables", "info", "snapshots"):
        frozen(command, path)
    for change in CHANGES[:6] if flags else CHANGES:
        frozen(path, *flags, "-c", change, code=1, error="read-only")
    assert listing(folder) == before


def test_upkeep_of_a_frozen_lake_is_refused_and_dry_runs_are_not(tarn, frozen, folder):
    path = make(tarn, folder, "wal")
    before = listing(folder)
    for command in (["flush"], ["checkpoint"], ["cleanup", "--all"], ["expire", "--versions", "0"], ["merge"]):
        frozen(*command[:1], path, *command[1:], code=1, error="read-only")
        frozen(*command[:1], path, *command[1:], "--dry-run")
    assert listing(folder) == before


def test_a_frozen_lake_moves(tarn, frozen, folder):
    """Its files are where it says; a relative path is looked for beside the catalog, too."""
    (folder / "old").mkdir()
    path = make(tarn, folder / "old", "wal")
    (folder / "old").rename(folder / "new")
    path = folder / "new" / path.name
    moved = ["--data-path", folder / "new/files", "--override-data-path"]
    assert frozen(path, *moved, "--csv", "-c", QUESTIONS[0]) == "count_star(),sum(i)\n92,13009\n"
    with sqlite3.connect(path) as catalog:
        catalog.execute("UPDATE ducklake_metadata SET value = 'files/' WHERE key = 'data_path'")
    catalog.close()
    assert frozen(path, "--csv", "-c", QUESTIONS[0]) == "count_star(),sum(i)\n92,13009\n"
    assert "whole" in frozen("check", "--deep", path)


def test_half_a_change_is_not_shown(tarn, frozen, folder):
    """A journal that must be played back is told of: without it the file may say anything."""
    path = make(tarn, folder, "rollback")
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("UPDATE ducklake_snapshot_changes SET author = 'half'")
    connection.execute("CREATE TABLE junk (a)")
    connection.executemany("INSERT INTO junk VALUES (?)", [("x" * 2000,)] * 1000)
    for name in (str(path), f"{path}-journal"):
        shutil.copy(name, name + ".kept")
    connection.rollback()
    connection.close()
    for name in (str(path), f"{path}-journal"):
        os.rename(name + ".kept", name)
    before = listing(folder)
    frozen("--csv", path, "-c", "SELECT count(*) FROM t", code=2, error="was left in the midst of a change")
    assert listing(folder) == before


def test_a_frozen_lake_is_copied(tarn, frozen, folder, tmp_path):
    path = make(tarn, folder, "wal_left")
    before = listing(folder)
    target = Path(tempfile.mkdtemp(prefix="tarn_thawed_"))
    target.chmod(0o777)
    try:
        frozen("copy", path, "to", target / "lake.sqlite", "--data", target / "files")
        assert listing(folder) == before
        tarn(target / "lake.sqlite", "-c", "INSERT INTO t VALUES (5)")
        assert "whole" in tarn("check", target / "lake.sqlite")
    finally:
        shutil.rmtree(target)
