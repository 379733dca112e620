"""Writers that commit at the same time: the server never has to refuse one of them, so its log has no errors, and all counts are right."""

import threading

from harness import duck

WRITERS, ROUNDS = 6, 5


def answer(client, sql):
    return [int(value) for value in client.execute(sql).rows[0]]


def test_no_error_reaches_the_servers_log(instance, client, server, database, tmp_path):
    log = server.folder / "log"
    client.execute(f"ATTACH 'ducklake:postgres:dbname={database} {server.dsn}' AS lake (DATA_PATH '{tmp_path}/data/')")
    client.execute("CREATE TABLE lake.shared (w INTEGER, i INTEGER)")
    before = len(log.read_text(errors="replace"))
    problems = []

    def write(writer):
        connection = instance.connect()
        try:
            for i in range(ROUNDS):
                connection.execute(f"INSERT INTO lake.shared VALUES ({writer}, {i})")
                connection.execute(f"CREATE TABLE lake.own_{writer}_{i} AS SELECT range AS i FROM range(20)")
        except duck.SqlError as error:
            problems.append(str(error))

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    commits = WRITERS * ROUNDS
    assert answer(client, "SELECT count(*), count(DISTINCT rowid), max(i) FROM lake.shared") == [commits, commits, ROUNDS - 1]
    assert answer(client, "SELECT min(record_count), max(record_count) FROM __ducklake_metadata_lake.ducklake_table_stats") == [20, commits]
    assert answer(client, "SELECT count(*), max(snapshot_id) FROM lake.snapshots()") == [2 * commits + 2, 2 * commits + 1]
    told = [line for line in log.read_text(errors="replace")[before:].splitlines() if "ERROR" in line or "FATAL" in line]
    assert not told
