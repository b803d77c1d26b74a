"""The API: the shapes of `--json`, the order of events, errors as sentences, and a server that outlives its games."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import zermelo as z
from served import OWN, Running, until

POSITION = "/api/v1/position"


def events(api: httpx.Client, **question: Any) -> list[tuple[str, Any]]:
    """All that an analysis tells."""
    with listening(api, **question) as told:
        return list(told)


@contextmanager
def listening(api: httpx.Client, **question: Any) -> Iterator[Iterator[tuple[str, Any]]]:
    with api.stream("GET", "/api/v1/analysis", params={"q": json.dumps(question)}) as answer:

        def told() -> Iterator[tuple[str, Any]]:
            kind = ""
            for line in answer.iter_lines():
                if line.startswith("event: "):
                    kind = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    yield kind, json.loads(line.removeprefix("data: "))

        yield told()


def test_a_position_has_all_that_is_needed_to_show_it(api: httpx.Client) -> None:
    asked = {"game": "connect-four", "set": {"width": 4, "height": "4"}, "moves": ["2", "2"]}
    told = api.post(POSITION, json=asked).json()
    assert (told["turn"], told["result"], told["history"], told["text"]) == (0, None, ["2", "2"], "2 2")
    assert told["parameters"]["height"] == 4
    assert told["moves"][1] == {"text": "2", "path": ["column 2"], "at": "2-3"}
    assert told["last"] == {"text": "2", "path": ["column 2"], "at": "2-2"}
    assert told["svg"].startswith("<svg ")
    assert set(told["spots"]) == {f"{c}-{r}" for c in range(1, 5) for r in range(1, 5)}
    again = api.post(POSITION, json={"game": "tic-tac-toe", "position": "XX-OO----", "moves": ["c1"]}).json()
    assert (again["result"], again["moves"], again["words"]) == (1, [], "first player wins")
    assert again["began"] == "XX-OO----"


def test_outcomes_of_chance_tell_how_likely_they_are(api: httpx.Client) -> None:
    told = api.post(POSITION, json={"game": "pig", "moves": ["roll"]}).json()
    assert told["turn"] == 2
    assert [move["likelihood"] for move in told["moves"]] == pytest.approx([1 / 6] * 6)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"game": "tic-tac-toe", "moves": ["z9"]}, "'z9' is not a legal move here"),
        ({"game": "tic-tac-toe", "position": "nonsense"}, "'nonsense' is no position"),
        ({"game": "tic-tac-toe", "position": "XXX------", "moves": ["a3"]}, "X begins, so it has as many cells as O"),
        ({"game": "tic-tac-toe", "position": "XXXOO----", "moves": ["a3"]}, "cannot be played: the game is over"),
        ({"game": "tic-tac-toe", "moves": "a1"}, "moves is a list of texts"),
        ({"game": "tic-tac-toe", "moves": [1]}, "moves is a list of texts"),
        ({"game": "tic-tac-toe", "position": 5}, "position is a text"),
        ({}, "say which game"),
        ([], "send one JSON object"),
    ],
)
def test_what_is_wrong_is_a_sentence(api: httpx.Client, asked: Any, sentence: str) -> None:
    answer = api.post(POSITION, json=asked)
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]


def test_the_list_of_games_is_that_of_the_command(api: httpx.Client) -> None:
    told = api.get("/api/v1/games").json()
    names = [game["name"] for game in told["games"]]
    assert names == [name for name in z.games.names() if name not in ("graph", "openspiel")]
    assert {"name", "summary", "parameters", "traits"} == set(told["games"][0])
    assert {"name": "chomp.py", "parameters": {"cols": "3", "rows": "2"}} in told["own"]


def test_a_search_is_what_the_command_prints(api: httpx.Client) -> None:
    answer = z.search(z.games.tic_tac_toe().position("XX-OO----"), mode="interpreted", seconds=2)
    asked = {"game": "tic-tac-toe", "position": "XX-OO----", "seconds": 2}
    number = api.post("/api/v1/search", json=asked).json()["job"]
    told = api.get(f"/api/v1/jobs/{number}", params={"wait": "30"}).json()
    assert told["state"] == "done"
    assert set(told["answer"]) == {*answer.as_dict(), "move"}
    assert (told["answer"]["move"], told["answer"]["value"]) == ("c1", 1)
    number = api.post("/api/v1/solve", json={"game": "tic-tac-toe", "position": "XX-OO----"}).json()["job"]
    solved = api.get(f"/api/v1/jobs/{number}", params={"wait": "30"}).json()["answer"]
    assert (solved["value"], solved["best"], solved["status"]) == (1, ["c1"], "proven")
    assert api.get("/api/v1/jobs/999999").status_code == 404


def test_engines_that_were_named_at_the_start_may_play(api: httpx.Client) -> None:
    engines = [each["name"] for each in api.post("/api/v1/game", json={"game": "tic-tac-toe"}).json()["engines"]]
    own = f"{OWN}:Last"
    assert engines[1] == own
    number = api.post("/api/v1/search", json={"game": "tic-tac-toe", "method": own, "seconds": 1}).json()["job"]
    assert api.get(f"/api/v1/jobs/{number}", params={"wait": "30"}).json()["answer"] == {"move": "c3"}
    number = api.post("/api/v1/search", json={"game": "tic-tac-toe", "method": f"{OWN}:Other"}).json()["job"]
    told = api.get(f"/api/v1/jobs/{number}", params={"wait": "30"}).json()
    assert "no method is called" in told["error"]


def test_jobs_can_be_ended(api: httpx.Client) -> None:
    number = api.post("/api/v1/solve", json={"game": "hex", "set": {"size": 9}}).json()["job"]
    until(lambda: api.get(f"/api/v1/jobs/{number}").json()["state"] == "running")
    assert api.delete(f"/api/v1/jobs/{number}").json()["state"] == "stopped"
    until(lambda: api.get("/api/v1/about").json()["searching"] == 0)


@pytest.mark.parametrize(
    ("game", "parameters", "plies"),
    [("tic-tac-toe", {}, 4), ("tic-tac-toe", {}, 5), ("othello", {"rows": 4, "cols": 4}, 9), ("morris", {"men": 3}, 7)],
)
def test_every_move_has_the_value_that_solving_gives(api: httpx.Client, game: str, parameters: Any, plies: int) -> None:
    position, chance = z.games.load(game, parameters).position(), random.Random(plies)
    while len(position.history()) < plies and position.result is None:
        position = position.play(chance.choice(position.codes))
    told = events(api, game=game, set=parameters, moves=position.history())
    found = {data["move"]: data for kind, data in told if kind == "move"}
    for move in position.moves():
        right = z.solve(position.play(move), mode="interpreted", value_only=True).value
        assert found[move]["value"] == right
        assert found[move]["status"] == "proven"
        assert found[move]["mover_value"] == (right if position.turn == 0 else -right)
        if position.game.values == (-1, 1):
            mine = right if position.turn == 0 else -right
            assert found[move]["badge"]["text"].split()[0] == {1: "W", 0: "D", -1: "L"}[mine]
    value = [data for kind, data in told if kind == "value"][-1]
    solved = z.solve(position, mode="interpreted")
    assert (value["value"], value["status"], value["complete"]) == (solved.value, "proven", True)
    assert sorted(value["best"]) == sorted(solved.best)
    for line in value["lines"]:
        end = position
        for move in line:
            end = end.play(move)


def test_events_come_in_order_and_end(api: httpx.Client) -> None:
    kinds = [kind for kind, _ in events(api, game="tic-tac-toe", position="XX-OO----")]
    assert kinds[0] == "state"
    assert kinds[-1] == "done"
    assert kinds.count("done") == 1
    assert {"move", "value"} <= set(kinds)
    assert events(api, game="tic-tac-toe", position="XXXOO----")[-1] == ("done", None)


def test_expectations_are_shares_of_games(api: httpx.Client) -> None:
    told = events(api, game="pig", set={"goal": 8}, position="7-7 X+0")
    found = {data["move"]: data for kind, data in told if kind == "move"}
    right = z.solve(z.games.pig(goal=8).position("7-7 X+0").play("roll"), mode="interpreted").value
    assert found["roll"]["value"] == pytest.approx(right, abs=1e-6)
    assert found["roll"]["badge"]["text"] == f"{50 * (right + 1):.0f}%"


def test_who_leaves_ends_the_search(api: httpx.Client) -> None:
    with listening(api, game="hex", set={"size": 9}) as told:
        next(kind for kind, _ in told if kind == "progress")
        assert api.get("/api/v1/about").json()["searching"] >= 1
    until(lambda: api.get("/api/v1/about").json()["searching"] == 0)
    assert api.post(POSITION, json={"game": "hex", "set": {"size": 9}}).status_code == 200


def test_a_time_limit_ends_it_too(api: httpx.Client) -> None:
    told = events(api, game="hex", set={"size": 9}, seconds=0.5)
    assert told[-1][0] == "done"
    value = [data for kind, data in told if kind == "value"]
    assert not value or value[-1]["status"] != "proven"


def test_a_drawing_that_raises_is_a_sentence_and_the_game_lives(api: httpx.Client) -> None:
    answer = api.post(POSITION, json={"game": "raises", "moves": ["1", "1"]})
    assert answer.status_code == 400
    assert "ZeroDivisionError: no picture for two plies (own_games.py, line" in answer.json()["error"]
    assert api.post(POSITION, json={"game": "raises", "moves": ["1"]}).status_code == 200


def test_a_rule_that_never_ends_is_ended(api: httpx.Client) -> None:
    answer = api.post(POSITION, json={"game": "endless", "moves": ["1"]})
    assert answer.status_code == 504
    assert "did not answer within 3 seconds" in answer.json()["error"]
    assert api.post(POSITION, json={"game": "endless"}).status_code == 200


def test_a_game_that_takes_its_process_along_takes_nobody_else(api: httpx.Client) -> None:
    answer = api.post(POSITION, json={"game": "dies", "moves": ["1"]})
    assert answer.status_code == 400
    assert "exit code 3" in answer.json()["error"]
    assert api.post(POSITION, json={"game": "dies"}).status_code == 200


def test_what_rules_print_is_not_taken_for_an_answer(api: httpx.Client) -> None:
    assert api.post(POSITION, json={"game": "chatty", "moves": ["1"]}).json()["history"] == ["1"]


def test_records_go_out_and_come_back(api: httpx.Client) -> None:
    asked = {"game": "tic-tac-toe", "position": "XX-OO----", "moves": ["c1"]}
    text = api.post("/api/v1/record", json=asked).json()["text"]
    assert "result: +1, by the rules" in text
    assert api.post("/api/v1/record", json={"game": "tic-tac-toe", "text": text}).json() == {
        "position": "XX-OO----", "moves": ["c1"],
    }  # fmt: skip
    assert api.post("/api/v1/record", json={"game": "tic-tac-toe", "text": "hex(size=3)"}).status_code == 400


@pytest.fixture(scope="module")
def patient(server: Running) -> Iterator[httpx.Client]:
    with server.client(Authorization=f"Bearer {server.token}") as client:
        yield client


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-1e9, 1e9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
questions = st.fixed_dictionaries(
    {},
    optional={
        "game": st.sampled_from(["tic-tac-toe", "hex"]) | anything, "set": st.just({}) | anything, "moves": anything,
        "position": anything, "seconds": anything, "text": anything, "method": anything, "depth": anything,
    },
)  # fmt: skip


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.sampled_from(["position", "game", "record", "analysis"]), asked=questions | anything)
def test_nothing_that_is_sent_is_an_error_of_the_server(patient: httpx.Client, path: str, asked: Any) -> None:
    if isinstance(asked, dict):
        asked = {**asked, "seconds": 0.01} if path == "analysis" else asked
    if path == "analysis":
        answer = patient.get("/api/v1/analysis", params={"q": json.dumps(asked)})
    else:
        answer = patient.post(f"/api/v1/{path}", json=asked)
    assert answer.status_code < 500
    if answer.status_code >= 400:
        assert set(answer.json()) == {"error"}
