"""The kernel alone, without an engine, on lakes of the reference: `check` finds nothing, and plans count the rows that the
reference counts, for each table at many snapshots."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("TARN_BUILD") or HERE.parents[1] / "build/release").resolve()
DUMP = BUILD / "test/tarn_lake_dump"


def reference_lake(folder, catalog, *arguments):
    """Row counts by (snapshot, schema, table) of a new lake at folder/lake.db."""
    done = subprocess.run([sys.executable, HERE / "reference_lake.py", catalog, folder / "lake.db", *map(str, arguments)],
                          text=True, capture_output=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return {(snapshot, schema, table): rows for snapshot, schema, table, rows in json.loads(done.stdout)}


def dump(folder, catalog):
    done = subprocess.run([DUMP, catalog, folder / "lake.db"], text=True, capture_output=True, timeout=600)
    if done.returncode == 3:
        pytest.skip(f"this build has no driver for {catalog}")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.skipif(not DUMP.exists(), reason="the C++ tests were not built")
@pytest.mark.parametrize("catalog", ["sqlite", "duckdb"])
@pytest.mark.parametrize("expire", [(), ("expire", *range(2, 30), 40, 41)], ids=["whole", "expired"])
def test_lakes_of_the_reference_are_whole_and_counted(tmp_path, catalog, expire):
    expected = reference_lake(tmp_path, catalog, *expire)
    lines = dump(tmp_path, catalog)

    found = [line["what"] for line in lines if line["kind"] in ("error", "note")]
    # The reference leaves the delete file of a data file that it ends alive.
    assert [what for what in found if not what.endswith("is alive though its data file has ended.")] == []
    report, = [line for line in lines if line["kind"] == "report"]
    newest = max(snapshot for snapshot, *_ in expected)
    assert report["rows"] == sum(rows for (snapshot, *_), rows in expected.items() if snapshot == newest)

    plans = {(line["snapshot"], line["schema"], line["table"]): line for line in lines if line["kind"] == "plan"}
    assert plans.keys() >= expected.keys()
    wrong = {key: (plans[key], rows) for key, rows in expected.items()
             if plans[key].get("rows", rows) != rows or plans[key]["most"] < rows}
    assert wrong == {}
    # Files and deletes of several snapshots leave some counts to whoever opens them, but not most.
    assert sum("rows" in plan for plan in plans.values()) > 0.6 * len(plans)
