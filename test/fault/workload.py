"""A stream of transactions that is the same for the same seed, in SQL that any DuckDB catalog named `lake` understands.

The client that gets killed runs it on a lake. The test runs the same on a database in memory, and so knows what the lake
must hold after any number of transactions.
"""

import random

SETUP = (
    "CREATE TABLE lake.item (id BIGINT, batch BIGINT, value BIGINT, name VARCHAR)",
    "CREATE TABLE lake.log (batch BIGINT, what VARCHAR)",
)
BIG = 60000


def transactions(seed, first=0):
    """Endless: (number, statements). All statements of one are in one transaction; numbers begin at `first`."""
    dice = random.Random(seed)
    number = first
    while True:
        yield number, _transaction(dice, number)
        number += 1


def _insert(number, rows):
    base = number * 1000000
    return (f"INSERT INTO lake.item SELECT {base} + range, {number}, range % 97, 'item ' || range "
            f"FROM range({rows})")


def _transaction(dice, number):
    old = dice.randrange(max(1, number))
    rest = dice.randrange(7)
    insert = _insert(number, dice.choice((1, 3, 50)))
    update = f"UPDATE lake.item SET value = value + {number} WHERE batch = {old} AND id % 7 = {rest}"
    delete = f"DELETE FROM lake.item WHERE batch = {old} AND id % 11 = {rest}"
    merge = (f"MERGE INTO lake.item USING (SELECT {old} * 1000000 + range * 3 AS id FROM range(20)) AS new "
             f"ON item.id = new.id WHEN MATCHED THEN UPDATE SET value = {number} "
             f"WHEN NOT MATCHED THEN INSERT VALUES (new.id, {number}, 5, 'merged')")
    log = f"INSERT INTO lake.log VALUES ({number}, 'all')"
    kind = dice.choice(("small", "small", "big", "update", "delete", "merge", "all"))
    if kind == "all":
        statements = [log, insert, update, delete, merge]
    else:
        statements = {"small": [insert], "big": [_insert(number, BIG)], "update": [update], "delete": [delete],
                      "merge": [merge]}[kind]
    return ["BEGIN", *statements, "COMMIT"] if kind == "all" or dice.random() < 0.5 else statements


def fingerprint(connection):
    """What the tables hold, down to each row."""
    return (connection.execute("SELECT batch, count(*), count(DISTINCT id), sum(id), sum(value), "
                               "sum(hash(id, value, name)::HUGEINT) FROM lake.item GROUP BY ALL ORDER BY ALL").fetchall(),
            connection.execute("SELECT * FROM lake.log ORDER BY ALL").fetchall())
