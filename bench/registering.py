"""Many small files that are there already become files of a table, beside the reference client, on SQLite."""

import statistics

from contender import Contender

KINDS = ("reference", "tarn")


def make_files(contender, folder, count):
    """`count` files of 20 rows and six columns: one is written, the others are its copies."""
    folder.mkdir(parents=True)
    first = folder / "0.parquet"
    contender.run(f"COPY (SELECT range AS id, range::INTEGER AS i, 'name ' || range AS name, range / 7 AS v, "
                  f"{{'x': range, 'y': 'y'}} AS s, [range] AS l FROM range(20)) TO '{first}' (FORMAT parquet)")
    content = first.read_bytes()
    for number in range(1, count):
        (folder / f"{number}.parquet").write_bytes(content)


def run(build, folder, count, runs):
    """Seconds for `count` files at once, and for ten times as many by Tarn alone."""
    folder = folder / "registering"
    contenders = [Contender(kind, build, folder / kind) for kind in KINDS]
    times = {kind: [] for kind in KINDS}
    for contender in contenders:
        contender.attach()
    make_files(contenders[0], folder / "files", count)
    make_files(contenders[0], folder / "more", count * 10)

    def add(contender, files, table):
        contender.run(f"CREATE TABLE lake.{table} (id BIGINT, i INTEGER, name VARCHAR, v DOUBLE, "
                      "s STRUCT(x BIGINT, y VARCHAR), l BIGINT[])")
        seconds = contender.run(f"CALL ducklake_add_data_files('lake', '{table}', '{files}/*.parquet')")["seconds"]
        rows = contender.run(f"SELECT count(*) FROM lake.{table}", values=True)["values"][0][0]
        contender.run(f"DROP TABLE lake.{table}")
        return seconds, rows

    fine = True
    for number in range(runs):
        for contender in contenders:
            # A file is in a lake once: each run has names of its own.
            files = folder / "files"
            renamed = folder / f"files-{contender.kind}-{number}"
            files.rename(renamed)
            seconds, rows = add(contender, renamed, f"t{number}")
            renamed.rename(files)
            times[contender.kind].append(seconds)
            fine = fine and rows == 20 * count
    many, rows = add(contenders[1], folder / "more", "many")
    fine = fine and rows == 200 * count
    for contender in contenders:
        contender.close()
    theirs, ours = (statistics.median(times[kind]) for kind in KINDS)
    print(f"\nAdding {count} small files that are there already, on SQLite; seconds, medians; ratio = tarn / reference")
    print(f"{count:>12} files: reference {theirs:.2f}, tarn {ours:.2f}, ratio {ours / theirs:.2f}")
    print(f"{count * 10:>12} files: tarn {many:.2f}, {many / ours:.1f} times as long")
    if not fine:
        print("              the tables have OTHER rows than their files")
    return fine
