"""The shell on a terminal: typed into through a pseudo terminal, as a person would."""

import stat
import time

PROMPT = r"tarn> "
LAKE = r"lake> "
CTRL_C, CTRL_D, TAB, UP = "\x03", "\x04", "\t", "\x1b[A"


def test_statements_over_several_lines(terminal):
    shell = terminal()
    shell.expect(PROMPT)
    shell.ask("SELECT 40 +", r"   -> ")
    shell.ask("2 AS", r"   -> ")
    shell.ask("answer;", r"│ +42 │")
    shell.expect(PROMPT)
    shell.ask("SELECT 'a", r"   '> ")
    shell.ask("b' AS t;", r"a\\nb")
    assert shell.leave() == 0


def test_ctrl_d_may_come_early(terminal):
    """Typed while a statement runs it ends the shell after it."""
    shell = terminal()
    shell.expect(PROMPT)
    shell.send("SELECT count(*) FROM range(300000000) r WHERE hash(range) = 1;\r")
    time.sleep(0.5)
    shell.send(CTRL_D)
    assert shell.end() == 0


def test_an_error_does_not_end_it(terminal):
    shell = terminal()
    shell.expect(PROMPT)
    shell.ask("SELECT nope;", r'Binder Error:.*"nope"')
    shell.expect(PROMPT)
    shell.ask("SELECT 'still' || 'here';", "stillhere")
    shell.ask(".nosuch", "There is no command")
    shell.expect(PROMPT)
    shell.ask(".quit", "")
    assert shell.end() == 0


def test_ctrl_c_cancels_a_statement_and_the_shell_lives_on(terminal):
    shell = terminal()
    shell.expect(PROMPT)
    shell.send("SELECT count(*) FROM range(1000000000000::BIGINT) r WHERE hash(range) = 1;\r")
    time.sleep(1.5)
    shell.send(CTRL_C)
    shell.expect(r"Cancelled\.", seconds=20)
    shell.expect(PROMPT)
    shell.ask("SELECT 6 * 7 AS a;", r"│ +42 │")


def test_ctrl_c_clears_what_was_typed(terminal):
    shell = terminal()
    shell.expect(PROMPT)
    shell.ask("SELECT", r"   -> ")
    shell.send("nonsense" + CTRL_C)
    shell.expect(PROMPT)
    shell.ask("SELECT 6 * 7 AS a;", r"│ +42 │")
    shell.expect(PROMPT)
    shell.send("more nonsense" + CTRL_C)
    shell.expect(PROMPT)
    shell.ask("SELECT 6 * 7 AS a;", r"│ +42 │")


def test_lake_at_the_prompt(terminal, tarn):
    shell = terminal("my.db")
    shell.expect(LAKE)
    shell.ask("CREATE TABLE t AS FROM range(3);", LAKE)
    assert "3 rows changed" in shell.ask("INSERT INTO t FROM range(3);", LAKE)
    shell.ask(".tables", r"│ t ")
    shell.expect(LAKE)
    shell.ask("BEGIN; INSERT INTO t VALUES (1);", LAKE)
    assert shell.leave() == 0
    assert "still open: what it did is rolled back" in shell.seen
    assert tarn("my.db", "--csv", "-c", "SELECT count(*) AS n FROM t") == "n\n6\n"


def test_history_lasts_and_is_private(terminal, tmp_path):
    shell = terminal()
    shell.expect(PROMPT)
    shell.ask("SELECT", r"   -> ")
    shell.ask("11 * 11 AS a;", r"│ +121 │")
    shell.expect(PROMPT)
    shell.ask("CREATE SECRET s (TYPE s3, KEY_ID 'k', SECRET 'hush');", PROMPT)
    assert shell.leave() == 0
    file = tmp_path / "home/.local/state/tarn/history"
    assert file.read_text() == "SELECT 11 * 11 AS a;\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700

    again = terminal()
    again.expect(PROMPT)
    again.send(UP)
    again.expect(r"SELECT 11 \* 11 AS a;")
    again.send("\r")
    again.expect(r"│ +121 │")


def test_history_goes_where_the_user_keeps_state(terminal, tmp_path):
    shell = terminal(XDG_STATE_HOME=str(tmp_path / "state"))
    shell.expect(PROMPT)
    shell.ask("SELECT 1;", PROMPT)
    shell.leave()
    assert (tmp_path / "state/tarn/history").read_text() == "SELECT 1;\n"


def test_completion(terminal):
    shell = terminal("my.db")
    shell.expect(LAKE)
    shell.ask("CREATE TABLE observations (temperature INT, humidity INT);", LAKE)
    shell.send("FROM observ" + TAB)
    shell.expect("ations ")
    shell.send(CTRL_C)
    shell.expect(LAKE)
    shell.send("SELECT observations.hum" + TAB)
    shell.expect("idity ")
    shell.send(CTRL_C)
    shell.expect(LAKE)
    shell.send(".sch" + TAB)
    shell.expect("ema ")
    shell.send(CTRL_C)
    shell.expect(LAKE)
    # Two that go on differently are listed.
    shell.send("SELECT observations." + TAB)
    shell.expect("humidity +temperature")
    shell.send(CTRL_C)
    shell.expect(r"\^C\s+" + LAKE)
    shell.send("SELECT 6 * 7 A" + "S a;\r")
    shell.expect(r"│ +42 │")


def test_letters_of_all_kinds(terminal):
    shell = terminal()
    shell.expect(PROMPT)
    shell.ask("SELECT 'żółć 日本' AS t;", r"│ żółć 日本 │")
    posix = terminal(LC_ALL="C")
    posix.expect(PROMPT)
    posix.ask("SELECT upper('żółć') AS t;", r"│ ŻÓŁĆ +│")


def test_colours_only_where_wanted(terminal):
    shell = terminal("-c", "SELECT 1 AS a", "-c", "SELECT nope", NO_COLOR="")
    shell.end()
    assert "\x1b[1m" in shell.seen and "\x1b[31m" in shell.seen
    for environment in ({}, {"NO_COLOR": "", "TERM": "dumb"}):
        plain = terminal("-c", "SELECT 1 AS a", "-c", "SELECT nope", **environment)
        assert plain.end() == 1
        assert "\x1b" not in plain.seen


def test_a_box_fits_the_terminal(terminal):
    shell = terminal("-c", "SELECT range AS i, repeat('x', 200) AS x FROM range(1000)")
    shell.end()
    lines = shell.seen.splitlines()
    assert len(lines) < 60 and max(map(len, lines)) <= 80
    assert "1000 rows" in shell.seen and "40 shown" in shell.seen


def test_progress_is_drawn_and_wiped_off(terminal):
    shell = terminal("-c", "CREATE TABLE t AS SELECT range AS i FROM range(10000000)", "-c",
                     "SELECT sum(list_sum(range(500 + i % 2))) FROM t")
    shell.expect("% [█░]{40}", seconds=60)
    shell.send(CTRL_C)
    assert shell.end() == 130
    assert "\r\x1b[K" in shell.seen


def test_it_never_asks_when_nobody_is_there(tarn):
    assert "tarn>" not in tarn(stdin="SELECT 1;\n")
