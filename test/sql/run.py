#!/usr/bin/env python3
"""Runs the SQL corpus in stock Python DuckDB, with Tarn's extension or with the reference client.

    run.py --extension build/release/tarn.duckdb_extension [--catalog sqlite] [-j 2] [FILE|FOLDER|PATTERN…]
    run.py --client reference --catalog duckdb

Each file has a lake of its own, made from nothing, and a process of its own: when that crashes or hangs, one file has
failed and the rest go on. After a file has passed on Tarn, `tarn check` must find its lake whole. What the reference
client is known to get wrong is marked in the file (see harness/sqllogic.py), and then it must fail there.
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from harness import clients, postgres, sqllogic  # noqa: E402


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description="Runs the SQL corpus.")
    parser.add_argument("what", nargs="*", help="files, folders, or patterns of names; default: the whole corpus")
    parser.add_argument("--client", choices=clients.CLIENTS, default="tarn")
    parser.add_argument("--extension", help="path of tarn.duckdb_extension")
    parser.add_argument("--tarn", help="path of the tarn command; default: beside the extension")
    parser.add_argument("--no-check", action="store_true", help="do not run `tarn check` after each file")
    parser.add_argument("--catalog", choices=clients.CATALOGS, default="sqlite")
    parser.add_argument("--postgres", default=os.environ.get("TARN_TEST_POSTGRES"),
                        help="connection string of a PostgreSQL server, without a database name; default: "
                             "$TARN_TEST_POSTGRES, else a server is started")
    parser.add_argument("--install", action="store_true",
                        help="INSTALL the extension in one process and LOAD it by name in the others")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="files at the same time")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one file")
    parser.add_argument("--junit", help="write a JUnit report to this file")
    parser.add_argument("--keep", action="store_true", help="keep the folders of the lakes and say where they are")
    parser.add_argument("-v", "--verbose", action="store_true", help="name the files that passed, too")
    options = parser.parse_args(arguments)
    if options.client == "tarn":
        if not options.extension:
            parser.error("--client tarn needs --extension")
        options.extension = os.path.abspath(options.extension)
        if not os.path.exists(options.extension):
            parser.error(f"{options.extension} does not exist")
        if not options.tarn:
            options.tarn = str(Path(options.extension).parent / "tarn")
        if not options.no_check and not os.path.exists(options.tarn):
            parser.error(f"{options.tarn} does not exist; name the tarn command with --tarn, or use --no-check")
    return options


def find_files(what):
    corpus = sorted(HERE.rglob("*.test"))
    if not what:
        return corpus
    found = []
    for word in what:
        path = Path(word)
        if path.is_dir():
            found += sorted(path.rglob("*.test"))
        elif path.is_file():
            found.append(path)
        else:
            matching = [file for file in corpus
                        if fnmatch.fnmatch(str(file.relative_to(HERE)), f"*{word}*")]
            if not matching:
                sys.exit(f"no test file matches '{word}'")
            found += matching
    return list(dict.fromkeys(found))


def run_worker(job, timeout, worker=HERE / "worker.py"):
    """Runs one job in a fresh process; returns its answer, or a failure if it crashed or hung."""
    process = subprocess.Popen([sys.executable, str(worker)], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=job["folder"],
                               start_new_session=True)
    try:
        output, errors = process.communicate(json.dumps(job).encode(), timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return {"verdict": "failed", "text": f"no end after {timeout:g} seconds"}
    if process.returncode == 0:
        try:
            return json.loads(output.decode("utf-8", "surrogateescape").splitlines()[-1])
        except (ValueError, IndexError):
            pass
    ended = f"ended with {process.returncode}" if process.returncode >= 0 else f"killed by signal {-process.returncode}"
    return {"verdict": "failed", "text": f"the process {ended}\n" + errors.decode(errors="replace")[-4000:]}


def check_lakes(options, test, lake):
    """What `tarn check` has against the lakes of a test; None when they are whole."""
    targets = [value for value in test.values("check")]
    if "off" in targets:
        return None
    names = [value.replace("{TEMP_DIR}", lake.scratch) for value in targets]
    if lake.exists():
        names.append(lake.check)
    for name in names:
        try:
            done = subprocess.run([options.tarn, "check", name], capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            return f"tarn check {name} did not end"
        if done.returncode != 0:
            return f"tarn check {name} ended with {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return None


def run_file(options, path, number, folder, installed_in):
    started = time.monotonic()
    name = os.path.relpath(path, HERE) if path.is_relative_to(HERE) else str(path)
    try:
        test = sqllogic.read(path)
        expected = test.reference_verdict(options.catalog) if options.client == "reference" else "passes"
    except sqllogic.SyntaxProblem as problem:
        return name, "failed", str(problem), 0.0
    place = Path(folder) / f"{number:04d}-{path.stem}"
    lake = clients.new_lake(options.catalog, place, options.postgres, f"tarn_test_{os.getpid()}_{number}")
    home = place / "home"
    home.mkdir()
    job = {
        "test": str(path.resolve()), "client": options.client, "catalog": options.catalog,
        "extension": options.extension, "installed_in": installed_in, "home": str(home),
        "folder": str(place), "lake": vars(lake),
    }
    answer = run_worker(job, options.timeout)
    verdict, text = answer["verdict"], answer["text"]
    if verdict == "passed" and options.client == "tarn" and not options.no_check:
        complaint = check_lakes(options, test, lake)
        if complaint:
            verdict, text = "failed", complaint
    if expected == "fails":
        if verdict == "failed":
            verdict, text = "passed", "fails, as the file says: " + text.partition("\n")[0]
        elif verdict == "passed":
            verdict, text = "failed", "the file says that the reference fails here, but it passed"
    elif expected == "may fail" and verdict == "failed":
        verdict, text = "passed", "failed, as the file says it may: " + text.partition("\n")[0]
    if options.catalog == "postgres":
        clients.drop_database(options.postgres, f"tarn_test_{os.getpid()}_{number}")
    if options.keep:
        text += f"\n(kept in {place})"
    else:
        shutil.rmtree(place, ignore_errors=True)
    return name, verdict, text, time.monotonic() - started


def install(options, folder):
    """INSTALLs the extension into a folder of its own, in a process of its own."""
    target = os.path.join(folder, "installed")
    home = os.path.join(folder, "installer")
    os.makedirs(home)
    answer = run_worker({"install": options.extension, "into": target, "folder": home}, 60)
    if answer["verdict"] != "passed":
        sys.exit(f"INSTALL failed: {answer['text']}")
    return target


def write_junit(path, outcomes):
    suite = ElementTree.Element("testsuite", name="sql", tests=str(len(outcomes)),
                                failures=str(sum(verdict == "failed" for _, verdict, _, _ in outcomes)))
    for name, verdict, text, seconds in outcomes:
        case = ElementTree.SubElement(suite, "testcase", name=name, time=f"{seconds:.3f}")
        if verdict != "passed":
            ElementTree.SubElement(case, "failure" if verdict == "failed" else "skipped").text = text
    ElementTree.ElementTree(suite).write(path, encoding="unicode")


def report(outcome, verbose):
    name, verdict, text, seconds = outcome
    if verdict == "failed":
        print(f"FAILED  {name}\n    " + text.strip().replace("\n", "\n    "), flush=True)
    elif verdict == "skipped":
        print(f"skipped {name}: {text}", flush=True)
    elif verbose:
        print(f"passed  {name} ({seconds:.1f} s) {text}", flush=True)


def main(arguments=None):
    options = parse_arguments(arguments)
    files = find_files(options.what)
    if options.catalog == "postgres" and not options.postgres:
        with postgres.Server() as server:
            options.postgres = server.dsn
            return run_all(options, files)
    return run_all(options, files)


def run_all(options, files):
    folder = tempfile.mkdtemp(prefix="tarn-sql-")
    outcomes = []
    try:
        installed_in = install(options, folder) if options.install else None
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            waiting = [pool.submit(run_file, options, path, number, folder, installed_in)
                       for number, path in enumerate(files)]
            for done in waiting:
                outcomes.append(done.result())
                report(outcomes[-1], options.verbose)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    if options.junit:
        write_junit(options.junit, outcomes)
    count = {verdict: sum(outcome[1] == verdict for outcome in outcomes)
             for verdict in ("passed", "failed", "skipped")}
    if count["skipped"]:
        print(f"{count['skipped']} skipped")
    print(f"{count['passed']} passed, {count['failed']} failed")
    return 1 if count["failed"] or not outcomes else 0


if __name__ == "__main__":
    sys.exit(main())
