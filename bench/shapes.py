"""Tables of unusual shapes, and a lake of very many: attach, describe, and one column, by processes that start anew."""

from contender import Contender
from many_tables import measure

VERSIONS = 10
DEEP = 50


def many_versions(files):
    """`files` data files, written in ten shapes of the table."""
    statements = ["CREATE TABLE lake.t (i INTEGER, s VARCHAR)"]
    for version in range(VERSIONS):
        statements += [f"INSERT INTO lake.t (i, s) SELECT range, 'row ' || range FROM range({file} * 100, {file} * 100 + 100)"
                       for file in range(version * files // VERSIONS, (version + 1) * files // VERSIONS)]
        statements += [f"ALTER TABLE lake.t ADD COLUMN added_{version} INTEGER DEFAULT {version}",
                       f"ALTER TABLE lake.t RENAME COLUMN added_{version} TO kept_{version}"]
    return statements


def wide(columns):
    names = ", ".join(f"column_{n} INTEGER" for n in range(columns))
    return [f"CREATE TABLE lake.t ({names})", "INSERT INTO lake.t (column_7) SELECT range FROM range(1000)"]


def deep():
    kind = "INTEGER"
    value = "range"
    for level in reversed(range(DEEP)):
        kind = f"STRUCT(f{level} {kind})"
        value = f"{{'f{level}': {value}}}"
    return [f"CREATE TABLE lake.t (s {kind})", f"INSERT INTO lake.t SELECT {value} FROM range(1000)"]


def many_tables(tables):
    return ["BEGIN", *[f"CREATE TABLE lake.t{n} AS SELECT {n} AS i, 'x' AS s" for n in range(tables)], "COMMIT"]


def run(build, folder, tables, runs):
    print(f"\nShapes, SQLite catalog, median of {runs} fresh processes, seconds; ratio = reference / tarn")
    innermost = "s." + ".".join(f"f{level}" for level in range(DEEP))
    shapes = {
        "1,000 files of 10 versions": (many_versions(1000), "t", "sum(kept_4)"),
        "2,000 columns": (wide(2000), "t", "sum(column_7)"),
        f"structs {DEEP} deep": (deep(), "t", f"sum({innermost})"),
        f"{tables:,} tables": (many_tables(tables), f"t{tables // 2}", "sum(i)"),
    }
    fine = True
    for number, (name, (statements, table, answer)) in enumerate(shapes.items()):
        place = folder / f"shapes-{number}"
        maker = Contender("tarn", build, place)
        maker.attach()
        maker.run(*statements)
        maker.close()
        for step, sql in (("attach", []), ("describe", [f"SELECT column_name, column_type FROM (DESCRIBE lake.{table})"]),
                          ("one column", [f"SELECT {answer} FROM lake.{table}"])):
            medians, equal = measure(build, place, None, runs, *sql)
            fine = fine and equal
            print(f"{name:>26}, {step:>10}: reference {medians['reference']:.3f}, tarn {medians['tarn']:.3f}, "
                  f"ratio {medians['reference'] / medians['tarn']:.2f}{'' if equal else ', results DIFFER'}")
    return fine
