"""Encrypted lakes by turns: Tarn with ciphers of its own, the reference with those of httpfs, each reading, changing and
maintaining what the other wrote."""

import pytest

from harness import clients

WRITE = [
    "INSERT INTO lake.t SELECT range, 'a word ' || range FROM range({0}, {0} + 2000)",
    "INSERT INTO lake.t VALUES ({0}, 'inlined'), ({0} + 1, 'inlined too')",
    "UPDATE lake.t SET s = 'changed' WHERE i % 100 = 7 AND i >= {0}",
    "DELETE FROM lake.t WHERE i % 10 = 3",
]
UPKEEP = [
    "CALL ducklake_flush_inlined_data('lake')",
    "CALL ducklake_rewrite_data_files('lake', delete_threshold => 0)",
    "CALL ducklake_merge_adjacent_files('lake')",
]
QUESTIONS = [
    "SELECT count(*), sum(i), count(DISTINCT s), sum(rowid) FROM lake.t WHERE i >= 0",
    "SELECT count(*), sum(i) FROM lake.t AT (VERSION => 2) WHERE i >= 0",
    "SELECT count(*), sum(i) FROM lake.t AT (VERSION => 5) WHERE i >= 0",
    "SELECT count(*) FROM ducklake_list_files('lake', 't') WHERE data_file_encryption_key IS NULL",
]


def session(world, client, attach=""):
    opened = world.session(client, attach)
    if getattr(world, client).name == "reference":
        opened.run(f"LOAD {clients.quoted(clients.packaged_extension('httpfs'))}")
    return opened


def answers(world, client):
    with session(world, client) as opened:
        return [opened.run(question) for question in QUESTIONS]


@pytest.mark.parametrize("catalog", ["sqlite"])
@pytest.mark.parametrize("first, second, vectors", [
    ("tarn", "reference", False), ("reference", "tarn", False), ("tarn", "reference", True)])
def test_by_turns(world, first, second, vectors):
    with session(world, first, "ENCRYPTED, DATA_INLINING_ROW_LIMIT 5") as opened:
        opened.run("CREATE TABLE lake.t (i BIGINT, s VARCHAR)")
        opened.run(f"CALL ducklake_set_option('lake', 'write_deletion_vectors', {vectors})")
        for statement in WRITE:
            opened.run(statement.format(0))
    assert answers(world, first) == answers(world, second)
    with session(world, second, "ENCRYPTED") as opened:
        for statement in WRITE:
            opened.run(statement.format(10000))
    assert answers(world, first) == answers(world, second)
    for client in (first, second):
        with session(world, client) as opened:
            for statement in UPKEEP:
                opened.run(statement)
        assert answers(world, first) == answers(world, second)
    world.check()
