"""A process of a crowd: threads that write, delete, update, flush, keep up and read one table at once.

    crowd.py EXTENSION ATTACH_STATEMENT NAME TRANSACTIONS ROLE…

Each change is a transaction whose commit message is its statement, so the lake's snapshots tell the order for a replay.
Changes name rows that were committed before they began, by columns that never change: so each order in which they can be
committed is a serial one. Whatever should not happen is printed.
"""

import json
import random
import sys
import threading
import traceback

import duckdb

TABLE = "CREATE TABLE lake.t (w VARCHAR, b INTEGER, i INTEGER, v INTEGER)"


class Crowd:
    def __init__(self, connection, name, transactions):
        self._connection = connection
        self._name = name
        self._transactions = transactions
        self._over = threading.Event()
        self.problems = []
        self.counts = {}

    def run(self, roles):
        threads = [threading.Thread(target=self._guarded, args=(role, number)) for number, role in enumerate(roles)]
        changing = [thread for thread, role in zip(threads, roles) if role in ("writer", "deleter", "updater")]
        for thread in threads:
            thread.start()
        for thread in changing:
            thread.join()
        self._over.set()
        for thread in threads:
            thread.join()

    def _guarded(self, role, number):
        try:
            cursor = self._connection.cursor()
            cursor.execute("SET ducklake_max_retry_count = 200")
            cursor.execute("SET ducklake_retry_wait_ms = 5")
            getattr(self, "_" + role)(cursor, f"{self._name}{number}", random.Random(f"{self._name} {number}"))
        except Exception:  # whatever it is, the test shall tell
            self.problems.append(f"{role}: {traceback.format_exc()}")

    def _change(self, cursor, who, statement, conflicts=False):
        """One transaction; True when it was committed."""
        try:
            cursor.execute("BEGIN")
            cursor.execute(statement)
            cursor.execute("CALL ducklake_set_commit_message('lake', ?, ?)", [who, statement])
            cursor.execute("COMMIT")
        except duckdb.Error as error:
            if not (conflicts and "onflict" in str(error)):
                raise
            try:
                cursor.execute("ROLLBACK")
            except duckdb.Error:
                pass
            return False
        self.counts[who] = self.counts.get(who, 0) + 1
        return True

    def _writer(self, cursor, who, dice):
        """Inserts never conflict."""
        for batch in range(self._transactions):
            rows = dice.choice((1, 3, 9, 25))
            self._change(cursor, who, f"INSERT INTO lake.t SELECT '{who}', {batch}, range, 0 FROM range({rows})")

    def _committed(self, cursor, dice):
        """A condition for rows that are there already."""
        found = cursor.execute("SELECT w, max(b) FROM lake.t GROUP BY w ORDER BY w").fetchall()
        if not found:
            return None
        writer, batch = dice.choice(found)
        return f"w = '{writer}' AND b <= {batch} AND b % 4 = {dice.randrange(4)} AND i % 5 = {dice.randrange(5)}"

    def _deleter(self, cursor, who, dice):
        for _ in range(self._transactions):
            if where := self._committed(cursor, dice):
                self._change(cursor, who, f"DELETE FROM lake.t WHERE {where}", conflicts=True)

    def _updater(self, cursor, who, dice):
        for _ in range(self._transactions):
            if where := self._committed(cursor, dice):
                self._change(cursor, who, f"UPDATE lake.t SET v = v + 1 WHERE {where}", conflicts=True)

    def _upkeep(self, cursor, who, statement):
        """Others get in its way as they please: it ends well."""
        while not self._over.is_set():
            cursor.execute(statement)
            self.counts[who] = self.counts.get(who, 0) + 1
            self._over.wait(0.02)

    def _flusher(self, cursor, who, _):
        self._upkeep(cursor, who, "CALL ducklake_flush_inlined_data('lake')")

    def _keeper(self, cursor, who, _):
        self._upkeep(cursor, who, "CHECKPOINT lake")

    def _reader(self, cursor, who, dice):
        """What a transaction sees stays; a version is the same whoever moves its rows."""
        while not self._over.is_set():
            cursor.execute("BEGIN")
            seen = [cursor.execute("SELECT count(*), sum(v), sum(hash(w, b, i, v)::HUGEINT), count(DISTINCT rowid) "
                                   "FROM lake.t").fetchall() for _ in range(2)]
            version = cursor.execute("SELECT id FROM ducklake_current_snapshot('lake')").fetchone()[0]
            cursor.execute("COMMIT")
            seen.append(cursor.execute("SELECT count(*), sum(v), sum(hash(w, b, i, v)::HUGEINT), count(DISTINCT rowid) "
                                       f"FROM lake.t AT (VERSION => {version})").fetchall())
            if seen[0] != seen[1] or seen[0] != seen[2]:
                self.problems.append(f"reader of version {version}: {seen}")
            if seen[0][0][0] != seen[0][0][3]:
                self.problems.append(f"version {version} has a row twice: {seen[0]}")
            self.counts[who] = self.counts.get(who, 0) + 1
            self._over.wait(dice.uniform(0, 0.05))


def main():
    extension, attach, name, transactions = sys.argv[1:5]
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": "2"})
    connection.execute(f"LOAD '{extension}'")
    connection.execute(attach)
    crowd = Crowd(connection, name, int(transactions))
    crowd.run(sys.argv[5:])
    print(json.dumps({"problems": crowd.problems, "counts": crowd.counts}))


if __name__ == "__main__":
    main()
