"""Types of random columns and random literals of them, the awkward ones among the plain."""

STRUCT = "STRUCT(a INTEGER, b VARCHAR)"
DEEP = "STRUCT(p STRUCT(x INTEGER, y VARCHAR), q DOUBLE)"
LISTED = "STRUCT(x INTEGER, y VARCHAR)[]"
MAPPED = "MAP(VARCHAR, STRUCT(x INTEGER))"

_TEXTS = ["''", "'a'", "'it''s'", "'NULL'", "'grün 🦆'", "'日本語'", "'a, b=[c]'", "'\"x\" \\ {}'", "'  '", "'line\nbreak'",
          "'%'", "repeat('long ', 20)"]

_SPECIAL = {
    "INTEGER": ["0", "-2147483648", "2147483647"],
    "BIGINT": ["9223372036854775807", "-9223372036854775808"],
    "SMALLINT": ["-32768", "32767"],
    "UTINYINT": ["0", "255"],
    "BOOLEAN": ["true", "false"],
    "DOUBLE": ["'nan'", "'inf'", "'-inf'", "0.0", "'-0.0'", "1e300", "-1e-300", "0.1"],
    "FLOAT": ["'nan'", "'inf'", "'-inf'", "0.1", "1e30"],
    "DECIMAL(9,2)": ["9999999.99", "-9999999.99", "0.01"],
    "DECIMAL(30,5)": ["1234567890123456789012345.67891", "-0.00001"],
    "DATE": ["'1969-12-31'", "'2024-02-29'", "'infinity'", "'-infinity'", "'0001-01-01'", "'9999-12-31'"],
    "TIME": ["'00:00:00'", "'23:59:59.999999'"],
    "TIMESTAMP": ["'1969-12-31 23:59:59.999999'", "'infinity'", "'2024-02-29 12:00:00'"],
    "TIMESTAMPTZ": ["'2024-02-29 12:00:00+02'", "'-infinity'"],
    "VARCHAR": _TEXTS,
    "BLOB": ["'\\x00\\xFF'::BLOB", "''::BLOB", "'abc'::BLOB"],
    "UUID": ["'ffffffff-ffff-ffff-ffff-ffffffffffff'", "'00000000-0000-0000-0000-000000000001'"],
    "INTEGER[]": ["[]", "[1, NULL, 3]", "[NULL]"],
    "VARCHAR[]": ["[]", "['a', NULL, 'it''s', '']", "['x, y', '[z]']"],
    "MAP(VARCHAR, INTEGER)": ["MAP {}", "MAP {'k': 1, 'grün': NULL}"],
    STRUCT: ["{'a': 1, 'b': 'x'}", "{'a': NULL, 'b': NULL}", "{'a': -1, 'b': 'it''s {x}'}"],
    DEEP: ["{'p': {'x': 1, 'y': 'x'}, 'q': 0.5}", "{'p': NULL, 'q': 1}", "{'p': {'x': NULL, 'y': ''}, 'q': NULL}"],
    LISTED: ["[]", "[{'x': 1, 'y': 'a'}, NULL, {'x': NULL, 'y': 'b'}]"],
    MAPPED: ["MAP {}", "MAP {'k': {'x': 1}, 'l': NULL}"],
}

TYPES = list(_SPECIAL)

DEEP_LESS = "STRUCT(p STRUCT(y VARCHAR), q DOUBLE)"
DEEP_AGAIN = "STRUCT(p STRUCT(y VARCHAR, x BIGINT), q DOUBLE)"
DEEP_MORE = "STRUCT(p STRUCT(x INTEGER, y VARCHAR, z BIGINT), q DOUBLE)"
DEEP_NAMED = "STRUCT(p STRUCT(x INTEGER, w VARCHAR, z BIGINT), q DOUBLE)"
LISTED_MORE = "STRUCT(x INTEGER, y VARCHAR, z BIGINT)[]"
LISTED_LESS = "STRUCT(y VARCHAR, z BIGINT)[]"
LISTED_NAMED = "STRUCT(x INTEGER, w VARCHAR)[]"
MAPPED_MORE = "MAP(VARCHAR, STRUCT(x INTEGER, y VARCHAR))"
MAPPED_NAMED = "MAP(VARCHAR, STRUCT(z INTEGER))"

# These only come of ALTER TABLE.
_SPECIAL |= {
    "BIGINT[]": ["[]", "[5000000000, NULL]"],
    "STRUCT(b VARCHAR, c BIGINT)": ["{'b': 'y', 'c': 5000000000}", "{'b': NULL, 'c': NULL}"],
    "STRUCT(b VARCHAR)": ["{'b': 'z'}", "{'b': NULL}"],
    DEEP_LESS: ["{'p': {'y': 'less'}, 'q': 2.5}", "{'p': NULL, 'q': NULL}"],
    DEEP_AGAIN: ["{'p': {'y': 'again', 'x': 5000000000}, 'q': 2.5}"],
    DEEP_MORE: ["{'p': {'x': 1, 'y': 'more', 'z': 5000000000}, 'q': NULL}"],
    DEEP_NAMED: ["{'p': {'x': 1, 'w': 'named', 'z': NULL}, 'q': 7}", "{'p': NULL, 'q': 8}"],
    LISTED_MORE: ["[{'x': 1, 'y': 'a', 'z': 5000000000}, NULL]"],
    LISTED_LESS: ["[{'y': 'a', 'z': NULL}]", "[NULL]"],
    LISTED_NAMED: ["[{'x': NULL, 'w': 'named'}]", "[]"],
    MAPPED_MORE: ["MAP {'k': {'x': 1, 'y': 'more'}, 'n': NULL}"],
    MAPPED_NAMED: ["MAP {'k': {'z': 1}}"],
}

# The reference cannot read every one of these back from rows that it inlined as text, in SQLite and in PostgreSQL.
NOT_INLINED_AS_TEXT = {STRUCT, DEEP, LISTED, MAPPED}

# A type to which a column of the first may be widened.
# (After a change from FLOAT to DOUBLE the reference misses rows.)
WIDER = {"INTEGER": "BIGINT", "SMALLINT": "INTEGER", "UTINYINT": "SMALLINT", "DECIMAL(9,2)": "DECIMAL(30,5)",
         "DATE": "TIMESTAMP", "INTEGER[]": "BIGINT[]"}

WIDE_STRUCT = "STRUCT(b VARCHAR, c BIGINT)"
NARROW_STRUCT = "STRUCT(b VARCHAR)"

# What changes the fields of a struct, and the type that comes of it.
OTHER_FIELDS = {
    STRUCT: [("DROP COLUMN {column}.a", NARROW_STRUCT),
             ("ALTER {column} TYPE STRUCT(b VARCHAR, c BIGINT)", WIDE_STRUCT)],
    NARROW_STRUCT: [("ADD COLUMN {column}.c BIGINT", WIDE_STRUCT)],
    WIDE_STRUCT: [("DROP COLUMN {column}.c", NARROW_STRUCT)],
    DEEP: [("DROP COLUMN {column}.p.x", DEEP_LESS), ("ADD COLUMN {column}.p.z BIGINT", DEEP_MORE)],
    DEEP_LESS: [("ADD COLUMN {column}.p.x BIGINT", DEEP_AGAIN)],
    DEEP_AGAIN: [("DROP COLUMN {column}.p.x", DEEP_LESS)],
    DEEP_MORE: [("RENAME COLUMN {column}.p.y TO w", DEEP_NAMED), ("DROP COLUMN {column}.p.z", DEEP)],
    DEEP_NAMED: [("RENAME COLUMN {column}.p.w TO y", DEEP_MORE)],
    LISTED: [("ADD COLUMN {column}.element.z BIGINT", LISTED_MORE), ("RENAME COLUMN {column}.element.y TO w", LISTED_NAMED)],
    LISTED_MORE: [("DROP COLUMN {column}.element.x", LISTED_LESS), ("DROP COLUMN {column}.element.z", LISTED)],
    LISTED_NAMED: [("RENAME COLUMN {column}.element.w TO y", LISTED)],
    MAPPED: [("ADD COLUMN {column}.value.y VARCHAR", MAPPED_MORE), ("RENAME COLUMN {column}.value.x TO z", MAPPED_NAMED)],
    MAPPED_MORE: [("DROP COLUMN {column}.value.y", MAPPED)],
}

COMPARABLE = [name for name in TYPES if not name.startswith(("MAP", "STRUCT")) and "[" not in name]


def literal(random, type_name, null=0.15):
    """A literal of a type, sometimes NULL."""
    if random.random() < null:
        return "NULL"
    if random.random() < 0.35:
        return random.choice(_SPECIAL[type_name])
    small = random.randrange(50)
    if type_name in ("INTEGER", "BIGINT", "SMALLINT", "UTINYINT", "FLOAT"):
        return str(small)
    if type_name == "DOUBLE":
        return f"{small}.5"
    if type_name.startswith("DECIMAL"):
        return f"{small}.25"
    if type_name == "DATE":
        return f"'2020-01-{small % 28 + 1:02}'"
    if type_name.startswith("TIMESTAMP"):
        return f"'2020-01-01 10:{small:02}:00'"
    if type_name == "TIME":
        return f"'10:{small:02}:00'"
    if type_name == "VARCHAR":
        return f"'v{small}'"
    return random.choice(_SPECIAL[type_name])


def default(random, type_name):
    """A default value; never the text NULL, which the reference reads back as none, nor a call, which it does not add."""
    found = literal(random, type_name, 0)
    if found.startswith("repeat"):
        return "'no longer'"
    return "'null'" if found == "'NULL'" else found


def of_number(type_name, number):
    """An expression of a type that depends on a number `number`, for rows that a query makes."""
    if type_name in ("INTEGER", "BIGINT", "DOUBLE", "FLOAT"):
        return number
    if type_name in ("SMALLINT", "UTINYINT") or type_name.startswith("DECIMAL"):
        return f"{number} % 100"
    return {
        "BOOLEAN": f"{number} % 2 = 0",
        "DATE": f"DATE '2020-01-01' + ({number} % 300)::INTEGER",
        "TIME": f"TIME '00:00:00' + to_seconds({number} % 80000)",
        "TIMESTAMP": f"TIMESTAMP '2020-01-01' + to_minutes({number} % 5000)",
        "TIMESTAMPTZ": f"TIMESTAMPTZ '2020-01-01 00:00:00+00' + to_minutes({number} % 5000)",
        "VARCHAR": f"'s' || ({number} % 7)",
        "BLOB": f"('b' || {number})::BLOB",
        "UUID": f"(lpad(({number} % 1000)::VARCHAR, 8, '0') || '-0000-0000-0000-000000000000')::UUID",
        "INTEGER[]": f"[{number}, NULL]",
        "VARCHAR[]": f"['x' || {number}]",
        "MAP(VARCHAR, INTEGER)": f"MAP {{'k': ({number} % 9)::INTEGER}}",
        STRUCT: f"{{'a': ({number} % 9)::INTEGER, 'b': 'n' || {number}}}",
        "BIGINT[]": f"[{number} * 1000000000]",
        WIDE_STRUCT: f"{{'b': 'w' || {number}, 'c': {number} * 1000000000}}",
        NARROW_STRUCT: f"{{'b': 'o' || {number}}}",
        DEEP: f"{{'p': {{'x': ({number} % 9)::INTEGER, 'y': 'd' || {number}}}, 'q': {number}}}",
        DEEP_LESS: f"{{'p': {{'y': 'e' || {number}}}, 'q': {number}}}",
        DEEP_AGAIN: f"{{'p': {{'y': 'f' || {number}, 'x': {number} * 1000000000}}, 'q': {number}}}",
        DEEP_MORE: f"{{'p': {{'x': ({number} % 9)::INTEGER, 'y': 'g', 'z': {number}}}, 'q': NULL}}",
        DEEP_NAMED: f"{{'p': {{'x': ({number} % 9)::INTEGER, 'w': 'h', 'z': {number}}}, 'q': 0}}",
        LISTED: f"[{{'x': ({number} % 9)::INTEGER, 'y': 'l' || {number}}}, NULL]",
        LISTED_MORE: f"[{{'x': 1, 'y': 'm', 'z': {number} * 1000000000}}]",
        LISTED_LESS: f"[{{'y': 'n' || {number}, 'z': {number}}}]",
        LISTED_NAMED: f"[NULL, {{'x': ({number} % 9)::INTEGER, 'w': 'p'}}]",
        MAPPED: f"MAP {{'k' || ({number} % 3): {{'x': ({number} % 9)::INTEGER}}}}",
        MAPPED_MORE: f"MAP {{'k': {{'x': ({number} % 9)::INTEGER, 'y': 'q' || {number}}}}}",
        MAPPED_NAMED: f"MAP {{'k': {{'z': ({number} % 9)::INTEGER}}}}",
    }[type_name]
