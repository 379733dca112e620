"""Stock DuckDB in this process, as the `duckdb` Python package ships it, spoken to through its C API.

The Python API turns results into Python objects and loses a good part of them on the way: nanoseconds, infinite dates,
months of intervals, the spelling of floats, types within types. Tests need each value as DuckDB itself prints it, and
the statement run exactly as it is written. So the same library that `import duckdb` loads is called through ctypes, and
a second, empty database in the same process turns every result into text.
"""

import ctypes
import re
import threading
from ctypes import POINTER, byref, c_bool, c_char_p, c_int, c_uint32, c_uint64, c_void_p
from dataclasses import dataclass, field

import _duckdb
import duckdb


class _CResult(ctypes.Structure):
    _fields_ = [
        ("column_count", c_uint64),
        ("row_count", c_uint64),
        ("rows_changed", c_uint64),
        ("columns", c_void_p),
        ("error_message", c_char_p),
        ("internal_data", c_void_p),
    ]


def _declare(library, name, result, *arguments):
    function = getattr(library, name)
    function.restype = result
    function.argtypes = arguments


def _open_library():
    library = ctypes.CDLL(_duckdb.__file__)
    result = POINTER(_CResult)
    for name, restype, *argtypes in (
        ("duckdb_create_config", c_int, POINTER(c_void_p)),
        ("duckdb_set_config", c_int, c_void_p, c_char_p, c_char_p),
        ("duckdb_destroy_config", None, POINTER(c_void_p)),
        ("duckdb_open_ext", c_int, c_char_p, POINTER(c_void_p), c_void_p, POINTER(c_char_p)),
        ("duckdb_close", None, POINTER(c_void_p)),
        ("duckdb_connect", c_int, c_void_p, POINTER(c_void_p)),
        ("duckdb_disconnect", None, POINTER(c_void_p)),
        ("duckdb_interrupt", None, c_void_p),
        ("duckdb_query", c_int, c_void_p, c_char_p, result),
        ("duckdb_destroy_result", None, result),
        ("duckdb_result_error", c_char_p, result),
        ("duckdb_column_count", c_uint64, result),
        ("duckdb_column_name", c_char_p, result, c_uint64),
        ("duckdb_column_type", c_int, result, c_uint64),
        ("duckdb_column_logical_type", c_void_p, result, c_uint64),
        ("duckdb_destroy_logical_type", None, POINTER(c_void_p)),
        ("duckdb_fetch_chunk", c_void_p, _CResult),
        ("duckdb_destroy_data_chunk", None, POINTER(c_void_p)),
        ("duckdb_data_chunk_get_size", c_uint64, c_void_p),
        ("duckdb_data_chunk_get_vector", c_void_p, c_void_p, c_uint64),
        ("duckdb_vector_get_data", c_void_p, c_void_p),
        ("duckdb_vector_get_validity", c_void_p, c_void_p),
        ("duckdb_validity_row_is_valid", c_bool, c_void_p, c_uint64),
        ("duckdb_appender_create_query", c_int, c_void_p, c_char_p, c_uint64, POINTER(c_void_p),
         c_char_p, POINTER(c_char_p), POINTER(c_void_p)),
        ("duckdb_append_data_chunk", c_int, c_void_p, c_void_p),
        ("duckdb_appender_close", c_int, c_void_p),
        ("duckdb_appender_error", c_char_p, c_void_p),
        ("duckdb_appender_destroy", c_int, POINTER(c_void_p)),
    ):
        _declare(library, name, restype, *argtypes)
    return library


_LIB = _open_library()

# Numbers of the enumeration duckdb_type in duckdb.h.
BOOLEAN = 1
FLOATS = {10, 11}
NUMBERS = {2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 32, 35}


class SqlError(Exception):
    """A statement failed; the text is DuckDB's message."""


@dataclass
class Result:
    """All rows of one statement, each value as DuckDB prints it; NULL is None."""

    names: list = field(default_factory=list)
    types: list = field(default_factory=list)
    rows: list = field(default_factory=list)


def _text(raw):
    return raw.decode("utf-8", "surrogateescape") if raw else ""


def _read_strings(chunk, column_count):
    """The rows of a chunk whose columns are all VARCHAR."""
    columns = []
    size = _LIB.duckdb_data_chunk_get_size(chunk)
    for column in range(column_count):
        vector = _LIB.duckdb_data_chunk_get_vector(chunk, column)
        data = _LIB.duckdb_vector_get_data(vector)
        validity = _LIB.duckdb_vector_get_validity(vector)
        values = []
        for row in range(size):
            if validity and not _LIB.duckdb_validity_row_is_valid(validity, row):
                values.append(None)
                continue
            at = data + 16 * row
            length = c_uint32.from_address(at).value
            # Up to twelve bytes lie in the struct itself, longer text behind its pointer.
            start = at + 4 if length <= 12 else c_uint64.from_address(at + 8).value
            values.append(_text(ctypes.string_at(start, length)))
        columns.append(values)
    return [tuple(values) for values in zip(*columns)]


class Database:
    """One DuckDB instance. Not for several threads at once, but its connections are, one thread each."""

    def __init__(self, path=":memory:", **config):
        handle = c_void_p()
        options = c_void_p()
        _LIB.duckdb_create_config(byref(options))
        try:
            for name, value in config.items():
                if _LIB.duckdb_set_config(options, name.encode(), str(value).encode()) != 0:
                    raise SqlError(f"unknown setting {name}")
            error = c_char_p()
            if _LIB.duckdb_open_ext(path.encode(), byref(handle), options, byref(error)) != 0:
                raise SqlError(_text(error.value))
        finally:
            _LIB.duckdb_destroy_config(byref(options))
        self._handle = handle
        self._connections = []

    def connect(self):
        handle = c_void_p()
        if _LIB.duckdb_connect(self._handle, byref(handle)) != 0:
            raise SqlError("cannot connect")
        connection = Connection(handle)
        self._connections.append(connection)
        return connection

    def close(self):
        for connection in self._connections:
            connection.close()
        self._connections = []
        if self._handle:
            _LIB.duckdb_close(byref(self._handle))
            self._handle = None


class _Printer:
    """Turns result chunks into text in a database of its own, which no test can touch."""

    def __init__(self):
        self._database = Database(autoinstall_known_extensions="false", autoload_known_extensions="false")
        self._connection = self._database.connect()
        self._lock = threading.Lock()
        self._zone = "UTC"
        self.set_zone("UTC")

    def set_zone(self, zone):
        self._connection._run("SET TimeZone = '%s'" % zone.replace("'", "''"))

    def print(self, chunks, types, column_count):
        with self._lock:
            return self._print(chunks, types, column_count)

    def _print(self, chunks, types, column_count):
        names = [b"c%d" % column for column in range(column_count)]
        columns = ", ".join(name.decode() + " VARCHAR" for name in names)
        casts = ", ".join("CAST(%s AS VARCHAR)" % name.decode() for name in names)
        self._connection._run(f"CREATE OR REPLACE TEMP TABLE printed ({columns})")
        appender = c_void_p()
        query = f"INSERT INTO printed SELECT {casts} FROM appended"
        state = _LIB.duckdb_appender_create_query(
            self._connection._handle, query.encode(), column_count, (c_void_p * column_count)(*types),
            b"appended", (c_char_p * column_count)(*names), byref(appender))
        try:
            for chunk in chunks:
                state = state or _LIB.duckdb_append_data_chunk(appender, chunk)
            state = state or _LIB.duckdb_appender_close(appender)
            if state != 0:
                raise SqlError("the result cannot be printed: " + _text(_LIB.duckdb_appender_error(appender)))
        finally:
            _LIB.duckdb_appender_destroy(byref(appender))
        names_list = ", ".join(name.decode() for name in names)
        return self._connection._strings(f"SELECT {names_list} FROM printed ORDER BY rowid")


_printer = None


def _shared_printer():
    global _printer
    if _printer is None:
        _printer = _Printer()
    return _printer


class Connection:
    """One connection; statements run in the calling thread, other threads go on meanwhile."""

    def __init__(self, handle):
        self._handle = handle

    def close(self):
        if self._handle:
            _LIB.duckdb_disconnect(byref(self._handle))
            self._handle = None

    def interrupt(self):
        _LIB.duckdb_interrupt(self._handle)

    def _query(self, sql):
        result = _CResult()
        state = _LIB.duckdb_query(self._handle, sql.encode("utf-8", "surrogateescape"), byref(result))
        if state != 0:
            message = _text(_LIB.duckdb_result_error(byref(result)))
            _LIB.duckdb_destroy_result(byref(result))
            raise SqlError(message)
        return result

    def _run(self, sql):
        result = self._query(sql)
        _LIB.duckdb_destroy_result(byref(result))

    def _strings(self, sql):
        result = self._query(sql)
        try:
            column_count = _LIB.duckdb_column_count(byref(result))
            rows = []
            while chunk := c_void_p(_LIB.duckdb_fetch_chunk(result)):
                rows.extend(_read_strings(chunk, column_count))
                _LIB.duckdb_destroy_data_chunk(byref(chunk))
            return rows
        finally:
            _LIB.duckdb_destroy_result(byref(result))

    def execute(self, sql):
        """Runs the SQL text as it is and returns the Result of its last statement; raises SqlError."""
        result = self._query(sql)
        chunks, types = [], []
        try:
            column_count = _LIB.duckdb_column_count(byref(result))
            answer = Result()
            for column in range(column_count):
                answer.names.append(_text(_LIB.duckdb_column_name(byref(result), column)))
                answer.types.append(_LIB.duckdb_column_type(byref(result), column))
                types.append(_LIB.duckdb_column_logical_type(byref(result), column))
            while chunk := c_void_p(_LIB.duckdb_fetch_chunk(result)):
                chunks.append(chunk)
            printer = _shared_printer()
            zone = re.match(r"(?is)\s*SET\s+(?:SESSION\s+|GLOBAL\s+)?TimeZone\s*(?:=|TO)\s*'([^']*)'", sql)
            if zone:
                printer.set_zone(zone.group(1))
            if chunks:
                answer.rows = printer.print(chunks, types, column_count)
            return answer
        finally:
            for chunk in chunks:
                _LIB.duckdb_destroy_data_chunk(byref(chunk))
            for logical_type in types:
                _LIB.duckdb_destroy_logical_type(byref(c_void_p(logical_type)))
            _LIB.duckdb_destroy_result(byref(result))


def version():
    return duckdb.__version__
