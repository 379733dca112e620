"""Steps of random programs that say how files lie: partitions, sort orders, options, files that are there already.

Both clients write the same rows, but not in the same order into partitions, so programs with such steps compare no row
ids. What would show a meant difference is not made: keys that only the next insert would refuse, old versions after
deletion vectors were replaced, buckets (with the reference they hide rows of files that were there before), added files
of transactions that delete from them again, a RESET of what is not set, a sort order on top of an equal one.
"""

import literals

FILES = "{FILES}"  # a folder of each client's own

_TIMES = ("DATE", "TIMESTAMP")
_KEYS = ("INTEGER", "BIGINT", "SMALLINT", "VARCHAR", "DATE", "BOOLEAN")

# With per_thread_output the reference writes files of no rows, and snapshots for them: it stays off.
_OPTIONS = [("target_file_size", ["'10MB'", "'512MB'"]), ("parquet_compression", ["'zstd'", "'uncompressed'", "'snappy'"]),
            ("parquet_row_group_size", ["2048", "122880"]), ("parquet_version", ["1", "2"]),
            ("hive_file_pattern", ["false", "true"]), ("sort_on_insert", ["false", "true"])]


def parts(table):
    """Schema and name of `lake.schema.name`, as texts."""
    schema, name = table.removeprefix("lake.").split(".", 1)
    return tuple(part[1:-1].replace('""', '"') if part.startswith('"') else part for part in (schema, name))


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def _partition_key(random, columns):
    column, kind = random.choice([column for column in columns if column[1] in _KEYS])
    if kind in _TIMES and random.random() < 0.7:
        return f"{random.choice(['year', 'month', 'day'])}({column})"
    return column


def partition(random, table, columns):
    keys = list(dict.fromkeys(_partition_key(random, columns) for _ in range(random.randint(1, 2))))
    return f"ALTER TABLE {table} SET PARTITIONED BY ({', '.join(keys)})"


def sort(random, table, columns):
    chosen = random.sample([name for name, kind in columns if kind in literals.COMPARABLE], 1)
    keys = [f"{name} {random.choice(['ASC', 'DESC'])} {random.choice(['NULLS FIRST', 'NULLS LAST'])}" for name in chosen]
    return f"ALTER TABLE {table} SET SORTED BY ({', '.join(keys)})"


def option(random, table):
    name, values = random.choice(_OPTIONS)
    schema, name_of_table = parts(table)
    scope = random.choice(["", f", schema => {quoted(schema)}",
                           f", schema => {quoted(schema)}, table_name => {quoted(name_of_table)}"])
    return f"CALL ducklake_set_option('lake', '{name}', {random.choice(values)}{scope})"


def added_file(random, table, columns, number):
    """Two statements, the second of which adds what the first has written."""
    low, many = random.randrange(60), random.choice([1, 5, 40, 3000])
    chosen = list(columns)
    random.shuffle(chosen)
    made = ", ".join(f"({literals.of_number(kind, 'i')})::{kind} AS {column}" for column, kind in chosen)
    schema, name = parts(table)
    path = f"{FILES}/{number}.parquet"
    return [f"COPY (SELECT {made} FROM range({low}, {low + many}) r(i)) TO '{path}'",
            f"CALL ducklake_add_data_files('lake', {quoted(name)}, '{path}', schema => {quoted(schema)})"]
