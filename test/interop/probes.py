"""Questions whose answers the two clients must agree on: everything that a lake shows, at every snapshot."""

from harness.clients import quoted


def name(text):
    return '"' + text.replace('"', '""') + '"'


def snapshots(session):
    return [int(row[0]) for row in session.run("SELECT snapshot_id FROM ducklake_snapshots('lake') ORDER BY ALL")]


def _alive(session, kind, snapshot):
    """Schema and name of the tables or views that live at a snapshot, from the catalog's own rows."""
    rows = session.run(f"""
        SELECT s.schema_name, o.{kind}_name
        FROM __ducklake_metadata_lake.ducklake_{kind} o JOIN __ducklake_metadata_lake.ducklake_schema s USING (schema_id)
        WHERE {snapshot} >= o.begin_snapshot AND (o.end_snapshot IS NULL OR {snapshot} < o.end_snapshot)
          AND {snapshot} >= s.begin_snapshot AND (s.end_snapshot IS NULL OR {snapshot} < s.end_snapshot)
        ORDER BY ALL""")
    return rows


def qualified(entry):
    return f"lake.{name(entry[0])}.{name(entry[1])}"


def listing():
    """What the lake says about itself now."""
    return [
        "SELECT * FROM ducklake_snapshots('lake')",
        "SELECT * FROM ducklake_table_info('lake')",
        "SELECT schema_name, table_name, column_count, comment FROM duckdb_tables() "
        "WHERE database_name = 'lake'",
        "SELECT schema_name, view_name, comment FROM duckdb_views() WHERE database_name = 'lake' AND NOT internal",
        "SELECT schema_name, table_name, column_name, column_index, data_type, is_nullable, column_default, comment "
        "FROM duckdb_columns() WHERE database_name = 'lake' AND NOT internal AND column_name IS NOT NULL",
        "SELECT schema_name FROM duckdb_schemas() WHERE database_name = 'lake'",
        "SELECT option_name, value, scope, scope_entry FROM ducklake_options('lake')",
    ]


def _all_rows(session, query, few=3000):
    """The query itself, or for many rows their number and a hash of them all."""
    kind, counted = session.outcome(f"SELECT count(*) FROM ({query})")
    if kind == "error" or int(counted[0][0]) <= few:
        return query
    return f"SELECT count(*), bit_xor(hash(x)) FROM ({query}) x"


def at_snapshots(session, at_most=20):
    """Every table and view with its row ids and row snapshots, at every snapshot, or at so many of them."""
    numbers = snapshots(session)
    questions = []
    for snapshot in numbers[::-1][::-(-len(numbers) // at_most)]:
        for entry in _alive(session, "table", snapshot):
            at = f"{qualified(entry)} AT (VERSION => {snapshot})"
            questions.append(f"SELECT count(*) FROM {at}")
            questions.append(_all_rows(session, f"SELECT rowid, snapshot_id, * FROM {at}"))
        for entry in _alive(session, "view", snapshot):
            questions.append(f"SELECT * FROM {qualified(entry)} AT (VERSION => {snapshot})")
    return questions


def now(session, values=3):
    """Every table of the newest snapshot: its shape, its files, and rows found by what is in them."""
    newest = snapshots(session)[-1]
    questions = []
    for entry in _alive(session, "table", newest):
        table = qualified(entry)
        questions.append(f"DESCRIBE {table}")
        questions.append(_all_rows(session, f"SELECT * FROM {table} WHERE rowid % 2 = 1"))
        questions.append(f"SELECT max(rowid), count(DISTINCT rowid) FROM {table}")
        questions.append(f"SELECT data_file, data_file_size_bytes, data_file_footer_size, delete_file, "
                         f"delete_file_size_bytes FROM ducklake_list_files('lake', {quoted(entry[1])}, "
                         f"schema => {quoted(entry[0])})")
        questions += _filters(session, table, values)
    return questions


def _filters(session, table, values):
    """For a few values of each column, the rows that equal them, and how many lie beside them."""
    questions = []
    for column, kind, *_ in session.run(f"DESCRIBE {table}"):
        if kind.startswith(("MAP", "STRUCT", "VARIANT", "GEOMETRY")) or kind.endswith("[]"):
            continue
        column = name(column)
        found = session.run(f"SELECT DISTINCT {column}::VARCHAR FROM {table} WHERE {column} IS NOT NULL "
                            f"ORDER BY hash({column}::VARCHAR) LIMIT {values}")
        for (value,) in found:
            # The reference loses rows for comparisons with NaN and with blobs that are no plain text; the corpus says
            # what is right there.
            if value == "nan" or (kind == "BLOB" and "\\x" in value):
                continue
            literal = f"CAST({quoted(value)} AS {kind})"
            questions.append(f"SELECT rowid FROM {table} WHERE {column} = {literal}")
            questions.append(f"SELECT count(*) FROM {table} WHERE {column} < {literal}")
        questions.append(f"SELECT count(*), count({column}) FROM {table} WHERE {column} IS NULL")
    return questions


def pinned(session):
    """A lake attached at an old snapshot: its listings and its tables as of then."""
    # These three are about the lake as it is now, also when it is attached at an old snapshot.
    questions = [question for question in listing()
                 if not any(word in question for word in ("ducklake_snapshots", "table_info", "options"))]
    tables = session.run("SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = 'lake' ORDER BY ALL")
    questions += [_all_rows(session, f"SELECT rowid, snapshot_id, * FROM lake.{name(schema)}.{name(table)}")
                  for schema, table in tables]
    return questions + ["SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = 'lake'"]


def differences(expected, actual, questions):
    """Asks both sessions all questions; the ones whose answers differ, with both answers."""
    found = []
    for question in questions:
        wanted, got = expected.outcome(question), actual.outcome(question)
        # Where the expected side fails there is nothing to expect: the reference cannot read some of its old snapshots.
        if wanted[0] == "error":
            continue
        if wanted != got:
            found.append(f"{question}\n  {expected.name}: {_shown(wanted)}\n  {actual.name}: {_shown(got)}")
    return found


def _shown(outcome):
    kind, what = outcome
    if kind == "error":
        return f"error: {what[:500]}"
    lines = ["  ".join(row)[:300] for row in what[:8]]
    return f"{len(what)} rows" + "".join(f"\n      {line}" for line in lines)
