"""The client that gets killed: runs the workload on a lake and tells of each transaction, before and after.

    writer.py EXTENSION ATTACH_STATEMENT SEED FIRST [flush | compact]

With `flush`, what the catalog keeps is moved into files after each transaction; with `compact` files are also merged and
rewritten, all snapshots but the newest expire, and what is not needed is removed.
"""

import sys

import duckdb
import workload


def main():
    extension, attach, seed, first = sys.argv[1:5]
    upkeep = ["CALL ducklake_flush_inlined_data('lake')"] if sys.argv[5:] else []
    if "compact" in sys.argv[5:]:
        upkeep += ["CALL ducklake_rewrite_data_files('lake', delete_threshold => 0)",
                   "CALL ducklake_merge_adjacent_files('lake')",
                   "CALL ducklake_expire_snapshots('lake', older_than => now())",
                   "CALL ducklake_cleanup_old_files('lake', cleanup_all => true)",
                   "CALL ducklake_delete_orphaned_files('lake', cleanup_all => true)"]
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": "2"})
    connection.execute(f"LOAD '{extension}'")
    connection.execute(attach)
    for number, statements in workload.transactions(int(seed), int(first)):
        print("trying", number, flush=True)
        for statement in statements:
            connection.execute(statement).fetchall()
        print("done", number, flush=True)
        for statement in upkeep:
            connection.execute(statement).fetchall()


if __name__ == "__main__":
    main()
