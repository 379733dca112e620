"""What a change feed must show, told by the versions of the table alone.

A row that a snapshot brought has that snapshot's id in the snapshot; a row that is in one snapshot and not, or not as
the same version, in the next was taken by that one. So the feed is the difference of neighbouring versions, and needs
neither a reference nor a look at files. Rewrites write rows anew without changing them: their snapshots are passed over.
"""


def changes(ask, table, columns, snapshots, rewrites):
    """The feed of all `snapshots` (ascending) as sorted rows. `ask(sql)` gives rows; a version without the table raises."""
    expected = []
    before = {}
    for snapshot in snapshots:
        now = {}
        for row in _version(ask, table, columns, snapshot):
            assert row[0] not in now, f"row id {row[0]} twice in version {snapshot}"
            now[row[0]] = row
        if snapshot not in rewrites:
            came = {key for key, row in now.items() if int(row[1]) == snapshot}
            went = {key for key, row in before.items() if key not in now or now[key][1] != row[1]}
            expected += [(str(snapshot), key, "update_postimage" if key in went else "insert", *now[key][2:])
                         for key in came]
            expected += [(str(snapshot), key, "update_preimage" if key in came else "delete", *before[key][2:])
                         for key in went]
        before = now
    return sorted(expected, key=repr)


def feed(ask, schema, table, columns, first, last):
    """The same from table_changes."""
    rows = ask(f"SELECT snapshot_id, rowid, change_type, {', '.join(columns)} "
               f"FROM ducklake_table_changes('lake', '{schema}', '{table}', {first}, {last})")
    return sorted((tuple(row) for row in rows), key=repr)


def rewrites(ask):
    return {int(row[0]) for row in ask("SELECT snapshot_id FROM __ducklake_metadata_lake.ducklake_snapshot_changes "
                                       "WHERE contains(changes_made, 'rewrite_delete')")}


def _version(ask, table, columns, snapshot):
    try:
        return ask(f"SELECT rowid, snapshot_id, {', '.join(columns)} FROM lake.{table} AT (VERSION => {snapshot})")
    except Exception as problem:
        if "does not exist" in str(problem):
            return []
        raise
