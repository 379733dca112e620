"""tools/run_tests.py is not fooled: silence, crashes and empty suites are failures."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import run_tests  # noqa: E402

PASSED = '<testcase name="a"/>'
FAILED = '<testcase name="b"><failure>no</failure></testcase>'
ERROR = '<testcase name="c"><error>no</error></testcase>'
SKIPPED = '<testcase name="d"><skipped/></testcase>'
NOT_RUN = '<testcase name="e" status="notrun"/>'
GTEST_SKIP = '<testcase name="f" status="notrun"><skipped/></testcase>'


@pytest.mark.parametrize("cases, code, passed, failed, skipped", [
    (PASSED * 3 + SKIPPED, 0, 3, 0, 1),
    (PASSED + FAILED + ERROR, 1, 1, 2, 0),
    (PASSED + FAILED, 0, 1, 1, 0),      # a failure counts whatever the exit code
    (PASSED, 1, 1, 1, 0),               # an exit code that no test explains
    ("", 0, 0, 1, 0),                   # no test at all
    (SKIPPED, 0, 0, 1, 1),              # all skipped is no test either
    (PASSED + NOT_RUN, 0, 1, 1, 0),
    (PASSED + GTEST_SKIP, 0, 1, 0, 1),
    (PASSED + GTEST_SKIP, 8, 1, 1, 1),  # ctest's way to say that a program is missing
])
def test_judge(tmp_path, cases, code, passed, failed, skipped):
    report = tmp_path / "report.xml"
    report.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    outcome = run_tests.judge(report, code)
    assert (outcome.passed, outcome.failed, outcome.skipped) == (passed, failed, skipped)


def test_missing_or_broken_report_is_a_failure(tmp_path):
    assert run_tests.judge(tmp_path / "absent.xml", 0).failed == 1
    broken = tmp_path / "broken.xml"
    broken.write_text("<testsuite><testcase")
    assert run_tests.judge(broken, 0).failed == 1


def test_timeout_is_a_failure(tmp_path):
    report = tmp_path / "report.xml"
    report.write_text(f"<testsuite>{PASSED}</testsuite>")
    assert run_tests.judge(report, -1, timed_out=True).failed == 1


def test_suite_names_differ():
    names = [suite.name for suite in run_tests.suites(Path("build"), 2)]
    assert len(names) == len(set(names))
