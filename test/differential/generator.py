"""Random programs: what sessions do to a lake, made from a seed alone, so that one number tells a whole program.

The generator keeps a model of the tables, views and schemas that should exist, so that most statements succeed; some
are wrong on purpose. What a statement does never depends on chance or on the order in which rows are read: rows that are
inserted are ordered, and sources of updates and merges have one row for each key.
"""

from copy import deepcopy
from dataclasses import dataclass, field
from random import Random

import layout
import literals

_TABLES = ["t0", "t1", "t2", "t3", '"Odd name"', '"täble"', '"sel.ect"']
_COLUMNS = ["a", "b", "c", "d", '"e e"', '"ü"', '"from"', '"q""q"']
_SCHEMAS = ["s1", '"My Schema"']
_VIEWS = ["v0", "v1"]

SESSION = "-- a new session"
MARKS = "lake.main.marks"  # of transactions and of upkeep; nothing else writes there

_UPKEEP = ("ducklake_flush_inlined_data('lake')", "ducklake_merge_adjacent_files('lake')",
           "ducklake_merge_adjacent_files('lake', max_compacted_files => 2)",
           "ducklake_rewrite_data_files('lake', delete_threshold => 0)", "ducklake_rewrite_data_files('lake')",
           "ducklake_cleanup_old_files('lake', cleanup_all => true)",
           "ducklake_delete_orphaned_files('lake', cleanup_all => true)")


@dataclass(frozen=True)
class Step:
    """One statement of one connection, and the tables that may look different after it."""

    sql: str
    connection: str = "a"
    touches: tuple = ()
    upkeep: bool = False  # each client may have other files to look after: only what is read afterwards is compared


@dataclass
class Program:
    """Units are lists of steps between which no transaction is open."""

    seed: int
    catalog: str
    attach: str  # options of ATTACH beside the data path
    units: list
    compares_row_ids: bool

    @property
    def has_upkeep(self):
        return any(step.upkeep for unit in self.units for step in unit)


@dataclass
class Model:
    """What should exist; tables are lists of (column, type), the first of which is an INTEGER named id."""

    schemas: list = field(default_factory=lambda: ["main"])
    tables: dict = field(default_factory=dict)
    views: dict = field(default_factory=dict)  # name: the table that it reads
    keyed: set = field(default_factory=set)  # (table, "PARTITIONED" or "SORTED")

    def forget_keys(self, table):
        self.keyed = {(name, kind) for name, kind in self.keyed if name != table}


def program(seed, catalog, statements):
    return _Generator(seed, catalog).program(statements)


class _Generator:
    def __init__(self, seed, catalog):
        self._random = Random(f"{seed} {catalog}")
        self._seed = seed
        self._catalog = catalog
        self._limit = self._random.choice([0, 0, 1, 10, 10, 1000])  # of inlining
        self._inlines = self._limit > 0
        # Of rows that a transaction inserted and updated, the reference never learns the row ids of the lake; and row
        # ids that an update of inlined rows leaves free, one of rows in files does not.
        self._updates_own = self._inlines or self._random.random() < 0.4
        # Drawn apart, so that programs without them stay as they are.
        self._layout = Random(f"layout {seed} {catalog}")
        self._lays_out = self._layout.random() < 0.35
        self._updates_own = self._updates_own or self._lays_out
        self._upkeep = Random(f"upkeep {seed} {catalog}")
        self._looks_after = self._upkeep.random() < 0.3
        self._arranged = set()  # tables that may have keys, whose columns then stay
        self._row_id = "" if self._updates_own else "rowid, "
        self._inserted = set()  # by the open transaction
        self._altered = set()
        self._in_transaction = False
        self._model = Model()
        self._commits = 0

    def program(self, statements):
        units = [[Step(f"CREATE TABLE {MARKS} (n INTEGER)")]]
        for _ in range(self._random.randint(2, 3)):
            units.append([self._create_table()])
        count = len(units)
        while count < statements:
            units.append(self._unit())
            count += len(units[-1])
        attach = "" if self._limit == 10 else f"DATA_INLINING_ROW_LIMIT {self._limit}"
        return Program(self._seed, self._catalog, attach, units,
                       not self._updates_own)

    # Units

    def _unit(self):
        dice = self._random.random()
        self._commits += 1
        if dice < 0.05:
            return [Step(SESSION)]
        if self._lays_out and self._layout.random() < 0.2:
            return self._arrange()
        if self._looks_after and self._upkeep.random() < 0.15:
            return [Step(f"CALL {self._upkeep.choice(_UPKEEP)}", touches=tuple(sorted(self._model.tables)), upkeep=True)]
        # With the reference, an open transaction locks everybody else out of an SQLite catalog.
        if dice < 0.12 and self._catalog != "sqlite" and len(self._model.tables) > 1:
            return self._interleaved()
        if dice < 0.35:
            return self._transaction()
        if dice < 0.45:
            return [self._time_travel()]
        return [self._statement()]

    def _arrange(self):
        """Each step is a transaction of its own. Tables that were partitioned once take no files from outside."""
        random, table = self._layout, self._layout.choice(sorted(self._model.tables))
        columns = self._model.tables[table]
        dice = random.random()
        if dice < 0.25 and table not in self._arranged:
            return [Step(sql, touches=(table,)) for sql in layout.added_file(random, table, columns, self._commits)]
        if dice < 0.5:
            return [Step(layout.option(random, table))]
        self._arranged.add(table)
        kind = "PARTITIONED" if dice < 0.8 else "SORTED"
        # Of a sort order that is set already, only the reference makes a snapshot.
        if (table, kind) in self._model.keyed and (kind == "SORTED" or random.random() < 0.35):
            self._model.keyed.remove((table, kind))
            return [Step(f"ALTER TABLE {table} RESET {kind} BY")]
        self._model.keyed.add((table, kind))
        return [Step((layout.partition if kind == "PARTITIONED" else layout.sort)(random, table, columns))]

    def _transaction(self):
        before = deepcopy(self._model)
        steps = [Step("BEGIN")]
        self._inserted, self._altered, self._in_transaction = set(), set(), True
        for _ in range(self._random.randint(1, 5)):
            steps.append(self._statement())
            if steps[-1].sql.startswith(("INSERT", "CREATE", "MERGE", "UPDATE")):
                self._inserted.update(steps[-1].touches)
        self._inserted, self._altered, self._in_transaction = set(), set(), False
        if self._random.random() < 0.25:
            self._model = before
            steps.append(Step("ROLLBACK"))
        else:
            steps += [self._mark(), Step("COMMIT")]
        return steps

    def _mark(self, connection="a"):
        """Of inlined rows that their own transaction deletes again, the reference still makes a snapshot, which Tarn
        makes only with something in it: with a mark both do."""
        return Step(f"INSERT INTO {MARKS} VALUES ({self._commits})", connection)

    def _interleaved(self):
        """Two transactions at once that both clients let commit: the second only inserts. The delete file of a commit
        that the reference tries again tells wrong snapshots."""
        first, second = self._random.sample(sorted(self._model.tables), 2)
        change = self._change
        if self._random.random() < 0.3:
            second, change = first, self._insert
        leads = self._random.choice("ab")
        follows = "b" if leads == "a" else "a"
        changes = [Step("BEGIN", leads), self._on(leads, change(first))]
        if self._random.random() < 0.5:
            self._inserted = {first}
            changes += [self._on(leads, change(first)), self._mark(leads)]
            self._inserted = set()
        inserts = [Step("BEGIN", follows), self._on(follows, self._insert(second))]
        steps = changes[:2] + inserts + changes[2:] if self._random.random() < 0.5 else inserts + changes
        return steps + [Step("COMMIT", leads), Step("COMMIT" if self._random.random() < 0.8 else "ROLLBACK", follows)]

    def _on(self, connection, step):
        return Step(step.sql, connection, step.touches)

    # Statements

    def _statement(self):
        model, random = self._model, self._random
        if len(model.tables) < 2 or random.random() < 0.06:
            return self._create_table()
        kinds = [(self._any_change, 60), (self._read, 10), (self._replace_table, 4), (self._drop_table, 3),
                 (self._alter, 25), (self._view, 5), (self._schema, 3), (self._comment, 2), (self._wrong, 3)]
        make = random.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0]
        return make()

    def _any_change(self):
        return self._change(self._table())

    def _change(self, table):
        kinds = [(self._insert, 40), (self._delete, 20), (self._truncate, 2)]
        if self._updates_own or table not in self._inserted:
            kinds += [(self._update, 22), (self._merge, 16)]
        return self._random.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0](table)

    def _table(self):
        return self._random.choice(sorted(self._model.tables))

    def _new_name(self, names, schema=None):
        name = self._random.choice(names)
        return f"lake.{schema or self._random.choice(self._model.schemas)}.{name}"

    def _new_columns(self):
        random = self._random
        types = [name for name in literals.TYPES
                 if not (self._inlines and self._catalog != "duckdb" and name in literals.NOT_INLINED_AS_TEXT)]
        return [("id", "INTEGER")] + [(name, random.choice(types)) for name in random.sample(_COLUMNS,
                                                                                           random.randint(1, 4))]

    def _create_table(self, verb="CREATE TABLE", name=None):
        random = self._random
        name = name or self._new_name(_TABLES)
        existed = name in self._model.tables
        if existed and verb == "CREATE TABLE" and random.random() < 0.4:
            verb = "CREATE TABLE IF NOT EXISTS"
        columns = self._new_columns()
        if random.random() < 0.35:
            low = random.randrange(30)
            made = ", ".join(f"({literals.of_number(kind, 'i')})::{kind} AS {column}" for column, kind in columns)
            sql = f"{verb} {name} AS SELECT {made} FROM range({low}, {low + random.choice([0, 1, 5, 40])}) r(i)"
        else:
            parts = []
            for column, kind in columns:
                part = f"{column} {kind}"
                if column == "id" and random.random() < 0.2:
                    part += " NOT NULL"
                elif column != "id" and random.random() < 0.2 and kind in literals.COMPARABLE:
                    part += f" DEFAULT {literals.default(random, kind)}"
                parts.append(part)
            sql = f"{verb} {name} ({', '.join(parts)})"
        if not existed or "OR REPLACE" in verb:
            self._model.tables[name] = columns
            self._model.forget_keys(name)
        return Step(sql, touches=(name,))

    def _replace_table(self):
        return self._create_table("CREATE OR REPLACE TABLE", self._table())

    def _drop_table(self):
        name = self._table()
        del self._model.tables[name]
        return Step(f"DROP TABLE {name}", touches=(name,))

    def _insert(self, table):
        random = self._random
        columns = self._model.tables[table]
        chosen = columns
        if random.random() < 0.2:
            chosen = [columns[0]] + random.sample(columns[1:], random.randint(0, len(columns) - 1))
        names = ", ".join(column for column, _ in chosen)
        dice = random.random()
        if dice < 0.5:
            rows = ", ".join("(" + ", ".join([str(random.randrange(60))] +
                                             [literals.literal(random, kind) for _, kind in chosen[1:]]) + ")"
                             for _ in range(random.choice([1, 1, 2, 3, 8, 15])))
            return Step(f"INSERT INTO {table} ({names}) VALUES {rows}", touches=(table,))
        if dice < 0.85:
            low, many = random.randrange(60), random.choice([1, 4, 12, 40, 150])
            made = ", ".join(literals.of_number(kind, "i") for _, kind in chosen)
            return Step(f"INSERT INTO {table} ({names}) SELECT {made} FROM range({low}, {low + many}) r(i)",
                        touches=(table,))
        other = self._table()
        made = ", ".join(["id"] + [literals.literal(random, kind) for _, kind in chosen[1:]])
        return Step(f"INSERT INTO {table} ({names}) SELECT {made} FROM {other} "
                    f"WHERE id < {random.randrange(40)} ORDER BY id LIMIT 100", touches=(table,))

    def _where(self, table, prefix=""):
        random = self._random
        dice = random.random()
        low = random.randrange(60)
        if dice < 0.2:
            return f"{prefix}id = {low}"
        if dice < 0.4:
            return f"{prefix}id BETWEEN {low} AND {low + random.randrange(30)}"
        if dice < 0.5:
            return f"{prefix}id % {random.randint(2, 7)} = {random.randrange(2)}"
        if dice < 0.55 and self._row_id:
            return f"{prefix}rowid % 3 = {random.randrange(3)}"
        if dice < 0.6 and not prefix:
            return f"id IN (SELECT id FROM {self._table()})"
        column, kind = random.choice(self._model.tables[table])
        if kind not in literals.COMPARABLE or random.random() < 0.3:
            return f"{prefix}{column} IS {random.choice(['', 'NOT '])}NULL"
        operator = random.choice(["=", "<", ">", ">=", "<="])
        return f"{prefix}{column} {operator} {literals.literal(random, kind, 0.02)}"

    def _delete(self, table):
        if self._random.random() < 0.05:
            return Step(f"DELETE FROM {table}", touches=(table,))
        return Step(f"DELETE FROM {table} WHERE {self._where(table)}", touches=(table,))

    def _assignments(self, table, key="id"):
        random = self._random
        columns = self._model.tables[table]
        chosen = random.sample(columns, random.randint(1, min(2, len(columns))))
        return ", ".join(f"{column} = {literals.literal(random, kind)}" if column != "id"
                         else f"id = {key} + {random.randrange(5)}" for column, kind in chosen)

    def _update(self, table):
        random = self._random
        if random.random() < 0.3:
            source = f"(SELECT DISTINCT id AS k FROM {self._table()} WHERE id < {random.randrange(60)}) s"
            assignments = self._assignments(table, "t.id")
            return Step(f"UPDATE {table} AS t SET {assignments} FROM {source} WHERE t.id = s.k", touches=(table,))
        where = "" if random.random() < 0.05 else f" WHERE {self._where(table)}"
        return Step(f"UPDATE {table} SET {self._assignments(table)}{where}", touches=(table,))

    def _merge(self, table):
        """One action at most for rows that match: more the reference refuses. It inserts one row: no order matters."""
        random = self._random
        matched = ""
        dice = random.random()
        condition = f" AND {self._where(table, 't.')}" if random.random() < 0.25 else ""
        if dice < 0.45:
            matched = f" WHEN MATCHED{condition} THEN UPDATE SET {self._assignments(table, 't.id')}"
        elif dice < 0.7:
            matched = f" WHEN MATCHED{condition} THEN DELETE"
        low = random.randrange(60)
        if matched and random.random() < 0.6:
            source, insert = f"SELECT i::INTEGER AS k FROM range({low}, {low + random.randint(1, 40)}) r(i)", ""
        else:
            columns = self._model.tables[table]
            values = ", ".join(["s.k"] + [literals.literal(random, kind) for _, kind in columns[1:]])
            names = ", ".join(column for column, _ in columns)
            source = f"SELECT {random.choice([low, low + 1000])} AS k"
            insert = f" WHEN NOT MATCHED THEN INSERT ({names}) VALUES ({values})"
        return Step(f"MERGE INTO {table} AS t USING ({source}) s ON t.id = s.k{matched}{insert}", touches=(table,))

    def _truncate(self, table):
        return Step(f"TRUNCATE {table}", touches=(table,))

    def _alter(self):
        """What both clients take: chains of changes to one table in a transaction damage the reference's catalog, it
        refuses defaults that are no plain literals, and what changes nothing makes a snapshot of it all the same."""
        random = self._random
        table = self._table()
        columns = self._model.tables[table]
        if table in self._altered:
            return self._any_change()
        made = random.choice([self._add_column, self._add_column, self._drop_column, self._rename_column,
                              self._widen_column, self._change_fields, self._rename_table])(table, columns)
        if made is None:
            return self._any_change()
        if self._in_transaction:
            self._altered.add(table)
        return made

    def _add_column(self, table, columns):
        random = self._random
        free = [column for column in _COLUMNS if column not in dict(columns)]
        if not free:
            return None
        column, (_, kind) = random.choice(free), self._new_columns()[1]
        default = ""
        if kind in literals.COMPARABLE and kind not in ("BOOLEAN", "BLOB") and random.random() < 0.6:
            default = f" DEFAULT {literals.default(random, kind)}"
        self._model.tables[table] = columns + [(column, kind)]
        return Step(f"ALTER TABLE {table} ADD COLUMN {column} {kind}{default}", touches=(table,))

    def _place(self, columns, kinds=None):
        places = [place for place, (_, kind) in enumerate(columns) if place and (kinds is None or kind in kinds)]
        return self._random.choice(places) if places else None

    def _drop_column(self, table, columns):
        place = self._place(columns)
        if place is None or len(columns) < 3 or table in self._arranged:
            return None
        self._model.tables[table] = columns[:place] + columns[place + 1:]
        return Step(f"ALTER TABLE {table} DROP COLUMN {columns[place][0]}", touches=(table,))

    def _rename_column(self, table, columns):
        free = [column for column in _COLUMNS if column not in dict(columns)]
        place = self._place(columns)
        if place is None or not free:
            return None
        name = self._random.choice(free)
        self._model.tables[table] = columns[:place] + [(name, columns[place][1])] + columns[place + 1:]
        return Step(f"ALTER TABLE {table} RENAME COLUMN {columns[place][0]} TO {name}", touches=(table,))

    def _widen_column(self, table, columns):
        place = self._place(columns, literals.WIDER)
        if place is None:
            return None
        name, kind = columns[place]
        self._model.tables[table] = columns[:place] + [(name, literals.WIDER[kind])] + columns[place + 1:]
        return Step(f"ALTER TABLE {table} ALTER {name} TYPE {literals.WIDER[kind]}", touches=(table,))

    def _change_fields(self, table, columns):
        """A field of a struct at some depth, by its path or with the type of the whole column."""
        place = self._place(columns, literals.OTHER_FIELDS)
        if place is None:
            return None
        name, kind = columns[place]
        change, other = self._random.choice(literals.OTHER_FIELDS[kind])
        self._model.tables[table] = columns[:place] + [(name, other)] + columns[place + 1:]
        return Step(f"ALTER TABLE {table} {change.format(column=name)}", touches=(table,))

    def _rename_table(self, table, columns):
        schema, name = table.split(".", 2)[1], self._random.choice(_TABLES)
        renamed = f"lake.{schema}.{name}"
        if self._in_transaction or renamed in self._model.tables:
            return None
        self._model.tables[renamed] = self._model.tables.pop(table)
        if table in self._arranged:
            self._arranged.add(renamed)
        self._model.forget_keys(table)
        self._model.forget_keys(renamed)
        return Step(f"ALTER TABLE {table} RENAME TO {name}", touches=(renamed,))

    def _view(self):
        random = self._random
        if self._model.views and random.random() < 0.3:
            name = random.choice(sorted(self._model.views))
            del self._model.views[name]
            return Step(f"DROP VIEW {name}")
        if self._model.views and random.random() < 0.4:
            return Step(f"SELECT * FROM {random.choice(sorted(self._model.views))}")
        name, table = self._new_name(_VIEWS), self._table()
        self._model.views[name] = table
        return Step(f"CREATE OR REPLACE VIEW {name} AS SELECT id, count(*) AS n FROM {table} GROUP BY id")

    def _schema(self):
        random = self._random
        made = [schema for schema in self._model.schemas if schema != "main"]
        if made and random.random() < 0.4:
            schema = random.choice(made)
            cascade = random.choice(["", " CASCADE"])
            inside = [name for name in (*self._model.tables, *self._model.views) if name.startswith(f"lake.{schema}.")]
            if cascade or not inside:
                self._model.schemas.remove(schema)
                for name in inside:
                    self._model.tables.pop(name, None)
                    self._model.views.pop(name, None)
            return Step(f"DROP SCHEMA lake.{schema}{cascade}", touches=tuple(inside))
        schema = random.choice(_SCHEMAS)
        if schema not in self._model.schemas:
            self._model.schemas.append(schema)
        return Step(f"CREATE SCHEMA lake.{schema}")

    def _comment(self):
        """Always other words: the same ones again are a snapshot of the reference only."""
        table = self._table()
        if table in self._altered:
            return self._any_change()
        column = self._random.choice(self._model.tables[table])[0]
        text = f"'comment {self._random.randrange(10**6)}, it''s'"
        if self._random.random() < 0.5:
            return Step(f"COMMENT ON TABLE {table} IS {text}")
        return Step(f"COMMENT ON COLUMN {table}.{column} IS {text}")

    def _wrong(self):
        table = self._table()
        return Step(self._random.choice([
            f"INSERT INTO {table} (id) VALUES (NULL)",
            f"INSERT INTO {table} (id) SELECT 'x' || i FROM range(3) r(i)",
            f"UPDATE {table} SET id = 'nothing like a number'",
            f"SELECT * FROM {table} WHERE no_such_column = 1",
            "DROP TABLE lake.no_such_table",
            f"INSERT INTO {table} (id) SELECT error('stop') FROM range(2)",
            f"CREATE VIEW {table} AS SELECT 1 AS one",
        ]), touches=(table,))

    # Reads

    def _read(self):
        table = self._table()
        return Step(self._random.choice([
            f"SELECT {self._row_id}* FROM {table} WHERE {self._where(table)}",
            f"SELECT count(*), min(id), max(id), count(DISTINCT rowid) FROM {table}",
            f"SELECT count(*) FROM {table} WHERE {self._where(table)}",
            f"SELECT t.*, s.id FROM {table} t JOIN {self._table()} s ON t.id = s.id WHERE t.id < 20",
        ]))

    def _time_travel(self):
        """Outside of transactions: the reference shows uncommitted rows in old versions, and an unknown one ends the
        transaction there."""
        table = self._table()
        version = self._random.randint(1, self._commits + 2) if self._random.random() < 0.95 else 100000
        return Step(f"SELECT {self._row_id}* FROM {table} AT (VERSION => {version})")
