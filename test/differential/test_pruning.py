"""Statistics never take a row away: random comparisons on columns of every type, whose values lie at its extremes.

The same rows are in a lake, in many small files and in the catalog, and in a table of DuckDB's own that has no files to skip;
both must find the same rows: before and after a flush, a merge, changed rows, wider types.
TARN_PRUNING_SEEDS, as in 1..200, is for long runs.
"""

import os
import random
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from harness import clients, duck  # noqa: E402

BUILD = Path(os.environ.get("TARN_BUILD") or HERE.parents[1] / "build/release").resolve()

INTEGERS = {"TINYINT": (-2**7, 2**7 - 1), "SMALLINT": (-2**15, 2**15 - 1), "INTEGER": (-2**31, 2**31 - 1),
            "BIGINT": (-2**63, 2**63 - 1), "HUGEINT": (-2**127, 2**127 - 1), "UTINYINT": (0, 2**8 - 1),
            "USMALLINT": (0, 2**16 - 1), "UINTEGER": (0, 2**32 - 1), "UBIGINT": (0, 2**64 - 1), "UHUGEINT": (0, 2**128 - 1)}
DAYS = ["0001-01-01", "1582-10-15", "1969-12-31", "1970-01-01", "2024-02-29", "2024-12-31"]
CLOCKS = ["00:00:00", "00:00:01", "12:34:56", "23:59:59"]
LONG = "x" * 300
TEXTS = ["", " ", "a", "A", "aa", "b", "NULL", "nan", "inf", "it's", "%", "_", '"', "\\", "0", "-1", "10", "9", "é", "grün", "日本語", "🦆" * 80,
         "\U0010ffff", "\U0010ffff" * 100, "z" * 256, "z" * 257, LONG, LONG + "a", LONG + "b", "a" + LONG, "2020-01-01", "true"]


def times(rnd, fraction):
    return [f"{day} {clock}{part}" for day in DAYS for clock in rnd.sample(CLOCKS, 2) for part in ("", fraction)] + [
        "infinity", "-infinity"]


def pools(rnd):
    """Of each type the texts of values, which a cast makes values of."""
    found = {name: [str(value) for value in {low, low + 1, high - 1, high, 0, 1, max(low, -1), rnd.randint(low, high), rnd.randint(low, high)}]
             for name, (low, high) in INTEGERS.items()}
    found["BOOLEAN"] = ["true", "false"]
    found["FLOAT"] = ["nan", "inf", "-inf", "0", "-0.0", "3.4028235e38", "-3.4028235e38", "1e-45", "0.1", "-0.1", "16777217", str(rnd.uniform(-9, 9))]
    found["DOUBLE"] = found["FLOAT"] + ["1.7976931348623157e308", "-1.7976931348623157e308", "5e-324", "0.30000000000000004", "9007199254740993"]
    for width, scale in ((4, 1), (9, 2), (18, 5), (38, 10), (38, 0)):
        most = "9" * (width - scale) + ("." + "9" * scale if scale else "")
        small = "0." + "0" * (scale - 1) + "1" if scale else "1"
        found[f"DECIMAL({width},{scale})"] = [most, "-" + most, "0", small, "-" + small, "1", "10", "9", str(rnd.randint(-999, 999))]
    found["DATE"] = DAYS + ["infinity", "-infinity", "5881580-07-10", "5877642-06-25 (BC)", "9999-12-31", "10000-01-01", "0044-03-15 (BC)"]
    found["TIME"] = CLOCKS + ["00:00:00.000001", "23:59:59.999999", "24:00:00", "09:59:59.5"]
    found["TIME_NS"] = CLOCKS + ["00:00:00.000000001", "23:59:59.999999999", "24:00:00"]
    found["TIMETZ"] = [clock + zone for clock in CLOCKS for zone in ("+00", "+02", "-15:59:59", "+15:59:59", "-03:30")] + ["24:00:00+00"]
    found["TIMESTAMP_S"] = times(rnd, "") + ["9999-12-31 23:59:59"]
    found["TIMESTAMP_MS"] = times(rnd, ".001") + ["9999-12-31 23:59:59.999"]
    # The very last ones have no instant in every zone.
    found["TIMESTAMP"] = times(rnd, ".000001") + ["294247-01-08 04:00:54.775806", "290308-12-24 (BC) 00:00:00", "9999-12-31 23:59:59.999999"]
    found["TIMESTAMP_NS"] = [f"{day} {clock}{part}" for day in DAYS[2:] for clock in CLOCKS for part in ("", ".000000001")] + [
        "1677-09-22 00:00:00", "2262-04-11 23:47:16.854775806", "infinity", "-infinity"]
    found["TIMESTAMPTZ"] = [text + zone for text in times(rnd, ".000001")[:-2] for zone in rnd.sample(["+00", "+14", "-11:30"], 1)] + [
        "infinity", "-infinity", "2024-03-31 01:30:00+00", "2024-10-27 00:30:00+00", "2024-10-27 01:30:00+00"]
    found["INTERVAL"] = ["0 days", "1 month", "30 days", "720 hours", "-1 microsecond", "1 microsecond", "-1 month", "29 days", "31 days",
                         "12 months", "360 days", "178956970 years", "-178956970 years", "1 day -1 microsecond"]
    found["VARCHAR"] = TEXTS
    found["JSON"] = ["null", "1", "{}", '{"a": 1}', '{"a": "' + LONG + '"}', "[]", '"x"', '"' + LONG + 'z"']
    found["BLOB"] = ["", "a", "b", "\\x00", "\\x00\\x00", "\\xFF", "\\xFF" * 300, "\\xFF" * 301, "ab", "61", "\\x61\\xFF", LONG, LONG + "\\x01", LONG + "\\xFF"]
    found["UUID"] = ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "7fffffff-ffff-ffff-ffff-ffffffffffff",
                     "80000000-0000-0000-0000-000000000000", "80000000-0000-0000-0000-000000000001", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"]
    found["ENUM('z', 'm', 'a', '')"] = ["z", "m", "a", ""]
    return found


# Of leaves inside of others, how a query reaches them.
NESTED = {
    "STRUCT(a {}, b STRUCT(c {}))": (("{{'a': {0}, 'b': {{'c': {0}}}}}", "{{'a': NULL, 'b': NULL}}"), ("{0}.a", "{0}.b.c")),
    "{}[]": (("[{0}, {0}]", "[]", "[NULL, {0}]"), ("{0}[1]", "list_last({0})")),
    "MAP(INTEGER, {})": (("MAP {{1: {0}}}", "MAP {{}}"), ("{0}[1]",)),
    "STRUCT(l {}[])": (("{{'l': [{0}]}}", "{{'l': NULL}}", "{{'l': []}}"), ("{0}.l[1]",)),
    "{}[2]": (("[{0}, NULL]", "[{0}, {0}]"), ("{0}[1]",)),
}

# What readers cast old files to, so long as every value has room.
WIDER = {"BOOLEAN": "INTEGER", "TINYINT": "BIGINT", "SMALLINT": "DOUBLE", "INTEGER": "DECIMAL(18,5)", "UTINYINT": "SMALLINT",
         "USMALLINT": "HUGEINT", "UINTEGER": "FLOAT", "UBIGINT": "HUGEINT", "BIGINT": "DOUBLE", "FLOAT": "DOUBLE",
         "DECIMAL(4,1)": "DECIMAL(38,10)", "DECIMAL(9,2)": "DOUBLE", "DATE": "TIMESTAMP", "TIMESTAMP_S": "TIMESTAMP",
         "TIMESTAMP_MS": "TIMESTAMP_NS", "TIMESTAMP": "TIMESTAMPTZ", "ENUM('z', 'm', 'a', '')": "ENUM('new', '', 'a', 'm', 'z')"}
EVERY_ZONE = ("UTC", "America/New_York", "Asia/Kathmandu")


class Column:
    def __init__(self, name, leaf, pool, nesting=None):
        self.name, self.leaf, self.nesting = name, leaf, nesting
        self.pool = sorted(pool)
        self.type = nesting.replace("{}", leaf) if nesting else leaf

    @staticmethod
    def text(value):
        return "'" + value.replace("'", "''") + "'"

    def literal(self, value):
        return f"{self.text(value)}::{self.leaf}"

    def value(self, rnd, near):
        if rnd.random() < 0.12:
            return "NULL"
        literal = self.literal(rnd.choice(near))
        shapes = NESTED[self.nesting][0] if self.nesting else ("{0}",)
        return rnd.choice(shapes).format(literal)

    def paths(self):
        return [path.format(self.name) for path in (NESTED[self.nesting][1] if self.nesting else ("{0}",))]

    def near(self, rnd):
        """A few neighbours, so that a file's bounds leave most comparisons out."""
        first = rnd.randrange(len(self.pool))
        return self.pool[first:first + rnd.choice((1, 1, 2, 3))]


def columns_of(rnd):
    found = pools(rnd)
    columns = [Column(f"c{i}", name, pool) for i, (name, pool) in enumerate(found.items())]
    for i, nesting in enumerate(NESTED):
        for k, leaf in enumerate(rnd.sample(sorted(found), 2)):
            columns.append(Column(f"n{i}_{k}", leaf, found[leaf], nesting))
    return columns


def predicate(rnd, column):
    path = rnd.choice(column.paths())
    one, two = (column.literal(rnd.choice(column.pool)) for _ in "ab")
    kind = rnd.randrange(12)
    if kind < 6:
        return f"{path} {('=', '<>', '<', '<=', '>', '>=')[kind]} {one}"
    return {6: f"{path} IN ({one}, {two})", 7: f"{path} BETWEEN {one} AND {two}", 8: f"{path} IS NOT DISTINCT FROM {one}",
            9: f"NOT ({path} < {one}) OR {path} = {two}", 10: rnd.choice((f"{path} IS NULL", f"{path} IS NOT NULL")),
            11: f"{path} > {one} AND {path} <= {two}"}[kind]


class Both:
    """A lake's table and its model in memory."""

    def __init__(self, catalog, extension, folder):
        home = folder / "home"
        home.mkdir()
        self.database = clients.Client("tarn", catalog, extension, home=str(home)).open()
        self.connection = self.database.connect()
        scheme = "sqlite:" if catalog == "sqlite" else ""
        self.run(f"ATTACH 'ducklake:{scheme}{folder}/lake.db' AS lake (DATA_PATH '{folder}/files', DATA_INLINING_ROW_LIMIT 4)")

    def close(self):
        self.connection.close()
        self.database.close()

    def run(self, sql):
        return self.connection.execute(sql).rows

    def change(self, sql):
        self.run(sql.replace("@", "memory."))
        self.run(sql.replace("@", "lake."))

    def compare(self, question):
        wanted, found = (sorted(self.run(question.replace("@", where))) for where in ("memory.", "lake."))
        assert found == wanted, f"{question}\n  the lake: {found}\n  but: {wanted}"


def insert(rnd, both, columns, ids):
    near = {column.name: column.near(rnd) for column in columns}
    rows = [", ".join([str(i)] + [column.value(rnd, near[column.name]) for column in columns]) for i in ids]
    both.change(f"INSERT INTO @t VALUES ({'), ('.join(rows)})")


def ask(rnd, both, columns, count):
    for column in columns:
        for _ in range(count):
            both.compare(f"SELECT id FROM @t WHERE {predicate(rnd, column)}")
        path = rnd.choice(column.paths())
        # Of equal values with different texts either may be the bound.
        if rnd.random() < 0.3 and column.leaf not in ("INTERVAL", "FLOAT", "DOUBLE"):
            both.compare(f"SELECT count(*), count({path}), min({path})::VARCHAR, max({path})::VARCHAR FROM @t")
            order = rnd.choice(("ASC", "DESC"))
            both.compare(f"SELECT {path}::VARCHAR FROM @t WHERE {path} IS NOT NULL ORDER BY {path} {order} LIMIT 2")
        if rnd.random() < 0.3:  # a join's filter
            both.compare(f"SELECT id FROM @t JOIN (SELECT unnest([{column.literal(rnd.choice(column.pool))}]) AS k) s ON {path} = k")


def seeds():
    first, _, last = os.environ.get("TARN_PRUNING_SEEDS", "1..2").partition("..")
    return range(int(first), int(last or first) + 1)


@pytest.mark.parametrize("seed", seeds())
def test_every_comparison_finds_its_rows(seed, tmp_path):
    rnd = random.Random(seed)
    both = Both(rnd.choice(("sqlite", "duckdb")), str(BUILD / "tarn.duckdb_extension"), tmp_path)
    try:
        both.run(f"SET TimeZone = '{EVERY_ZONE[seed % len(EVERY_ZONE)]}'")
        columns = columns_of(rnd)
        both.change(f"CREATE TABLE @t (id INTEGER, {', '.join(f'{column.name} {column.type}' for column in columns)})")
        for batch in range(10):
            insert(rnd, both, columns, range(batch * 10, batch * 10 + rnd.choice((2, 6))))
        ask(rnd, both, columns, 4)
        both.change(f"DELETE FROM @t WHERE id % 10 = {rnd.randrange(3)}")
        # In DuckDB's own tables an ALTER casts deleted rows, too.
        both.run("CREATE TABLE memory.live AS FROM memory.t")
        both.run("DROP TABLE memory.t")
        both.run("ALTER TABLE memory.live RENAME TO t")
        both.change(f"UPDATE @t SET id = id + 1000 WHERE id % 20 = {rnd.randrange(5)}")
        both.run("CALL ducklake_flush_inlined_data('lake')")
        ask(rnd, both, columns, 2)
        for column in columns:
            wider = WIDER.get(column.leaf)
            # DuckDB cannot alter an ENUM inside of its own tables.
            if not wider or rnd.random() < 0.3 or (column.nesting and "ENUM" in wider):
                continue
            target = column.nesting.replace("{}", wider) if column.nesting else wider
            change = f"ALTER TABLE @t ALTER {column.name} SET DATA TYPE {target}"
            try:
                both.run(change.replace("@", "lake."))
            except duck.SqlError as error:  # some values lie too far away
                assert "that type cannot hold" in str(error)
                continue
            both.run(change.replace("@", "memory."))
            column.leaf, column.type = wider, target
            if wider == "INTEGER":
                column.pool = ["0", "1"]
            column.pool = [text for text in column.pool if both.run(f"SELECT TRY_CAST({column.text(text)} AS {wider}) IS NOT NULL") == [("true",)]]
        insert(rnd, both, columns, range(500, 503))
        insert(rnd, both, columns, range(510, 516))
        ask(rnd, both, columns, 2)
        both.run(rnd.choice(("CALL ducklake_merge_adjacent_files('lake')", "CALL ducklake_rewrite_data_files('lake', delete_threshold => 0)",
                             "CALL ducklake_flush_inlined_data('lake')", "CHECKPOINT lake")))
        ask(rnd, both, columns, 2)
    finally:
        both.close()


# Always in files. Of the fields of a VARIANT some files have one type only, some several.
VARIANTS = ["NULL", "{i}::VARIANT", "({i} * 1e300)::VARIANT", "'nan'::DOUBLE::VARIANT", "('w' || {i})::VARIANT", "{{'k': {i}}}::VARIANT",
            "{{'k': 'w{i}'}}::VARIANT", "{{'k': {i}::DOUBLE, 'z': NULL}}::VARIANT", "{{'k': NULL}}::VARIANT", "[{i}, NULL]::VARIANT",
            "{{'k': {{'d': DATE '2020-01-01' + {i}}}}}::VARIANT", "true::VARIANT"]
SHAPES = ["NULL", "'POINT EMPTY'", "'POINT({i} -{i})'", "'POINT(-{i}.5 1e300)'", "'POINT Z (1 2 {i})'", "'LINESTRING(0 0, {i} {i})'",
          "'POLYGON((0 0, {i} 0, {i} {i}, 0 0))'", "'GEOMETRYCOLLECTION(POINT({i} 3), LINESTRING(1 1, 2 2))'", "'MULTIPOINT EMPTY'"]


@pytest.mark.parametrize("seed", seeds())
def test_variants_and_geometries_are_found(seed, tmp_path):
    rnd = random.Random(seed)
    both = Both("sqlite", str(BUILD / "tarn.duckdb_extension"), tmp_path)
    try:
        both.change("CREATE TABLE @t (id INTEGER, v VARIANT, g GEOMETRY)")
        for batch in range(12):
            kinds = rnd.sample(VARIANTS, rnd.choice((1, 1, 2))), rnd.sample(SHAPES, rnd.choice((1, 2)))
            rows = [(batch * 10 + i, *(rnd.choice(kind).format(i=rnd.randint(0, 40)) for kind in kinds)) for i in range(rnd.choice((1, 8)))]
            both.change("INSERT INTO @t VALUES " + ", ".join(f"({i}, {variant}, ({shape})::GEOMETRY)" for i, variant, shape in rows))
        for upkeep in (None, "DELETE FROM @t WHERE id % 4 = 1", "merge"):
            if upkeep == "merge":
                both.run("CALL ducklake_merge_adjacent_files('lake')")
            elif upkeep:
                both.change(upkeep)
            for _ in range(20):
                n, m, sign = rnd.randint(-1, 41), rnd.randint(-1, 41), rnd.choice(("=", "<>", "<", "<=", ">", ">="))
                variant = rnd.choice(("TRY_CAST(v AS BIGINT) {s} {n}", "TRY_CAST(v.k AS DOUBLE) {s} {n}", "v.k::VARCHAR {s} 'w{n}'", "v::VARCHAR = '{n}'",
                                      "v.k IS NULL", "v IS NOT NULL", "variant_typeof(v) LIKE 'OBJECT%'", "TRY_CAST(v.k.d AS DATE) {s} DATE '2020-01-01' + {n}"))
                both.compare("SELECT id FROM @t WHERE " + variant.format(s=sign, n=n))
                box = f"'LINESTRING({n} {-m}, {m} {n})'::GEOMETRY"
                both.compare("SELECT id FROM @t WHERE " + rnd.choice((f"g && {box}", f"NOT g && {box}", "g IS NULL", f"g = 'POINT({n} {-n})'::GEOMETRY",
                                                                     f"g::VARCHAR LIKE '%{n}%'")))
        both.compare("SELECT count(*), count(v), count(g) FROM @t")
    finally:
        both.close()
