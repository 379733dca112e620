#!/usr/bin/env python3
"""Runs Tarn's test suites and sums them up in one closing line: `N passed, N failed`.

Each suite is a command that writes a JUnit report. A suite fails as a whole, counted as one failure
more, when it ends with an error that no test of its report explains, when it runs too long, or when
it ran no test at all: a suite that silently stopped testing must not look like one that passed.

    run_tests.py --build build/release              everything
    run_tests.py --build build/release --quick      the quick tier
    run_tests.py --build build/release unit sql     only the suites whose names begin like this
"""

import argparse
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Suite:
    name: str
    command: list
    quick: bool = False
    minutes: float = 10
    by_name: bool = False  # runs only when it is asked for
    environment: dict = field(default_factory=dict)


@dataclass
class Outcome:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    problem: str = ""


def count(report):
    """The outcome that a JUnit report tells."""
    outcome = Outcome()
    for case in ElementTree.parse(report).iter("testcase"):
        children = {child.tag for child in case}
        if children & {"failure", "error"}:
            outcome.failed += 1
        elif "skipped" in children:
            outcome.skipped += 1
        elif case.get("status") in ("fail", "notrun"):
            outcome.failed += 1
        else:
            outcome.passed += 1
    return outcome


def judge(report, code, timed_out=False):
    """What a suite amounts to, given its report and its exit code."""
    try:
        outcome = count(report)
    except (OSError, ElementTree.ParseError) as error:
        return Outcome(failed=1, problem=f"it left no readable report ({error}), exit code {code}")
    if timed_out:
        outcome.failed += 1
        outcome.problem = "it did not end in time"
    elif code != 0 and outcome.failed == 0:
        outcome.failed += 1
        outcome.problem = f"it ended with exit code {code}, which no failed test explains"
    elif outcome.passed + outcome.failed == 0:
        outcome.failed += 1
        outcome.problem = "it ran no test"
    return outcome


def suites(build, jobs):
    """All suites, in the order in which they run: what is quick to fail comes first."""
    python = sys.executable
    extension = str(build / "tarn.duckdb_extension")
    sql = [python, "test/sql/run.py", "-j", str(jobs), "--junit", "{report}"]
    on_tarn = sql + ["--extension", extension]
    sanitizers, preload = sanitized(build)
    found = [
        Suite("tools", pytest("test/tools"), quick=True),
        Suite("unit", [python, "test/harness/postgres.py", "ctest", "--test-dir", str(build), "-j", str(jobs), "--output-on-failure",
                       "--no-tests=error", "--output-junit", "{report}"], quick=True),
        Suite("loading", pytest("test/extension"), quick=True),
        Suite("sql-sqlite", on_tarn + ["--catalog", "sqlite"], quick=True, minutes=20),
        Suite("sql-duckdb", on_tarn + ["--catalog", "duckdb"], minutes=20),
        Suite("sql-postgres", on_tarn + ["--catalog", "postgres"], minutes=20),
        # What an installed extension may do otherwise: how it is found, and what is done first.
        Suite("sql-installed", on_tarn + ["--install", "test/sql/attach", "test/sql/functions", "test/sql/insert"]),
        # The same corpus with two copies of DuckDB in the process, as in clients that export none.
        Suite("sql-two-copies", on_tarn, minutes=20, environment={"TARN_LIBDUCKDB": str(build)}),
        Suite("sql-reference-sqlite", sql + ["--client", "reference", "--catalog", "sqlite"], minutes=20),
        # In the other databases the reference answers as in SQLite; run these by their names after changes of the corpus.
        Suite("sql-reference-duckdb", sql + ["--client", "reference", "--catalog", "duckdb"], minutes=20, by_name=True),
        Suite("sql-reference-postgres", sql + ["--client", "reference", "--catalog", "postgres"], minutes=20, by_name=True),
    ]
    # Every other folder of Python tests is a suite of its own.
    for folder in sorted(path for path in (ROOT / "test").iterdir() if path.is_dir()):
        if folder.name not in ("tools", "extension") and any(folder.rglob("test_*.py")):
            # Two clients wait for processes and disks more than they compute.
            parallel = (["-n", str(jobs), "--dist", "worksteal"]
                        if folder.name in ("differential", "golden", "interop") else [])
            found.append(Suite(folder.name, pytest(f"test/{folder.name}") + parallel,
                               quick=folder.name in ("sql", "shell"), minutes=20))
    if sanitizers == "thread":
        # libduckdb is not instrumented: what its threads do would all look like races.
        return found[:2]
    for suite in found:
        if suite.name not in ("tools", "unit"):
            suite.environment |= preload
    # Compilers and whatever else an installation is tried with would run with the sanitizer, too.
    return [suite for suite in found if not preload or suite.name != "install"]


def sanitized(build):
    """The sanitizers of a build, and what lets an uninstrumented client load its extension."""
    cache = build / "CMakeCache.txt"
    found = re.search(r"^TARN_SANITIZE:\w+=(.+)$", cache.read_text(), re.M) if cache.exists() else None
    if not found:
        return "", {}
    libraries = [subprocess.run(["g++", f"-print-file-name=lib{name}.so"], text=True, capture_output=True,
                                check=True).stdout.strip() for name in ("asan", "ubsan")]
    # Python itself leaks at exit by design.
    return found[1], {"LD_PRELOAD": " ".join(libraries), "ASAN_OPTIONS": "detect_leaks=0"}


def pytest(folder):
    return [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider", "--junitxml={report}", folder]


def run(suite, results, build):
    report = results / f"{suite.name}.xml"
    report.unlink(missing_ok=True)
    log = results / f"{suite.name}.log"
    command = [part.replace("{report}", str(report)) for part in suite.command]
    environment = os.environ | {"TARN_BUILD": str(build)} | suite.environment
    environment.setdefault("PYTHONDONTWRITEBYTECODE", "1")
    timed_out = False
    started = time.monotonic()
    with open(log, "wb") as output:
        try:
            code = subprocess.run(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=output, stderr=subprocess.STDOUT,
                                  timeout=60 * suite.minutes).returncode
        except subprocess.TimeoutExpired:
            code, timed_out = -1, True
        except OSError as error:
            output.write(str(error).encode())
            code = -1
    outcome = judge(report, code, timed_out)
    line = f"{suite.name:<22} {outcome.passed} ok, {outcome.failed} failed"
    line += f", {outcome.skipped} skipped" if outcome.skipped else ""
    print(f"{line}  ({time.monotonic() - started:.1f} s)", flush=True)
    if outcome.failed:
        text = log.read_text(errors="replace").strip().splitlines()
        if len(text) > 400:
            text = [f"(the first {len(text) - 400} lines are in {log})"] + text[-400:]
        print("".join(f"    | {line}\n" for line in text), end="")
        if outcome.problem:
            print(f"    suite {suite.name}: {outcome.problem}")
    return outcome


def main():
    parser = argparse.ArgumentParser(description="Runs Tarn's test suites.")
    parser.add_argument("only", nargs="*", help="beginnings of suite names; default: all suites")
    parser.add_argument("--build", type=Path, default=ROOT / "build/release", help="the built tree")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--quick", action="store_true", help="only the quick tier")
    options = parser.parse_args()
    build = options.build.resolve()
    chosen = [suite for suite in suites(build, options.jobs)
              if (suite.quick or not options.quick)
              and (suite.name.startswith(tuple(options.only)) if options.only else not suite.by_name)]
    if not chosen:
        sys.exit("no suite has such a name")
    results = build / "test-results"
    results.mkdir(parents=True, exist_ok=True)
    total = Outcome()
    for suite in chosen:
        outcome = run(suite, results, build)
        total.passed += outcome.passed
        total.failed += outcome.failed
        total.skipped += outcome.skipped
    print()
    print(f"{total.passed} passed, {total.failed} failed" +
          (f", {total.skipped} skipped" if total.skipped else ""))
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
