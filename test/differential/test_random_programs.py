"""Fixed seeds of random programs, short ones; and that a difference would be found and shrunk.

The long run is made with run.py.
"""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import generator  # noqa: E402
from generator import Step  # noqa: E402
from shrink import as_sql, shrink  # noqa: E402
from two_lakes import Pair  # noqa: E402

from harness import postgres  # noqa: E402

BUILD = Path(os.environ.get("TARN_BUILD") or HERE.parents[1] / "build/release").resolve()

# Of seeds whose programs show no known fault.
SEEDS = {"sqlite": (1, 2, 3), "duckdb": (1, 2, 3), "postgres": (1, 2, 3)}


@pytest.fixture(scope="module")
def server():
    with postgres.Server() as running:
        yield running


@pytest.fixture(scope="module", params=SEEDS)
def pair(request):
    dsn = request.getfixturevalue("server").dsn if request.param == "postgres" else None
    with Pair(request.param, BUILD, postgres=dsn) as pair:
        yield request.param, pair


def test_nothing_differs(pair):
    catalog, both = pair
    for seed in SEEDS[catalog]:
        program = generator.program(seed, catalog, 16)
        difference = both.run(program, versions=4)
        assert difference is None, f"seed {seed}\n{as_sql(program)}\n{difference}"


def test_a_seed_always_makes_the_same_program():
    assert as_sql(generator.program(7, "sqlite", 40)) == as_sql(generator.program(7, "sqlite", 40))
    assert as_sql(generator.program(7, "sqlite", 40)) != as_sql(generator.program(8, "sqlite", 40))


def test_a_difference_is_found(pair):
    """An answer that depends on the client stands for a fault."""
    catalog, both = pair
    program = generator.program(1, catalog, 4)
    spoilt = Step("SELECT count(*) FROM duckdb_extensions() WHERE loaded AND extension_name = 'tarn'")
    difference = both.run(replace(program, units=program.units + [[spoilt]]), early=True)
    assert difference is not None and difference.question == spoilt.sql
    assert difference.units == len(program.units) + 1


def test_shrinking_keeps_what_matters():
    program = generator.program(3, "duckdb", 60)
    first, second = Step("first"), Step("second")
    units = program.units[:10] + [[Step("BEGIN"), Step("x"), first, Step("y"), Step("COMMIT")]] + program.units[10:]
    program = replace(program, units=units + [[second]])

    def fails(candidate):
        steps = [step for unit in candidate.units for step in unit]
        return first in steps and second in steps

    assert shrink(program, fails).units == [[first], [second]]


def test_shrinking_leaves_no_transaction_open():
    program = replace(generator.program(3, "duckdb", 10), units=[[Step("BEGIN"), Step("x"), Step("ROLLBACK")]])
    small = shrink(program, lambda candidate: any(step.sql == "ROLLBACK" for unit in candidate.units for step in unit))
    assert small.units in ([[Step("BEGIN"), Step("ROLLBACK")]], [[Step("ROLLBACK")]])
