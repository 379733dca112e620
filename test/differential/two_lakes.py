"""Runs one program on a lake of Tarn and on one of the reference, and compares everything that both answer."""

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TEST = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TEST), str(TEST / "interop")]

import known  # noqa: E402
from generator import MARKS, SESSION  # noqa: E402
from layout import FILES  # noqa: E402
from harness import clients  # noqa: E402
from sessions import ClientEnded, Session  # noqa: E402

# What the reference inlines Tarn may write as files, and the other way round: the same change.
_CHANGE_WORDS = {"inlined_insert": "tables_inserted_into", "inlined_delete": "tables_deleted_from"}

# Ids of one transaction may be given out in another order, so they are told as what they name. The reference also says of
# a table that it was altered in the transaction that made it.
_CHANGES = """SELECT snapshot_id, key, coalesce(first(name ORDER BY begin_snapshot), value)
FROM (SELECT snapshot_id, entry.key AS key, unnest(entry.value) AS value
  FROM (SELECT snapshot_id, unnest(map_entries(changes)) AS entry FROM ducklake_snapshots('lake')))
LEFT JOIN (SELECT table_id::VARCHAR AS id, 'table ' || table_name AS name, begin_snapshot
    FROM __ducklake_metadata_lake.ducklake_table
  UNION ALL SELECT view_id::VARCHAR, 'view ' || view_name, begin_snapshot FROM __ducklake_metadata_lake.ducklake_view
  UNION ALL SELECT schema_id::VARCHAR, 'schema ' || schema_name, begin_snapshot
    FROM __ducklake_metadata_lake.ducklake_schema) ON value = id
WHERE NOT (key = 'tables_altered' AND snapshot_id = (SELECT min(t.begin_snapshot)
    FROM __ducklake_metadata_lake.ducklake_table t WHERE t.table_id::VARCHAR = value))
GROUP BY snapshot_id, key, value"""

LISTING = [
    "SELECT schema_name, table_name, column_count, comment FROM duckdb_tables() WHERE database_name = 'lake'",
    "SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = 'lake' AND NOT internal",
    "SELECT schema_name, table_name, column_name, column_index, data_type, is_nullable, column_default, comment "
    "FROM duckdb_columns() WHERE database_name = 'lake' AND NOT internal AND "
    "table_name NOT IN (SELECT view_name FROM duckdb_views() WHERE database_name = 'lake')",
    "SELECT schema_name FROM duckdb_schemas() WHERE database_name = 'lake'",
]

_ALIVE = """SELECT s.schema_name, o.table_name
FROM __ducklake_metadata_lake.ducklake_table o JOIN __ducklake_metadata_lake.ducklake_schema s USING (schema_id)
WHERE {at} >= o.begin_snapshot AND (o.end_snapshot IS NULL OR {at} < o.end_snapshot)
  AND {at} >= s.begin_snapshot AND (s.end_snapshot IS NULL OR {at} < s.end_snapshot)"""


class ReferenceBroke(Exception):
    """The reference ended or hit an internal error of its own: nothing more can be compared."""


@dataclass
class Difference:
    """What was asked when the answers differed, and both answers."""

    kind: str
    question: str
    tarn: tuple
    reference: tuple
    units: int = 0  # so many units of the program had run

    def early(self):
        """Whether it shows while the program runs, not only in the end."""
        return self.kind in ("statement", "upkeep", "rows", "snapshots")

    def signature(self):
        """What a smaller program must show to be the same difference."""
        def sort(answer):
            if answer[0] != "error":
                return answer[0]
            return "".join(letter for letter in answer[1][:40] if letter.isalpha())
        return self.kind, sort(self.tarn), sort(self.reference)

    def __str__(self):
        tarn, reference = self.tarn, self.reference
        if tarn[0] == reference[0] == "rows":
            only = ([row for row in tarn[1] if row not in reference[1]],
                    [row for row in reference[1] if row not in tarn[1]])
            if any(only):
                tarn, reference = (("only", rows[:6]) for rows in only)
        return f"{self.kind}: {self.question}\n  tarn:      {str(tarn)[:900]}\n  reference: {str(reference)[:900]}"


def _name(text):
    return '"' + text.replace('"', '""') + '"'


def _outcome(session, sql, connection=None):
    answer = session._ask({"sql": sql, "connection": connection})
    if "error" in answer:
        return "error", answer["error"].partition("\n")[0]
    return "rows", sorted(["NULL" if value is None else str(value) for value in row] for row in answer["rows"])


class Pair:
    """A process of each client, used for one program after the other, with new lakes for each."""

    def __init__(self, catalog, build, prove=False, postgres=None):
        self._catalog = catalog
        self._build = Path(build)
        self._prove = prove  # the reference plays Tarn's part, too: the comparison proves itself
        self._postgres = postgres  # the server's connection string, without a database
        self._home = tempfile.TemporaryDirectory(prefix="differential-")
        self._sessions = {}

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self._end()
        self._home.cleanup()

    def _end(self):
        for session in self._sessions.values():
            try:
                session.close()
            except (ClientEnded, OSError):
                continue
        self._sessions = {}

    def _session(self, who):
        if who not in self._sessions:
            played = "reference" if self._prove else who
            client = clients.Client(played, self._catalog, str(self._build / "tarn.duckdb_extension"),
                                    home=self._home.name)
            self._sessions[who] = Session(client, self._home.name)
            self._sessions[who].run("SET threads = 1")
        return self._sessions[who]

    def run(self, program, versions=12, ignored=(), early=False):
        """The first difference of no ignored kind, or None. Compares the tables at up to so many old versions;
        `early`: only what shows while the program runs."""
        folder = Path(tempfile.mkdtemp(dir=self._home.name))
        run = None
        try:
            run = _Run(self, program, folder, versions, early)
            return run.first(ignored)
        except ClientEnded as ended:
            self._sessions, left = {}, self._sessions
            for session in left.values():
                session._process.kill()
            if "reference" in str(ended)[:20]:
                raise ReferenceBroke(str(ended)) from ended
            return Difference("crash", run.last if run else "", ("error", str(ended)), ("rows", []))
        except ReferenceBroke:
            self._end()
            raise
        finally:
            if run and self._sessions:
                try:
                    run.detach()
                except (ClientEnded, OSError):
                    self._end()
            shutil.rmtree(folder, ignore_errors=True)

    def new_lakes(self, folder):
        return {who: clients.new_lake(self._catalog, folder / who, self._postgres, f"differs_{who}")
                for who in ("tarn", "reference")}

    def check(self, lake):
        """What `tarn check --deep` finds, or None."""
        if self._prove:
            return None
        done = subprocess.run([self._build / "tarn", "check", lake.check, "--deep"], capture_output=True, text=True,
                              timeout=120)
        return None if done.returncode == 0 else (done.stdout + done.stderr)[-2000:]


class _Run:
    def __init__(self, pair, program, folder, versions, early):
        self._pair = pair
        self._program = program
        self._versions = versions
        self._early = early
        self._row_id = "rowid, " if program.compares_row_ids else ""
        self._lakes = pair.new_lakes(folder)
        self._files = {who: folder / f"{who}-files" for who in self._lakes}
        for files in self._files.values():
            files.mkdir()
        self._attached = set()
        self.last = ""
        self.units = 0

    def first(self, ignored):
        for who in self._lakes:
            self._attach(who, self._lakes[who])
        found = next((found for found in self._differences() if found.kind not in ignored), None)
        if found is not None:
            found.units = self.units
        return found

    def _differences(self):
        for unit in self._program.units:
            self.units += 1
            yield from self._unit(unit)
        if self._early:
            return
        yield from self._end()
        answers = {question: _outcome(self._pair._session("tarn"), question) for question in self._history("rowid, ")}
        self.detach()
        trouble = self._pair.check(self._lakes["tarn"])
        if trouble:
            yield Difference("check", "tarn check --deep", ("error", trouble), ("rows", []))
        self._attach("reference", self._lakes["tarn"])
        for question, answer in answers.items():
            self.last = question
            other = self._guard(_outcome(self._pair._session("reference"), question))
            if answer != other and not known.reason(question, answer, other):
                yield Difference("reference reads Tarn's lake", question, answer, other)

    def _attach(self, who, lake):
        options = ", ".join(filter(None, [f"DATA_PATH {clients.quoted(lake.data)}", self._program.attach]))
        self._pair._session(who).run(f"ATTACH {clients.quoted(lake.attach)} AS lake ({options})")
        self._attached.add(who)

    def detach(self):
        for who in list(self._attached):
            session = self._pair._session(who)
            for connection in ("a", "b"):
                _outcome(session, "ROLLBACK", connection)
            _outcome(session, "DETACH lake")
            self._attached.discard(who)

    def _guard(self, answer):
        if answer[0] == "error" and answer[1].startswith(("INTERNAL", "FATAL")):
            raise ReferenceBroke(f"{answer[1]}\n{self.last}")
        return answer

    def _ask(self, kind, sql, connection=None, rows=True):
        """Both answers to one statement; a difference if they are not alike, or without `rows` if only one succeeds."""
        self.last = sql
        tarn = _outcome(self._pair._session("tarn"), sql.replace(FILES, str(self._files["tarn"])), connection)
        if tarn[0] == "error" and ("Internal error in Tarn" in tarn[1] or tarn[1].startswith(("INTERNAL", "FATAL"))):
            self._pair._end()
            self._attached = set()
            yield Difference("internal error", sql, tarn, ("rows", []))
            return
        reference = self._guard(_outcome(self._pair._session("reference"),
                                         sql.replace(FILES, str(self._files["reference"])), connection))
        if (tarn[0] != reference[0] or rows and tarn[0] == "rows" and tarn != reference) and not known.reason(
                sql, tarn, reference):
            yield Difference(kind, sql, tarn, reference)

    def _unit(self, unit):
        touched = {}
        for step in unit:
            if step.sql == SESSION:
                self.detach()
                for who in self._lakes:
                    self._attach(who, self._lakes[who])
                continue
            yield from self._upkeep(step.sql) if step.upkeep else self._ask("statement", step.sql, step.connection)
            touched.update(dict.fromkeys(step.touches))
        for table in touched:
            yield from self._ask("rows", f"SELECT {self._row_id}* FROM {table}")
        if touched:
            yield from self._ask("snapshots", "SELECT max(snapshot_id), max(schema_version) "
                                              "FROM ducklake_snapshots('lake')")

    def _upkeep(self, sql):
        """Both look after their lake, and have as many snapshots afterwards: marks are for what one of them needs less."""
        yield from self._ask("upkeep", sql, rows=False)
        last = {who: self._last_snapshot(who) for who in self._lakes}
        for who, at in last.items():
            for _ in range(max(last.values()) - at):
                self._pair._session(who).run(f"INSERT INTO {MARKS} VALUES (-1)")

    def _last_snapshot(self, who):
        return int(self._pair._session(who).run("SELECT max(snapshot_id) FROM ducklake_snapshots('lake')")[0][0])

    def _end(self):
        for question in LISTING:
            yield from self._ask("listing", question)
        if not self._program.has_upkeep:
            yield from self._changed()
        for question in self._history(self._row_id):
            yield from self._ask("old version", question)

    def _changed(self):
        self.last = _CHANGES
        tarn, reference = (self._changes(who) for who in ("tarn", "reference"))
        if tarn[0] == reference[0] == "rows":
            told = {word[:3] for word in tarn[1]}
            tarn = "rows", sorted(told)
            reference = "rows", sorted({word[:3] for word in reference[1] if word[:3] in told or not word[3]})
        if tarn != reference and not known.reason(_CHANGES, tarn, reference):
            yield Difference("changes", _CHANGES, tarn, reference)

    def _changes(self, who):
        kind, rows = _outcome(self._pair._session(who), _CHANGES)
        if kind == "error":
            return kind, rows
        dropped = {(row[0], row[2]) for row in rows if row[1] == "tables_dropped"}
        # Of a table that the same transaction drops, nothing else matters: the reference also tells its rows. It also
        # tells of inlined rows that their own transaction deleted again: the last part says that this may be so.
        return kind, sorted({(int(row[0]), _CHANGE_WORDS.get(row[1], row[1]), row[2], row[1] == "inlined_insert")
                             for row in rows if row[1] == "tables_dropped" or (row[0], row[2]) not in dropped})

    def _history(self, row_id):
        """Questions for all rows of every table at some versions, the newest among them."""
        session = self._pair._session("tarn")
        last = self._last_snapshot("tarn")
        stride = max(1, -(-last // self._versions))
        for at in range(last, 0, -stride):
            for schema, table in session.run(_ALIVE.format(at=at) + " ORDER BY ALL"):
                if self._program.has_upkeep and f"lake.{schema}.{table}" == MARKS:
                    continue
                source = f"lake.{_name(schema)}.{_name(table)} AT (VERSION => {at})"
                yield f"SELECT {row_id}snapshot_id, * FROM {source}"
                yield f"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {source})"
