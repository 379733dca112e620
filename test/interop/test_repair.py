"""`tarn check --repair` on lakes of the reference: with what it leaves, and with damage; both read the repaired lake alike."""

import subprocess

META = "__ducklake_metadata_lake"
SCRIPT = [
    "CALL lake.set_option('data_inlining_row_limit', 0)",
    "CREATE TABLE lake.t AS SELECT range AS i, 'v' || range AS v FROM range(100)",
    "DELETE FROM lake.t WHERE i < 5",
    "CREATE TABLE lake.u (i INTEGER)",
    "INSERT INTO lake.u SELECT range FROM range(50)",
    "UPDATE lake.u SET i = -1 WHERE i = 7",
]
ROWS = ["SELECT rowid, i, v FROM lake.t", "SELECT rowid, i FROM lake.u WHERE i < 20", "SELECT count(*) FROM lake.t",
        "SELECT i FROM lake.t AT (VERSION => 2) WHERE i < 30"]


def tarn_check(world, *options):
    done = subprocess.run([world.check_command, "check", world.lake.check, *options], capture_output=True, text=True,
                          timeout=120)
    return done.returncode, done.stdout + done.stderr


def two_delete_files(world):
    """Leaves two live delete files of one data file, as two deletes of the reference at a time do."""
    with world.session("reference") as session:
        for statement in SCRIPT:
            session.run(statement)
        session.run(f"CREATE TEMP TABLE old AS FROM {META}.ducklake_delete_file WHERE table_id = 1")
        session.run("DELETE FROM lake.t WHERE i BETWEEN 10 AND 14")
        session.run(f"INSERT INTO {META}.ducklake_delete_file FROM old")
        session.run(f"DELETE FROM {META}.ducklake_files_scheduled_for_deletion")


def test_double_delete_files(world):
    if world.check_command is None:
        return
    two_delete_files(world)
    code, text = tarn_check(world)
    assert code == 1 and "has two live delete files" in text
    with world.session("reference") as session:
        before = session.outcome(f"FROM {META}.ducklake_delete_file")
    code, text = tarn_check(world, "--repair", "--dry-run")
    assert code == 1 and text.startswith("would repair: Merges the delete files ")
    with world.session("reference") as session:
        assert session.outcome(f"FROM {META}.ducklake_delete_file") == before
    code, text = tarn_check(world, "--repair")
    assert code == 0 and text.startswith("repaired: Merges the delete files "), text
    answers = []
    for client in ("reference", "tarn"):
        with world.session(client) as session:
            answers.append([session.outcome(question) for question in ROWS])
    assert answers[0] == answers[1]
    assert answers[0][2] == ("rows", [["90"]])
    # Both go on, and the files that were merged go.
    with world.session("reference") as session:
        session.run("DELETE FROM lake.t WHERE i = 50")
        session.run("CALL ducklake_cleanup_old_files('lake', cleanup_all => true)")
        assert session.outcome(ROWS[2]) == ("rows", [["89"]])
    world.check()


def test_damage_of_statistics_and_counters(world):
    if world.check_command is None:
        return
    world.script("reference", SCRIPT + [
        f"UPDATE {META}.ducklake_table_column_stats SET max_value = '7' WHERE table_id = 1 AND column_id = 1",
        f"UPDATE {META}.ducklake_table_stats SET next_row_id = 3",
        f"UPDATE {META}.ducklake_snapshot SET next_file_id = 1",
        f"UPDATE {META}.ducklake_data_file SET file_size_bytes = file_size_bytes + 1, footer_size = 1",
        f"INSERT INTO {META}.ducklake_table_stats VALUES (77, 1, 1, 1)",
    ])
    code, text = tarn_check(world, "--repair")
    assert code == 0, text
    assert text.count("repaired: ") >= 7, text
    answers = []
    for client in ("reference", "tarn"):
        with world.session(client) as session:
            answers.append([session.outcome(question) for question in ROWS + ["SELECT max(i) FROM lake.t"]])
    assert answers[0] == answers[1]
    assert answers[0][4] == ("rows", [["99"]])
    for client in ("reference", "tarn"):
        world.script(client, ["INSERT INTO lake.t VALUES (1000, 'x')", "DELETE FROM lake.t WHERE i = 1000"])
    world.check()
    assert tarn_check(world, "--repair")[1].startswith("There is nothing that could be repaired.\nThe lake is whole")
