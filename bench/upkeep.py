"""Expiring many snapshots, cleaning up after them, and the memory that a merge of large files takes, beside the reference client."""

import shutil
import statistics

from contender import Contender
from feed import show

KINDS = ("reference", "tarn")
CHECK = "SELECT count(*), sum(i), max(s), count(DISTINCT rowid) FROM lake.t"


def make_history(build, folder, snapshots):
    """A lake of so many snapshots, each with a file of its own; all of them have been merged into one file."""
    maker = Contender("tarn", build, folder)
    maker.attach()
    maker.run("CREATE TABLE lake.t (i BIGINT, s VARCHAR)")
    for number in range(0, snapshots, 500):
        maker.run(*(f"INSERT INTO lake.t VALUES ({row}, 'row {row}')" for row in range(number, number + 500)))
    maker.run("CALL ducklake_merge_adjacent_files('lake')")
    maker.close()
    return maker.folder


def expiry(build, folder, snapshots, runs):
    source = make_history(build, folder / "expiry-history", snapshots)
    times = {name: {kind: [] for kind in KINDS} for name in ("expire", "clean up", "and orphans")}
    answers = set()
    for run in range(runs):
        for kind in KINDS:
            contender = Contender(kind, build, folder / f"expiry-{kind}-{run}")
            shutil.copytree(source, contender.folder, dirs_exist_ok=True)
            contender.attach("OVERRIDE_DATA_PATH true")
            for name, call in (("expire", "CALL ducklake_expire_snapshots('lake', older_than => now())"),
                               ("clean up", "CALL ducklake_cleanup_old_files('lake', cleanup_all => true)"),
                               ("and orphans", "CALL ducklake_delete_orphaned_files('lake', cleanup_all => true)")):
                times[name][kind].append(contender.run(call)["seconds"] * 1000)
            files = len(list(contender.folder.glob("data/**/*.parquet")))
            answers.add((contender.run(CHECK)["fingerprint"], files))
            contender.close()
            shutil.rmtree(contender.folder)
    medians = {name: {kind: statistics.median(found) for kind, found in kinds.items()} for name, kinds in times.items()}
    show(f"Expiry of {snapshots} snapshots with a file each", medians, set() if len(answers) == 1 else set(times))
    return len(answers) == 1


def merge_memory(build, folder, gib):
    """Files of 100 MB that do not compress, merged up to the usual target size of 512 MB."""
    rows = 1_500_000
    print(f"\nMerge of {gib} GiB in files of about 100 MB: peak memory of the whole process")
    fine = True
    for kind in KINDS:
        maker = Contender(kind, build, folder / f"merge-{kind}")
        maker.attach()
        hashes = ", ".join(f"hash(range * 8 + {column}) AS c{column}" for column in range(8))
        maker.run(f"CREATE TABLE lake.t AS SELECT range AS i, {hashes} FROM range(0)")
        for number in range(gib * 10):
            maker.run(f"INSERT INTO lake.t SELECT range, {hashes} FROM range({number * rows}, {(number + 1) * rows})")
        maker.close()
        merger = Contender(kind, build, maker.folder)
        merger.attach()
        idle = merger.run("SELECT 1")["peak_kib"] / 1024
        answer = merger.run("CALL ducklake_merge_adjacent_files('lake')")
        peak = answer["peak_kib"] / 1024
        merger.close()
        shutil.rmtree(maker.folder)
        fine = fine and (peak < 1024 or kind != "tarn")
        print(f"{kind:>10}: {answer['seconds']:.1f} s, {answer['rows']} new files, peak {peak:.0f} MiB "
              f"of which {idle:.0f} MiB before the merge")
    return fine


def run(build, folder, snapshots, gib, runs):
    fine = expiry(build, folder, snapshots, runs)
    return merge_memory(build, folder, gib) and fine
