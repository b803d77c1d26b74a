"""Tables of games that do not number their positions: what is found is what there is, and worth what it is worth."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import oracles
from marks import slow
from random_chance import random_chance
from random_games import random_game, seeded
from zermelo import games, solve
from zermelo.certificates.certificate import Damaged
from zermelo.core.memory import parse_size
from zermelo.knowledge import building, enumerating, tier_solver
from zermelo.knowledge.blocks import ZLIB
from zermelo.knowledge.building import build_table
from zermelo.knowledge.coding import FAR
from zermelo.knowledge.enumerating import AUTOMATON, KEYS, build_index, find_positions
from zermelo.knowledge.manifest import Manifest, read_manifest
from zermelo.knowledge.resting import with_tables
from zermelo.knowledge.table import Table
from zermelo.knowledge.verifying import verify_table
from zermelo.rules import Game, Position, RuleError, TooLarge, Unsuitable

SEEDS = range(4)


@pytest.fixture
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Which index a table gets, whatever is smaller."""
    chosen: str = request.param
    monkeypatch.setattr(enumerating, "_smaller", lambda files: chosen)
    return chosen


either_index = pytest.mark.parametrize("kind", [AUTOMATON, KEYS], indirect=True)


def told_apart(game: Game, by: str) -> Game:
    """By whole states, or by a key."""
    return game if by == "key" else replace(game, key=None)


def ongoing(position: Position) -> list[Position]:
    """All positions from one on where play goes on, without the way to them."""
    fresh = [Position(position.game, one.state) for one in oracles.positions(position)]
    return [one for one in fresh if one.result is None]


def built(position: Position, folder: Path, **settings: Any) -> tuple[Manifest, Table]:
    manifest = build_table(position.game, folder, position=position, mode="interpreted", **settings)
    return manifest, Table.open(folder, position.game)


@either_index
@pytest.mark.parametrize("by", ["state", "key"])
@pytest.mark.parametrize("repetition", ["none", "draw"])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_position_has_its_score(seed: int, repetition: str, by: str, kind: str, tmp_path: Path) -> None:
    start = seeded(told_apart(random_game(size=9, repetition=repetition), by), seed)
    manifest, table = built(start, tmp_path / "t")
    found = ongoing(start)
    assert manifest.index.kind == kind
    assert manifest.tiers[0].positions == manifest.index.positions == len(found)
    for position in found:
        assert table.probe(position).score == oracles.value(position)
    assert {table.place(position) for position in found} == {(0, number) for number in range(len(found))}
    assert verify_table(tmp_path / "t", start.game, mode="interpreted") == (len(found), None)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_position_has_its_distance(seed: int, tmp_path: Path) -> None:
    start = seeded(told_apart(random_game(size=14, spread=1, repetition="draw"), "state"), seed)
    manifest, table = built(start, tmp_path / "t")
    distances = rounds(start)
    for position in ongoing(start):
        score, plies = table.probe(position)
        value = distances[position.state.node]
        assert (score, plies) == ((value > 0) - (value < 0), FAR - abs(value) if value else None)
    wins = [plies for value in distances.values() if 0 < (plies := FAR - abs(value)) < FAR]
    listed = {plies: won + lost for plies, won, lost in manifest.tiers[0].by_distance}
    assert listed == {plies: wins.count(plies) for plies in wins}
    assert verify_table(tmp_path / "t", start.game, mode="interpreted").wrong is None


def rounds(start: Position) -> dict[int, int]:
    """By rounds over all positions, as slow and as plain as can be: a win of the first player in d plies is FAR - d."""
    spots = {int(one.state.node): Position(start.game, one.state) for one in oracles.positions(start)}
    known = {node: int(spot.result * FAR) for node, spot in spots.items() if spot.result is not None}
    for ply in range(1, 3 * len(spots)):
        fresh = {}
        for node, spot in spots.items():
            if node in known:
                continue
            sign = -1 if spot.turn == 1 else 1
            after = [sign * known.get(int(spot.play(move).state.node), 0) for move in spot.moves()]
            if max(after) > 0:
                fresh[node] = sign * (FAR - ply)
            elif max(after) < 0:
                fresh[node] = -sign * (FAR - ply)
        known.update(fresh)
    return {node: known.get(node, 0) for node in spots}


@pytest.mark.parametrize("kind", ["wdl", "distance", "score"])
def test_other_values(kind: str, tmp_path: Path) -> None:
    start = seeded(random_game(size=20, spread=1), 3)
    _, table = built(start, tmp_path / "t", values=kind)
    for position in ongoing(start):
        assert table.probe(position).score == oracles.value(position)
    assert verify_table(tmp_path / "t", start.game, mode="interpreted").wrong is None


@pytest.mark.parametrize("by", ["state", "key"])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_position_has_its_expectation(seed: int, by: str, tmp_path: Path) -> None:
    start = seeded(told_apart(random_chance(size=12), by), seed)
    _, table = built(start, tmp_path / "t", wide=True)
    for position in ongoing(start):
        assert table.probe(position).score == pytest.approx(float(oracles.expected(position)), abs=1e-12)
    assert verify_table(tmp_path / "t", start.game, mode="interpreted").wrong is None


@pytest.mark.parametrize("seed", slow(*SEEDS))
def test_outcomes_that_lead_back(seed: int, tmp_path: Path) -> None:
    start = seeded(random_chance(size=12, endless=True), seed)
    _, table = built(start, tmp_path / "t", wide=True)
    for position in ongoing(start):
        exact = solve(position, method="expectation", mode="interpreted").value
        assert table.probe(position).score == pytest.approx(exact, abs=1e-9)
    assert verify_table(tmp_path / "t", start.game, mode="interpreted").wrong is None


def test_points_that_add_up(tmp_path: Path) -> None:
    game = replace(games.kalah(pits=2, stones=1), index=None, unindex=None, tiers=None)
    start = Position(game)
    _, table = built(start, tmp_path / "t")
    for position in ongoing(start):
        assert table.probe(position).score == oracles.value(position)
    assert verify_table(tmp_path / "t", start.game, mode="interpreted").wrong is None


@either_index
@pytest.mark.parametrize("by", ["state", "key"])
def test_what_was_not_reached_is_not_there(by: str, kind: str, tmp_path: Path) -> None:
    game = told_apart(random_game(size=30), by)
    _, table = built(seeded(game, 1), tmp_path / "t")
    reached = {int(position.state.node) for position in ongoing(seeded(game, 1))}
    assert len(reached) < 30
    for seed in (1, 2):
        for node in range(30):
            position = Position(game, game.State(node=node, seed=seed))
            assert table.holds(position) == (seed == 1 and node in reached)
    with pytest.raises(Unsuitable, match="it was not reached when the table was built"):
        table.probe(seeded(game, 2))


def test_positions_with_one_key_are_one(tmp_path: Path) -> None:
    """Tic-tac-toe whose key is that of mirror images: a position stands for all of them."""
    game = games.tic_tac_toe()
    merged = replace(game, key=game.symmetry, exact_key=False)
    manifest, table = built(Position(merged), tmp_path / "t", values="wdl")
    assert manifest.index.positions == len({int(game.symmetry(one.state)) for one in ongoing(Position(game))})
    assert manifest.index.positions < 1000
    for texts in ("a1 b2", "c1 b2", "a3 b2", "b2 a1"):
        assert table.probe(merged.position(texts)).score == 0
    assert table.place(merged.position("a1 b2")) == table.place(merged.position("c3 b2"))
    assert verify_table(tmp_path / "t", merged, mode="interpreted").wrong is None


@pytest.mark.parametrize("by", ["state", *slow("key")])
def test_both_modes_build_the_same(by: str, tmp_path: Path) -> None:
    start = seeded(told_apart(random_game(size=60, spread=1, repetition="draw"), by), 2)
    one, other = (
        build_table(start.game, tmp_path / mode, position=start, mode=mode) for mode in ("interpreted", "compiled")
    )
    assert (one.index, one.tiers) == (other.index, other.tiers)
    assert verify_table(tmp_path / "compiled", start.game, mode="compiled").wrong is None


@either_index
@pytest.mark.parametrize("mode", ["interpreted", *slow("compiled")])
def test_searches_ask_the_table(mode: str, kind: str, tmp_path: Path) -> None:
    game = told_apart(random_game(size=24, moves=3, span=3), "state")
    start = seeded(game, 3)
    manifest, table = built(start.play(start.codes[0]), tmp_path / "t")
    assert manifest.index.kind == kind
    known = with_tables(game, [tmp_path / "t"])
    resting = Position(known, start.state)
    assert not table.holds(start)
    plain, helped = (solve(one, method="alphabeta", mode=mode) for one in (start, resting))
    assert helped.value == plain.value == oracles.value(start)
    assert helped.status == "proven"
    assert helped.nodes < plain.nodes
    known.rests_on.close()


def test_expectations_in_searches(tmp_path: Path) -> None:
    game = random_chance(size=14)
    start = seeded(game, 5)
    built(start.play(start.codes[-1]), tmp_path / "t", wide=True)
    known = with_tables(game, [tmp_path / "t"])
    answer = solve(Position(known, start.state), method="star1", mode="interpreted")
    assert answer.value == pytest.approx(float(oracles.expected(start)), abs=1e-9)
    known.rests_on.close()


def test_history_matters_only_where_it_can_come_back(tmp_path: Path) -> None:
    game = random_game(size=12, spread=1, repetition="draw")
    start = seeded(game, 6)
    built(start, tmp_path / "t")
    known = with_tables(game, [tmp_path / "t"])
    here = Position(known, start.state)
    assert known.rests_on.certain(here)
    assert not known.rests_on.certain(here.play(here.codes[0]))
    elsewhere = Position(known, start.state, previous=seeded(known, 7))
    assert known.rests_on.certain(elsewhere)
    known.rests_on.close()


@either_index
def test_one_flipped_bit_is_noticed(kind: str, tmp_path: Path) -> None:
    start = seeded(told_apart(random_game(size=40), "state"), 1)
    built(start, tmp_path / "t")
    assert sorted(path.name for path in (tmp_path / "t").iterdir()) == ["index", "table.json", "tier-0"]
    for path in sorted((tmp_path / "t").iterdir()):
        whole = path.read_bytes()
        for place in range(0, len(whole), 1 if path.name == "index" else 7):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
            with pytest.raises((Damaged, Unsuitable)):
                Table.open(tmp_path / "t", start.game)
        path.unlink()
        with pytest.raises((Damaged, Unsuitable)):
            Table.open(tmp_path / "t", start.game)
        path.write_bytes(whole)
    Table.open(tmp_path / "t", start.game)


@pytest.mark.parametrize("file", ["index", "tier-0"])
def test_what_is_damaged_is_built_again(file: str, tmp_path: Path) -> None:
    start = seeded(random_game(size=40), 1)
    manifest, _ = built(start, tmp_path / "t")
    whole = (tmp_path / "t" / file).read_bytes()
    (tmp_path / "t" / file).write_bytes(whole[:-1])
    with pytest.raises(Damaged, match="build it again"):
        Table.open(tmp_path / "t", start.game)
    again, _ = built(start, tmp_path / "t")
    assert again == manifest
    assert (tmp_path / "t" / file).read_bytes() == whole


def test_an_index_that_is_forged_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checksums that fit do not help: whatever stands in an index, numbers stay within the table."""
    start = seeded(told_apart(random_game(size=40), "state"), 1)
    packed, refused = enumerating._packed, 0
    for place in range(0, 200, 5):

        def forged(index: Any, codec: str, place: int = place) -> tuple[int, bytes]:
            planes = index.planes()
            planes[place * len(planes) // 200] ^= 1 << place % 8
            return packed(SimpleNamespace(planes=lambda: planes), codec)

        monkeypatch.setattr(enumerating, "_packed", forged)
        monkeypatch.setattr(enumerating, "_smaller", lambda files: AUTOMATON)
        try:
            manifest, table = built(start, tmp_path / str(place))
        except (Damaged, RuleError):
            refused += 1
            continue
        for position in ongoing(start):
            assert -1 <= table.place(position)[1] < manifest.index.positions
    assert refused > 0


def test_a_wrong_index_is_found_by_verifying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = seeded(random_game(size=40), 1)
    build_table(start.game, tmp_path / "t", position=start, mode="interpreted")
    found = enumerating.find_positions

    def more(*given: Any) -> Any:
        states, keys = found(*given)
        return states[:-1], keys[:-1]

    monkeypatch.setattr("zermelo.knowledge.verifying.find_positions", more)
    assert "positions, and the index numbers" in str(verify_table(tmp_path / "t", start.game, mode="interpreted").wrong)


class Killed(BaseException):
    pass


@pytest.mark.parametrize("after", [1, 2, 3, 5])
def test_a_build_that_was_left_goes_on(after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = seeded(random_game(size=60, spread=1, repetition="draw"), 3)
    monkeypatch.setattr(building, "EVERY", 0.0)
    monkeypatch.setitem(tier_solver.CHUNK, "interpreted", 16)
    steps: list[str] = []

    def left(progress: building.Progress) -> None:
        if progress.step.what != building.FINDING:
            steps.append(progress.step.what)
            if len(steps) == after:
                raise Killed

    with pytest.raises(Killed):
        build_table(start.game, tmp_path / "t", position=start, mode="interpreted", listener=left)
    with pytest.raises(Unsuitable, match="is not finished"):
        Table.open(tmp_path / "t", start.game)
    if after == 3:  # what was found is lost as well
        (tmp_path / "t" / "states").unlink()
    again = build_table(start.game, tmp_path / "t", position=start, mode="interpreted")
    fresh = build_table(start.game, tmp_path / "u", position=start, mode="interpreted")
    assert (again.index, again.tiers) == (fresh.index, fresh.tiers)


@pytest.mark.parametrize("where", ["find_positions", "build_index", "save", "read_index"])
def test_a_build_that_was_left_while_it_numbered(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = seeded(random_game(size=40), 3)

    def die(*_: Any) -> None:
        raise Killed

    monkeypatch.setattr(building, where, die)
    with pytest.raises(Killed):
        build_table(start.game, tmp_path / "t", position=start, mode="interpreted")
    monkeypatch.undo()
    again = build_table(start.game, tmp_path / "t", position=start, mode="interpreted")
    fresh = build_table(start.game, tmp_path / "u", position=start, mode="interpreted")
    assert (again.index, again.tiers) == (fresh.index, fresh.tiers)


@pytest.mark.slow  # when it is killed depends on the machine
def test_builds_that_are_killed_go_on(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from zermelo.cli import main; main()", "table", "build", "tic-tac-toe"]
    whole = build_table(games.tic_tac_toe(), tmp_path / "whole", mode="interpreted")
    chance, caught = random.Random(5), 0
    for attempt in range(20):
        folder = tmp_path / str(attempt)
        process = subprocess.Popen(
            [*command, "--out", str(folder), "--mode", "interpreted"], stdout=subprocess.DEVNULL
        )
        while not (folder / "table.json").exists():
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 6))
        process.send_signal(signal.SIGKILL if attempt % 2 else signal.SIGINT)
        process.wait()
        caught += not read_manifest(folder).complete
        again = build_table(games.tic_tac_toe(), folder, mode="interpreted")
        assert (again.index, again.tiers) == (whole.index, whole.tiers)
        assert {path.name for path in folder.iterdir()} == {"index", "table.json", "tier-0"}
    assert caught > 0


def test_what_cannot_be_built(tmp_path: Path) -> None:
    start = seeded(random_game(size=40), 1)
    game = start.game
    with pytest.raises(Unsuitable, match="has no tiers"):
        build_table(game, tmp_path / "t", highest="3")
    with pytest.raises(Unsuitable, match="repetition is wins"):
        build_table(random_game(repetition="wins"), tmp_path / "t")
    with pytest.raises(Unsuitable, match="loop_key"):
        build_table(games.dark_chess(), tmp_path / "t")
    with pytest.raises(Unsuitable, match="is made of Python objects"):
        build_table(replace(game, State=None, subgames={}), tmp_path / "t")
    with pytest.raises(Unsuitable, match="holds all positions, wherever play begins"):
        build_table(games.awari(), tmp_path / "t", position=Position(games.awari()))
    tic_tac_toe = games.tic_tac_toe()
    with pytest.raises(Unsuitable, match="the game is over"):
        build_table(tic_tac_toe, tmp_path / "t", position=tic_tac_toe.position("xxxoo----"))
    assert not (tmp_path / "t").exists()
    build_table(game, tmp_path / "t", position=start, mode="interpreted")
    with pytest.raises(Unsuitable, match="begins at another position"):
        build_table(game, tmp_path / "t", position=seeded(game, 2), mode="interpreted")
    with pytest.raises(Unsuitable, match="with other rules, parameters or numbers"):
        Table.open(tmp_path / "t", random_game(size=41))


def test_memory_that_does_not_suffice(tmp_path: Path) -> None:
    game = games.tic_tac_toe()
    with pytest.raises(TooLarge, match="were found so far and fill .* would do: give --memory"):
        build_table(game, tmp_path / "t", memory=10_000, mode="interpreted")
    start = seeded(random_game(size=60), 1)
    few = build_table(start.game, tmp_path / "u", position=start, memory="1MB", mode="interpreted")
    assert few.complete


def test_what_is_said_to_suffice_does(tmp_path: Path) -> None:
    """Finding positions takes less than putting them in order: what that needs is asked for before it is too late."""
    start = games.tic_tac_toe().position("x--------")
    with pytest.raises(TooLarge) as refused:
        find_positions(start, "compiled", 50_000)
    said = re.search(r"for which ([\d.]+ KB) would do", str(refused.value))
    assert said is not None
    enough = parse_size(said[1]) + 51  # for what was rounded
    states, keys = find_positions(start, "compiled", enough)
    entry, _ = build_index(start, states, keys, tmp_path, ZLIB, enough)
    each = 2 * states.itemsize + 48
    assert each * entry.positions < enough < 1.5 * each * entry.positions
    with pytest.raises(TooLarge, match="were found so far"):
        find_positions(start, "compiled", each * entry.positions - 1)
