"""What the reference client wrote, in every form that the format knows, is shown alike by Tarn, at every snapshot.

Each file below scenarios/ is a script of the reference. Its answers are the expected ones: rows with their row ids and
snapshots at each snapshot of the lake, listings, and filters. Afterwards Tarn must find the lake whole.
"""

import os
import re
from pathlib import Path

import pytest

import probes
from conftest import PROVE
from harness.clients import quoted
from sessions import Session

SCENARIOS = sorted((Path(__file__).resolve().parent / "scenarios").glob("*.sql"))


def read_scenario(path, folder):
    """The attach options and the statements of a script."""
    text = path.read_text(encoding="utf-8").replace("{FILES}", str(folder))
    options = re.search(r"^-- attach: (.*)$", text, re.M)
    body = "\n".join(line for line in text.split("\n") if not line.startswith("--"))
    return (options.group(1) if options else ""), [part.strip() for part in body.split(";\n") if part.strip()]


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_everything_shown_agrees(world, path, tmp_path):
    files = tmp_path / "files"
    files.mkdir()
    options, statements = read_scenario(path, files)
    if world.lake.attach.startswith("ducklake:postgres:"):  # where the reference cannot make a column of TIME_NS
        statements = [statement.replace("TIME_NS", "TIME") for statement in statements]
    world.script("reference", statements, options)
    asked = Asked()
    with world.session("reference") as reference:
        asked.ask(reference, probes.listing() + probes.now(reference) + probes.at_snapshots(reference))
        numbers = probes.snapshots(reference)
        for number in numbers[::max(1, len(numbers) // 5)]:
            asked.pin(world, reference, number)
            asked.ask(reference, probes.pinned(reference))
    # A DuckDB-file catalog can be open in one process only: so the questions are asked again in a second session.
    with world.session("tarn") as tarn:
        found = asked.differences(world, tarn)
    assert not found, f"{len(found)} of {len(asked)} answers differ:\n" + "\n".join(found[:12])
    world.check()


class Asked:
    """Questions, at the newest snapshot and with the lake attached at others, and the reference's answers."""

    def __init__(self):
        self._answers = {None: {}}
        self._pin = None

    def __len__(self):
        return sum(len(answers) for answers in self._answers.values())

    def pin(self, world, session, number):
        session.run("DETACH lake")
        session.run(f"ATTACH {quoted(world.lake.attach)} AS lake (SNAPSHOT_VERSION {number})")
        self._pin = number
        self._answers[number] = {}

    def ask(self, session, questions):
        for question in questions:
            self._answers[self._pin][question] = session.outcome(question)

    def differences(self, world, session):
        found = []
        for number, answers in list(self._answers.items()):
            if number is not None:
                self.pin(world, session, number)
            different = probes.differences(Remembered("reference", answers), session, answers)
            found += different if number is None else [f"attached at {number}: {text}" for text in different]
        return found


class Remembered:
    """Answers of a session that was closed."""

    def __init__(self, name, answers):
        self.name = name
        self._answers = answers

    def outcome(self, question):
        return self._answers[question]


@pytest.mark.skipif(PROVE, reason="the reference cannot read these rows back on SQLite")
def test_inlined_structs_are_read_whatever_their_text(world):
    """On SQLite the reference stores a struct as the text of an SQL literal, with casts and doubled quotes in it."""
    world.script("reference", [
        "CREATE TABLE lake.t (id INTEGER, s STRUCT(a VARCHAR, d DATE, f DOUBLE, n STRUCT(ts TIMESTAMP, u UUID)))",
        "INSERT INTO lake.t VALUES (1, {'a': 'it''s, {x}', 'd': DATE '2020-01-01', 'f': 'nan'::DOUBLE, 'n': "
        "{'ts': TIMESTAMP '2020-01-01 12:00:00.5', 'u': '7c9e6679-7425-40de-944b-e07fc1f90ae7'::UUID}}), (2, NULL), "
        "(3, {'a': NULL, 'd': NULL, 'f': 1.5, 'n': NULL})",
    ], "DATA_INLINING_ROW_LIMIT 100")
    with world.session("tarn") as tarn:
        assert tarn.run("SELECT id, s.a, s.d, s.f, s.n.ts, s.n.u FROM lake.t ORDER BY id") == [
            ("1", "it's, {x}", "2020-01-01", "nan", "2020-01-01 12:00:00.5", "7c9e6679-7425-40de-944b-e07fc1f90ae7"),
            ("2", None, None, None, None, None),
            ("3", None, None, "1.5", None, None)]


def test_relative_data_path(world, tmp_path):
    """A lake whose data path is relative to the working directory is found from the same directory."""
    attach = f"ATTACH '{world.lake.attach}' AS lake"
    with Session(world.reference, str(tmp_path)) as reference:
        reference.run(attach + " (DATA_PATH 'some/files', DATA_INLINING_ROW_LIMIT 0)")
        reference.run("CREATE TABLE lake.t AS SELECT range AS i FROM range(10)")
    with Session(world.tarn, str(tmp_path)) as tarn:
        tarn.run(attach)
        assert tarn.run("SELECT sum(i) FROM lake.t") == [("45",)]
        tarn.run("INSERT INTO lake.t SELECT range FROM range(100, 120)")
    with Session(world.reference, str(tmp_path)) as reference:
        reference.run(attach)
        assert reference.run("SELECT count(*) FROM lake.t") == [("30",)]
    assert len(os.listdir(tmp_path / "some/files/main/t")) == 2
