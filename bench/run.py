"""Runs the benchmarks side by side with plain Parquet and the reference client, and prints ratios.

Machines are noisy: contenders take turns query by query, and only ratios of medians mean anything.
"""

import argparse
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import changes  # noqa: E402
import commits  # noqa: E402
import compaction  # noqa: E402
import encryption  # noqa: E402
import feed  # noqa: E402
import inlining  # noqa: E402
import many_tables  # noqa: E402
import memory  # noqa: E402
import partitions  # noqa: E402
import planning  # noqa: E402
import registering  # noqa: E402
import shapes  # noqa: E402
import tpch  # noqa: E402
import upkeep  # noqa: E402
import writers  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="folder with tarn.duckdb_extension")
    parser.add_argument("--only", default="load,tpch,memory,changes,commits,writers,inlining,tables,shapes,feed,partitions,compaction,upkeep,registering,encryption,planning",
                        help="comma-separated: load, tpch, memory, changes, commits, writers, inlining, tables, shapes, feed, partitions, compaction, upkeep, registering, encryption, planning")
    parser.add_argument("--scale", type=float, default=1, help="TPC-H scale factor")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rows", type=int, default=60_000_000, help="rows of the memory benchmark")
    parser.add_argument("--memory-limit-mib", type=int, default=1024)
    parser.add_argument("--changed-rows", type=int, default=5_000_000, help="rows of the table that is changed")
    parser.add_argument("--commits", type=int, default=200, help="single-row transactions per round")
    parser.add_argument("--writer-seconds", type=float, default=5, help="that many writers write in each setting")
    parser.add_argument("--writer-cells", help="only these settings, comma-separated: " + ", ".join(writers.NAMES))
    parser.add_argument("--writer-kinds", default="reference,tarn", help="only one of both clients")
    parser.add_argument("--batches", type=int, default=1000, help="small batches that stay in the catalog")
    parser.add_argument("--tables", type=int, default=1000, help="tables of the lake that is attached")
    parser.add_argument("--snapshots", type=int, default=100_000, help="of the lake of which one snapshot's feed is read")
    parser.add_argument("--small-files", type=int, default=2000, help="files that are merged")
    parser.add_argument("--files", type=int, default=2000, help="files that are registered; then ten times as many")
    parser.add_argument("--listed-files", default="20000,500000,1000000", help="sizes of the tables whose files are planned")
    parser.add_argument("--expired", type=int, default=10_000, help="snapshots that are expired")
    parser.add_argument("--merge-gib", type=int, default=10, help="size of the files whose merge must not take much memory")
    parser.add_argument("--folder", type=pathlib.Path, help="keep data here instead of a temporary folder")
    args = parser.parse_args()
    scale = int(args.scale) if args.scale == int(args.scale) else args.scale
    folder = args.folder or pathlib.Path(tempfile.mkdtemp(prefix="tarn-bench-"))
    steps = {
        "load": lambda: tpch.run_load(args.build, folder, scale, args.runs),
        "tpch": lambda: tpch.run_queries(args.build, folder, scale, args.runs),
        "memory": lambda: memory.run(args.build, folder, args.rows, args.memory_limit_mib),
        "changes": lambda: changes.run(args.build, folder, args.changed_rows, args.runs),
        "commits": lambda: commits.run(args.build, folder, args.commits),
        "writers": lambda: writers.run(args.build, folder, args.writer_seconds, args.writer_kinds.split(","),
                                       args.writer_cells.split(",") if args.writer_cells else writers.NAMES),
        "inlining": lambda: inlining.run(args.build, folder, args.batches),
        "feed": lambda: feed.run(args.build, folder, args.changed_rows, args.snapshots, args.runs),
        "shapes": lambda: shapes.run(args.build, folder, 10 * args.tables, args.runs),
        "compaction": lambda: compaction.run(args.build, folder, args.changed_rows, args.small_files, min(args.runs, 3)),
        "upkeep": lambda: upkeep.run(args.build, folder, args.expired, args.merge_gib, min(args.runs, 3)),
        "partitions": lambda: partitions.run(args.build, folder, args.changed_rows, args.runs),
        "registering": lambda: registering.run(args.build, folder, args.files, args.runs),
        "encryption": lambda: encryption.run(args.build, folder, args.changed_rows, args.runs),
        "planning": lambda: planning.run(args.build, folder, [int(size) for size in args.listed_files.split(",")], args.runs),
        "tables": lambda: many_tables.run(args.build, folder, args.tables, args.runs),
    }
    fine = True
    try:
        for name in args.only.split(","):
            if name not in steps:
                parser.error(f"no benchmark '{name}': choose from {', '.join(steps)}")
            fine = steps[name]() and fine
    finally:
        if not args.folder:
            shutil.rmtree(folder, ignore_errors=True)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
