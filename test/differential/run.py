#!/usr/bin/env python3
"""Runs random programs on Tarn and on the reference, and prints each difference as the few statements that show it.

    run.py --build build/release --catalog sqlite --seeds 1..200 --statements 60
    ../harness/postgres.py run.py --catalog postgres
"""

import argparse
import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import generator
from shrink import as_sql, shrink
from two_lakes import Pair, ReferenceBroke

ROOT = Path(__file__).resolve().parents[2]


def small(pair, program, difference, versions, ignored):
    """The smallest program that shows the same difference, and the difference as it shows it."""
    best = [program, difference]

    def fails(candidate):
        try:
            found = pair.run(candidate, versions, ignored, difference.early())
        except ReferenceBroke:
            return False
        if found is None or found.signature() != difference.signature():
            return False
        best[:] = [candidate, found]
        return True

    if difference.early():
        program = replace(program, units=program.units[:difference.units])
    shrink(program, fails)
    return best


def main():
    parser = argparse.ArgumentParser(description="Random programs on Tarn and on the reference.")
    parser.add_argument("--build", type=Path, default=Path(os.environ.get("TARN_BUILD") or ROOT / "build/release"))
    parser.add_argument("--catalog", choices=["sqlite", "duckdb", "postgres"], default="sqlite")
    parser.add_argument("--seeds", default="1..20", help="one seed, or first..last")
    parser.add_argument("--statements", type=int, default=60)
    parser.add_argument("--ignore", default="", help="kinds of difference that are not told, with commas between")
    parser.add_argument("--versions", type=int, default=12, help="old versions compared in the end")
    parser.add_argument("--minutes", type=float, help="begin no further seed after this time")
    parser.add_argument("--no-shrink", action="store_true", help="print differences as they were found")
    parser.add_argument("--print", action="store_true", help="only print the programs")
    parser.add_argument("--prove", action="store_true", help="the reference plays Tarn's part, too: nothing may differ")
    options = parser.parse_args()
    first, _, last = options.seeds.partition("..")
    ignored = [kind.strip() for kind in options.ignore.split(",")]
    started = time.monotonic()
    ran = broke = failed = 0
    server = os.environ.get("TARN_TEST_POSTGRES")
    with Pair(options.catalog, options.build.resolve(), options.prove, server) as pair:
        for seed in range(int(first), int(last or first) + 1):
            if options.minutes and time.monotonic() - started > 60 * options.minutes:
                break
            program = generator.program(seed, options.catalog, options.statements)
            if options.print:
                print(as_sql(program))
                continue
            ran += 1
            try:
                difference = pair.run(program, options.versions, ignored)
            except ReferenceBroke as error:
                broke += 1
                print(f"-- seed {seed}: the reference broke: {str(error)[:300]}", flush=True)
                continue
            if difference is None:
                continue
            failed += 1
            if not options.no_shrink:
                program, difference = small(pair, program, difference, options.versions, ignored)
            print(f"-- seed {seed} on {options.catalog}\n{as_sql(program)}\n-- "
                  + str(difference).replace("\n", "\n-- ") + "\n", flush=True)
    print(f"{ran} programs, {failed} with differences, {broke} in which the reference broke "
          f"({time.monotonic() - started:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
