"""Reads test files in DuckDB's sqllogictest dialect, as far as the corpus uses it.

    statement ok|error|maybe [CONNECTION]      the SQL follows, up to an empty line or ----
    query TYPES [SORT|CONNECTION] [LABEL]      the SQL, ----, and the rows, columns separated by tabs or one per line
    loop VAR FROM TO / foreach VAR VALUE… / concurrentloop VAR FROM TO / endloop
    require NAME, sleep N milliseconds|seconds, restart, halt
    onlyif WORD, skipif WORD                   before a command: a client or a catalog

Comments of the form `# key: value` are directives to the runner, wherever they stand:

    # reference: fails — why                   the reference client is known to be wrong here
    # reference: fails (sqlite) — why          … with these catalogs only
    # reference: may fail — why                … now and then
    # check: off                               the test damages its lake on purpose
    # check: {TEMP_DIR}/other.db               one more lake to check
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

SORT_MODES = ("nosort", "rowsort", "valuesort")
LOOPS = ("loop", "foreach", "concurrentloop")


class SyntaxProblem(Exception):
    """The test file itself is wrong."""


@dataclass
class Command:
    """One command of a file; loops hold the commands of their body."""

    kind: str
    line: int
    words: list = field(default_factory=list)
    sql: str = ""
    expected: list | None = None  # lines below ----, None without it
    body: list = field(default_factory=list)
    conditions: list = field(default_factory=list)  # (onlyif|skipif, word)


@dataclass
class TestFile:
    path: str
    title: str
    commands: list
    directives: list  # (key, value)

    def values(self, key):
        return [value for name, value in self.directives if name == key]

    def reference_verdict(self, catalog):
        """What the reference client does with this file: 'passes', 'fails' or 'may fail'."""
        for value in self.values("reference"):
            match = re.match(r"(passes|fails|may fail)\s*(?:\(([^)]*)\))?", value)
            if not match:
                raise SyntaxProblem(f"{self.path}: unknown verdict '{value}'")
            if match.group(2) is None or catalog in _catalog_names(match.group(2)):
                return match.group(1)
        # The longer form: "Reference 1.5.5: passes (DuckDB file, PostgreSQL), fails (SQLite): why".
        for value in self.values("reference 1.5.5"):
            for verdict, catalogs in re.findall(r"(passes|fails) \(([^)]*)\)", value):
                if catalog in _catalog_names(catalogs):
                    return verdict
        return "passes"


def _catalog_names(text):
    return [name.strip().lower().replace(" file", "").replace("postgresql", "postgres") for name in text.split(",")]


class _Reader:
    def __init__(self, path):
        self.path = path
        self.lines = Path(path).read_text(encoding="utf-8").split("\n")
        self.at = 0
        self.directives = []

    def problem(self, text, line=None):
        return SyntaxProblem(f"{self.path}:{line or self.at}: {text}")

    def block(self):
        """The lines up to the next empty line."""
        lines = []
        while self.at < len(self.lines) and self.lines[self.at] != "":
            lines.append(self.lines[self.at])
            self.at += 1
        return lines

    def sql_and_expected(self, command):
        lines = self.block()
        if "----" in lines:
            cut = lines.index("----")
            command.sql, command.expected = "\n".join(lines[:cut]), lines[cut + 1:]
        else:
            command.sql = "\n".join(lines)
        if not command.sql:
            raise self.problem("a command without SQL", command.line)

    def commands(self, inside=None):
        found, conditions = [], []
        while self.at < len(self.lines):
            text = self.lines[self.at]
            self.at += 1
            if text.startswith("#"):
                match = re.match(r"#\s*(reference|Reference 1\.5\.5|check):\s*(.*)", text)
                if match:
                    self.directives.append((match.group(1).lower(), match.group(2)))
                continue
            words = text.split()
            if not words:
                continue
            if words[0] in ("onlyif", "skipif"):
                conditions += [(words[0], word) for word in words[1:]]
                continue
            command = Command(words[0], self.at, words[1:], conditions=conditions)
            conditions = []
            if command.kind in ("statement", "query"):
                if not command.words:
                    raise self.problem(f"{command.kind} of what?")
                self.sql_and_expected(command)
            elif command.kind in LOOPS:
                command.body = self.commands(inside=command)
            elif command.kind == "endloop":
                if inside is None:
                    raise self.problem("endloop without a loop")
                return found
            elif command.kind not in ("require", "sleep", "restart", "halt"):
                raise self.problem(f"unknown command '{command.kind}'")
            found.append(command)
        if inside is not None:
            raise self.problem("loop without endloop", inside.line)
        return found


def read(path):
    reader = _Reader(path)
    commands = reader.commands()
    first = reader.lines[0] if reader.lines else ""
    if not first.startswith("# "):
        raise SyntaxProblem(f"{path}: the first line must be a comment that says what must hold")
    return TestFile(str(path), first[2:], commands, reader.directives)
