"""The connection to PostgreSQL is cut at each message, slow, or gone just when a commit's answer was due.

Each statement ends in success or one clear error; what it said is what the lake holds; the next one works.
"""

import itertools

import pytest
from lakes import UNKNOWN, attempt
from proxy import TO_CLIENT, TO_SERVER, Fault, Proxy

DIRECTIONS = pytest.mark.parametrize("direction", [TO_SERVER, TO_CLIENT])


@pytest.fixture
def world(make_world):
    made = make_world("postgres")
    with made.open() as connection:
        connection.execute("CREATE TABLE lake.item (id BIGINT, name VARCHAR)")
        connection.execute("INSERT INTO lake.item SELECT -1 - range, 'first' FROM range(100)")
    return made


@pytest.fixture
def proxy(server):
    with Proxy(server.port) as running:
        yield running


@pytest.fixture
def cut_client(world, proxy):
    """A client whose lake is on the other side of the proxy."""
    with world.open(world.through(proxy.port)) as connection:
        yield connection


class Ledger:
    """What the lake must hold: ids that were acknowledged, and those that nobody can know about."""

    def __init__(self):
        self.present, self.unknown = set(), set()

    def note(self, number, error):
        if error is None:
            self.present.add(number)
        elif UNKNOWN in error:
            self.unknown.add(number)

    def assert_matches(self, connection):
        rows = [id for id, in connection.execute("SELECT id FROM lake.item WHERE id >= 0").fetchall()]
        assert len(rows) == len(set(rows)), "an insert is there twice"
        assert self.present <= set(rows), "an acknowledged insert is missing"
        assert set(rows) <= self.present | self.unknown, "a failed insert is there"


@pytest.fixture
def every(rounds):
    """At which messages to cut: each in a long run, else each n-th."""
    return lambda step: 1 if rounds > 1 else step


def strikes(proxy, direction, connection, statements, step):
    """Runs `statements(0)` to count its messages, then `statements(at)` with a cut at each step-th: (at, error)."""
    proxy.arm(Fault(direction))
    error = attempt(connection, *statements(0))
    proxy.disarm()
    assert error is None, "what nothing cut failed"
    messages = proxy.seen
    assert messages > 3
    yield 0, None
    for at in range(1, messages + 1, step):
        proxy.arm(Fault(direction, at=at))
        error = attempt(connection, *statements(at))
        proxy.disarm()
        yield at, error


@DIRECTIONS
def test_an_insert_cut_at_any_message_is_there_once_or_not_at_all(world, proxy, cut_client, direction, every):
    ledger = Ledger()

    def statements(at):
        return [f"INSERT INTO lake.item VALUES ({at}, 'insert')"]

    for at, error in strikes(proxy, direction, cut_client, statements, every(9)):
        ledger.note(at, error)
        assert cut_client.execute("SELECT count(*) FROM lake.item WHERE id < 0").fetchone() == (100,)
    ledger.assert_matches(cut_client)
    world.assert_whole()


@DIRECTIONS
def test_a_transaction_cut_at_any_message_is_there_whole_or_not_at_all(world, proxy, cut_client, direction, every):
    ledger = Ledger()
    cut_client.execute("CREATE TABLE lake.log (id BIGINT)")

    def statements(at):
        return ["BEGIN", f"INSERT INTO lake.item VALUES ({at}, 'all')", f"INSERT INTO lake.log VALUES ({at})",
                f"UPDATE lake.item SET name = 'changed {at}' WHERE id = -1", "COMMIT"]

    for at, error in strikes(proxy, direction, cut_client, statements, every(41)):
        ledger.note(at, error)
        assert cut_client.execute("SELECT count(*) FROM lake.item WHERE id < 0").fetchone() == (100,)
    ledger.assert_matches(cut_client)
    halves = cut_client.execute("SELECT id FROM (SELECT id FROM lake.item WHERE id >= 0) AS item "
                                "FULL JOIN lake.log USING (id) WHERE item.id IS NULL OR log.id IS NULL").fetchall()
    assert halves == []
    world.assert_whole()


@DIRECTIONS
def test_reading_and_creating_cut_at_any_message_end_in_one_error_and_work_again(world, proxy, cut_client, direction, every):
    for _ in strikes(proxy, direction, cut_client, lambda at: ["SELECT sum(id) FROM lake.item"], every(2)):
        assert cut_client.execute("SELECT count(*) FROM lake.item").fetchone() == (100,)
    made, unknown = set(), set()

    def statements(at):
        return [f"CREATE TABLE lake.made_{at} (id BIGINT)"]

    for at, error in strikes(proxy, direction, cut_client, statements, every(13)):
        if error is None:
            made.add(f"made_{at}")
        elif UNKNOWN in error:
            unknown.add(f"made_{at}")
    names = {name for name, in cut_client.execute(
        "SELECT table_name FROM duckdb_tables() WHERE database_name = 'lake' AND table_name LIKE 'made%'").fetchall()}
    assert made <= names <= made | unknown
    world.assert_whole()


@DIRECTIONS
def test_attach_cut_at_any_message_fails_clearly_and_succeeds_when_tried_again(world, proxy, direction, every):
    attach = world.attach_statement(world.through(proxy.port))
    with world.client() as connection:
        for _, error in strikes(proxy, direction, connection, lambda at: [attach], every(3)):
            if error is not None:
                assert "lake" in error and "tarn-test" not in error, error
                connection.execute(attach)
            assert connection.execute("SELECT count(*) FROM lake.item").fetchone() == (100,)
            connection.execute("DETACH lake")
    world.assert_whole(unreferenced=False)


@DIRECTIONS
def test_making_a_lake_cut_at_any_message_leaves_nothing_or_a_whole_lake(make_world, server, proxy, direction, tmp_path, every):
    for at in itertools.count(1, every(131)):
        world = make_world("postgres", tmp_path / str(at))
        with world.client() as connection:
            proxy.arm(Fault(direction, at=at))
            error = attempt(connection, world.attach_statement(world.through(proxy.port)))
        struck = proxy.disarm()
        with world.open() as connection:
            connection.execute("CREATE TABLE lake.item AS SELECT 1 AS id")
            assert connection.execute("FROM lake.item").fetchall() == [(1,)]
        server.wait_until_idle("lake")
        world.assert_whole(unreferenced=False)
        if not struck:
            assert error is None
            break


def test_a_commit_whose_answer_is_lost_is_found_out_about_and_never_repeated(world, proxy, cut_client):
    ledger, struck = Ledger(), 0
    for number in range(10):
        proxy.arm(Fault(word=b"COMMIT"))
        error = attempt(cut_client, f"INSERT INTO lake.item VALUES ({number}, 'lost answer')")
        struck += proxy.disarm()
        assert error is None or UNKNOWN in error, error
        ledger.note(number, error)
        ledger.assert_matches(cut_client)
    assert struck == 10
    world.assert_whole()


@DIRECTIONS
def test_a_slow_connection_changes_nothing_but_the_time(world, proxy, cut_client, direction):
    proxy.arm(Fault(direction, delay=0.005))
    cut_client.execute("INSERT INTO lake.item VALUES (1, 'slow'), (2, 'slow')")
    cut_client.execute("DELETE FROM lake.item WHERE id = 1")
    assert cut_client.execute("SELECT id FROM lake.item WHERE id > 0").fetchall() == [(2,)]
    proxy.disarm()
    world.assert_whole(unreferenced=False)
