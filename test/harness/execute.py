"""Runs the commands of one test file against one client and stops at the first that does not hold."""

import re
import threading
import time
from decimal import Decimal, InvalidOperation

from harness import duck, sqllogic

# Extensions that stock DuckDB for Python has built in, and the format's own name, which both clients answer to.
_BUILT_IN = ("parquet", "json", "icu", "core_functions", "ducklake")


class Failure(Exception):
    """A test does not hold; the text says where and what."""


class Skipped(Exception):
    """The file needs something that is not here."""


class _Halt(Exception):
    pass


def shown(value):
    """A value as it stands in a test file."""
    if value is None:
        return "NULL"
    if value == "":
        return "(empty)"
    return value.replace("\0", "\\0").replace("\n", "\\n")


def _number(text, kind):
    try:
        return float(text) if kind in duck.FLOATS else Decimal(text)
    except (ValueError, InvalidOperation):
        return None


def same(value, expected, kind):
    """Whether a value of a DuckDB type is the one that a test file expects."""
    if expected.startswith("<REGEX>:"):
        return re.fullmatch(expected[8:], "NULL" if value is None else value, re.DOTALL) is not None
    if expected.startswith("<!REGEX>:"):
        return re.fullmatch(expected[9:], "NULL" if value is None else value, re.DOTALL) is None
    text = shown(value)
    if text == expected:
        return True
    if value is None:
        return False
    if kind == duck.BOOLEAN:
        return {"true": "1", "false": "0"}.get(text) == expected
    if kind in duck.NUMBERS or kind in duck.FLOATS:
        wanted = _number(expected, kind)
        return wanted is not None and _number(text, kind) == wanted
    return False


class Runner:
    """Runs one file in this process. Connections are opened when first named."""

    def __init__(self, client, lake, strict):
        self._client = client
        self._lake = lake
        self._strict = strict  # an internal error is a failure even where an error is expected
        self._labels = {}
        self._lock = threading.Lock()
        self._open()

    def _open(self):
        self._database = self._client.open()
        self._connections = {}

    def close(self):
        for connection in self._connections.values():
            connection.close()
        self._connections = {}
        self._database.close()

    def run(self, test):
        try:
            self._run_all(test.commands, {}, None)
        except _Halt:
            pass

    def _connection(self, name, thread):
        # A round of a concurrentloop has its own default connection.
        key = (name, thread)
        with self._lock:
            if key not in self._connections:
                self._connections[key] = self._database.connect()
            return self._connections[key]

    def _fill(self, text, variables):
        for name, value in variables.items():
            text = text.replace("${%s}" % name, value).replace("{%s}" % name, value)
        return (text.replace("{CATALOG}", self._lake.attach).replace("{DATA}", self._lake.data)
                .replace("{META}", self._lake.attach.removeprefix("ducklake:"))
                .replace("{TEMP_DIR}", self._lake.scratch))

    def _applies(self, command):
        mine = (self._client.name, self._client.catalog)
        return all((word in mine) == (kind == "onlyif") for kind, word in command.conditions)

    def _run_all(self, commands, variables, thread):
        for command in commands:
            if self._applies(command):
                getattr(self, "_do_" + command.kind)(command, variables, thread)

    def _fail(self, command, sql, text):
        raise Failure(f"line {command.line}: {text}\n{sql}")

    def _do_require(self, command, variables, thread):
        name = command.words[0].lower()
        if name in _BUILT_IN:
            return
        from harness import clients
        path = clients.packaged_extension(name)
        if path is None:
            raise Skipped(f"needs the extension {name}")
        self._connection(None, thread).execute(f"LOAD {clients.quoted(path)}")

    def _do_sleep(self, command, variables, thread):
        unit = {"milliseconds": 0.001, "millisecond": 0.001, "seconds": 1, "second": 1}[command.words[1]]
        time.sleep(int(command.words[0]) * unit)

    def _do_restart(self, command, variables, thread):
        self.close()
        self._open()

    def _do_halt(self, command, variables, thread):
        raise _Halt()

    def _do_loop(self, command, variables, thread):
        name, first, end = command.words
        for value in range(int(self._fill(first, variables)), int(self._fill(end, variables))):
            self._run_all(command.body, {**variables, name: str(value)}, thread)

    def _do_foreach(self, command, variables, thread):
        for value in command.words[1:]:
            self._run_all(command.body, {**variables, command.words[0]: value}, thread)

    def _do_concurrentloop(self, command, variables, thread):
        name, first, end = command.words
        failures = []

        def round_of(value):
            try:
                self._run_all(command.body, {**variables, name: str(value)}, value)
            except BaseException as failure:  # pylint: disable=broad-except
                failures.append(failure)

        threads = [threading.Thread(target=round_of, args=(value,)) for value in range(int(first), int(end))]
        for running in threads:
            running.start()
        for running in threads:
            running.join()
        if failures:
            raise failures[0]

    def _execute(self, command, sql, connection_name, thread):
        """The result, or the message of the error."""
        try:
            return self._connection(connection_name, thread).execute(sql), None
        except duck.SqlError as error:
            message = str(error).partition("\n\nStack Trace:")[0]
            if self._strict and (message.startswith(("INTERNAL Error", "FATAL Error")) or "Internal error in Tarn" in message):
                self._fail(command, sql, f"an internal error: {message}")
            return None, message

    def _do_statement(self, command, variables, thread):
        outcome = command.words[0]
        name = command.words[1] if len(command.words) > 1 else None
        sql = self._fill(command.sql, variables)
        _, message = self._execute(command, sql, name, thread)
        if outcome == "ok":
            if message is not None:
                self._fail(command, sql, f"failed: {message}")
            return
        if outcome not in ("error", "maybe"):
            self._fail(command, sql, f"unknown outcome '{outcome}'")
        if message is None:
            if outcome == "error":
                self._fail(command, sql, "succeeded, but an error was expected")
            return
        if command.expected:
            wanted = self._fill("\n".join(command.expected), variables)
            if wanted.startswith("<REGEX>:"):
                holds = re.fullmatch(wanted[8:], message, re.DOTALL) is not None
            elif wanted.startswith("<!REGEX>:"):
                holds = re.fullmatch(wanted[9:], message, re.DOTALL) is None
            else:
                holds = wanted in message
            if not holds:
                self._fail(command, sql, f"another error than expected\n  expected: {wanted}\n  actual:   {message}")

    def _do_query(self, command, variables, thread):
        types, rest = command.words[0], command.words[1:]
        sort, name, label = "nosort", None, None
        if rest:
            if rest[0] in sqllogic.SORT_MODES:
                sort = rest[0]
            else:
                name = rest[0]
            label = rest[1] if len(rest) > 1 else None
        sql = self._fill(command.sql, variables)
        result, message = self._execute(command, sql, name, thread)
        if message is not None:
            self._fail(command, sql, f"failed: {message}")
        if len(result.types) != len(types):
            self._fail(command, sql, f"{len(result.types)} columns, but {len(types)} were expected")
        rows = self._sorted(result.rows, sort)
        if label is not None:
            first = self._labels.setdefault(label, rows)
            if first != rows:
                self._fail(command, sql, f"another result than the first query labelled {label}")
        if command.expected is not None:
            expected = [self._fill(line, variables) for line in command.expected]
            self._compare(command, sql, result, rows, expected, sort)

    @staticmethod
    def _sorted(rows, sort):
        if sort == "rowsort":
            return sorted(rows, key=lambda row: [shown(value) for value in row])
        if sort == "valuesort":
            return [(value,) for value in sorted((value for row in rows for value in row), key=shown)]
        return rows

    def _compare(self, command, sql, result, rows, expected, sort):
        width = 1 if sort == "valuesort" else len(result.types)
        cells = [line.split("\t") for line in expected]
        if width > 1 and all(len(line) == 1 for line in cells) and len(cells) % width == 0:
            cells = [[line[0] for line in cells[at:at + width]] for at in range(0, len(cells), width)]
        elif width == 1:
            cells = [[line] for line in expected]
        if sort == "rowsort":
            cells.sort()
        elif sort == "valuesort":
            cells = sorted([[cell] for line in expected for cell in line.split("\t")])
        holds = len(cells) == len(rows)
        for line, row in zip(cells, rows):
            kinds = result.types if sort != "valuesort" else [0]
            holds = holds and len(line) == width and all(
                same(value, wanted, kind) for value, wanted, kind in zip(row, line, kinds))
        if not holds:
            actual = "\n".join("    " + "\t".join(shown(value) for value in row) for row in rows[:60])
            wanted = "\n".join("    " + "\t".join(line) for line in cells[:60])
            self._fail(command, sql, f"another result than expected\n  expected {len(cells)} rows:\n{wanted}\n"
                                     f"  actual {len(rows)} rows:\n{actual}")
