"""Makes a program that shows a difference as small as it can, by leaving out more and more of it."""

import time
from dataclasses import replace


def shrink(program, fails, seconds=60):
    """The smallest program found for which `fails` still holds: whole units go first, then single statements."""
    end = time.monotonic() + seconds

    def holds(units):
        return time.monotonic() < end and fails(replace(program, units=units))

    units = _without(program.units, holds)
    for place in range(len(units)):
        def holds_with(steps, place=place):
            return _balanced(steps) and holds(units[:place] + [steps] + units[place + 1:])
        units[place] = _without(units[place], holds_with)
        inner = [step for step in units[place] if step.sql not in ("BEGIN", "COMMIT")]
        if len(inner) < len(units[place]) and holds(units[:place] + [inner] + units[place + 1:]):
            units[place] = inner
    return replace(program, units=_without([unit for unit in units if unit], holds))


def _balanced(steps):
    """Whether every transaction that a unit begins also ends in it."""
    open_in = set()
    for step in steps:
        if step.sql == "BEGIN":
            open_in.add(step.connection)
        elif step.sql in ("COMMIT", "ROLLBACK"):
            open_in.discard(step.connection)
    return not open_in


def _without(parts, holds):
    """Delta debugging: leaves out halves, then quarters, down to single parts, for as long as `holds` does."""
    parts = list(parts)
    size = max(1, len(parts) // 2)
    while parts:
        place = 0
        removed = False
        while place < len(parts):
            fewer = parts[:place] + parts[place + size:]
            if holds(fewer):
                parts, removed = fewer, True
            else:
                place += size
        if size == 1 and not removed:
            break
        size = max(1, size // 2)
    return parts


def as_sql(program):
    """The program as SQL that can be run by hand; statements of the second connection are marked."""
    options = ", ".join(filter(None, ["DATA_PATH 'data/'", program.attach]))
    kind = {"sqlite": "sqlite:lake.sqlite", "duckdb": "lake.db", "postgres": "postgres:dbname=lake"}[program.catalog]
    lines = [f"ATTACH 'ducklake:{kind}' AS lake ({options});"]
    two = len({step.connection for unit in program.units for step in unit}) > 1
    for unit in program.units:
        for step in unit:
            mark = f"/* {step.connection} */ " if two else ""
            lines.append(step.sql if step.sql.startswith("--") else f"{mark}{step.sql};")
    return "\n".join(lines)
