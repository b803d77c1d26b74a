"""Sparse sampling, Star1SS and Star2SS: against the definition, on random games, in both modes; how far they are from
the truth, and what they say of it."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from marks import slow
from random_chance import random_chance, seeded
from zermelo import games
from zermelo.cli import main
from zermelo.compile.watch import Limits
from zermelo.games.graph import graph_game
from zermelo.methods.asking import search, solve, solve_many
from zermelo.methods.registry import method_named
from zermelo.methods.requests import request
from zermelo.play.sitting import play_game
from zermelo.rules import CHANCE, Game, Position, Unsuitable, from_object
from zermelo.sampling.guarantee import guarantee
from zermelo.sampling.sampled_search import SampledEngine
from zermelo.sampling.samples import SampledOptions

pytestmark = pytest.mark.usefixtures("calling_rules")

METHODS = ("sparse", "star1ss", "star2ss")
GAME = random_chance(size=9, moves=6)
DYADIC = random_chance(dyadic=True)
LOPSIDED = random_chance(size=9, moves=6, lopsided=True)
SEEDS = st.integers(0, 2**40)
DICE = st.integers(-3, 2**65)
WIDTHS = st.integers(1, 5)
SMALL, TINY = "64KB", 64

PLAIN = SampledOptions(table=False, order=())
VARIANTS = {
    "sparse": PLAIN,
    "sparse table": SampledOptions(form="general"),
    "star1ss": PLAIN,
    "star1ss table": SampledOptions(),
    "star1ss hard": replace(PLAIN, hard=True),
    "star2ss": PLAIN,
    "star2ss table": SampledOptions(probes=(2, 0, 3, 1)),
}


# the definition


def splitmix(z: int) -> int:
    """The finaliser of SplitMix64."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def drawn(position: Position, width: int, seed: int) -> list[int]:
    """How often each outcome of a chance position is drawn; its weight where there are no more than `width`."""
    assert position.game.weight is not None
    weights = [int(position.game.weight(position.state, outcome)) for outcome in position.codes]
    if len(weights) <= width:
        return weights
    gamma = 0x9E3779B97F4A7C15
    assert position.game.key is not None
    with np.errstate(over="ignore"):
        key = int(position.game.key(position.state))
    state = splitmix(key ^ splitmix((seed + gamma) % 2**64))
    counts = [0] * len(weights)
    for number in range(1, width + 1):
        mark = Fraction(splitmix((state + number * gamma) % 2**64) >> 11, 2**53) * sum(weights)
        counts[next(i for i in range(len(weights)) if mark < sum(weights[: i + 1]))] += 1
    return counts


def sampled_value(position: Position, depth: int, width: int, seed: int) -> Fraction:
    """The first player's value of the sampled game: `oracles.expected` with counts of draws for weights."""
    if position.result is not None:
        return Fraction(position.result)
    game = position.game
    if depth == 0:
        assert game.evaluate is not None
        return Fraction(game.evaluate(position.state))
    below = depth if position.turn == CHANCE else depth - 1
    if position.turn != CHANCE:
        values = [sampled_value(position.play(move), below, width, seed) for move in position.codes]
        return max(values) if position.turn == 0 else min(values)
    counts = drawn(position, width, seed)
    pairs = [(count, position.play(outcome)) for count, outcome in zip(counts, position.codes) if count]
    return sum(count * sampled_value(p, below, width, seed) for count, p in pairs) / Fraction(sum(counts))


# the searches


def engine(variant: str, width: int, seed: int, game: Game = GAME, mode: str = "interpreted", **more: Any) -> Any:
    options = replace(VARIANTS[variant], width=width)
    return SampledEngine(
        game, method_named(variant.split()[0]), options, seed=seed, mode=mode, **{"memory": SMALL, **more}
    )


def found(one: SampledEngine, position: Position, depth: int) -> float:
    """The first player's value by an engine with an open window."""
    one.watched(Limits(), None)
    value = one.search(position, depth, *one.open_window(position))
    return float(-value if position.turn == 1 else value)


def agrees(variant: str, mode: str, seed: int, dice: int, depth: int, width: int, game: Game = GAME) -> None:
    position = seeded(game, seed)
    true = float(sampled_value(position, depth, width, dice))
    for memory in (SMALL, TINY):
        one = engine(variant, width, dice, game, mode, memory=memory)
        assert found(one, position, depth) == pytest.approx(true, abs=one.rounding)


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, dice=DICE, depth=st.integers(1, 9), width=WIDTHS)
def test_interpreted(variant: str, seed: int, dice: int, depth: int, width: int) -> None:
    agrees(variant, "interpreted", seed, dice, depth, width)


@pytest.mark.parametrize("variant", ["star2ss table", *slow("sparse", "star1ss", "star1ss table")])
@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, dice=DICE, depth=st.integers(1, 9), width=WIDTHS)
def test_compiled(variant: str, seed: int, dice: int, depth: int, width: int) -> None:
    agrees(variant, "compiled", seed, dice, depth, width)


def test_numbers_that_are_too_large_for_a_word() -> None:
    for seed in range(5):
        one = engine("star2ss table", 10**30, 10**30, mode="compiled")
        position = seeded(GAME, seed)
        assert found(one, position, 20) == pytest.approx(float(oracles.expected(position)), abs=one.rounding)
        assert not one.approximates


@pytest.mark.parametrize("variant", ["star1ss table", "star2ss"])
@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, dice=DICE, width=WIDTHS)
def test_bounds_that_do_not_hold_zero(variant: str, seed: int, dice: int, width: int) -> None:
    agrees(variant, "interpreted", seed, dice, 20, width, LOPSIDED)


@pytest.mark.parametrize("variant", ["star2ss table", *slow("sparse", "star1ss")])
@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, dice=DICE, depth=st.integers(1, 9), width=WIDTHS)
def test_the_modes_visit_the_same_nodes(variant: str, seed: int, dice: int, depth: int, width: int) -> None:
    counts = []
    for mode in ("interpreted", "compiled"):
        one = engine(variant, width, dice, mode=mode)
        counts.append((found(one, seeded(GAME, seed), depth), one.watch.nodes, one.workspaces[0]["leaves"]))
    assert counts[0] == counts[1]


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, dice=DICE, depth=st.integers(1, 9), width=st.sampled_from([1, 2, 4]), probes=st.integers(1, 3))
def test_one_value_and_no_more_nodes_with_cut_offs(seed: int, dice: int, depth: int, width: int, probes: int) -> None:
    """Where all averages are exact in binary, the very same value."""
    values, nodes = [], []
    for name in METHODS:
        one = engine(name, width, dice, DYADIC)
        one.set_probes((probes,))
        values.append(found(one, seeded(DYADIC, seed), depth))
        nodes.append(one.watch.nodes)
    assert values[0] == values[1] == values[2]
    assert nodes[0] == max(nodes)


@cache
def small_games() -> dict[str, Position]:
    return {
        "pig": games.pig(goal=12).position(),
        "einstein": games.einstein(size=3, stones=3).position(),
        "dark-chess": games.dark_chess(rows=2, cols=2, pieces="KPkp").position(),
        "backgammon": games.backgammon().position(),
    }


@pytest.mark.parametrize(
    ("name", "depth", "width"), [("pig", 6, 3), ("dark-chess", 4, 2), *slow(("einstein", 5, 2), ("backgammon", 1, 5))]
)
def test_real_games(name: str, depth: int, width: int) -> None:
    position = small_games()[name]
    texts = [f"{method}(depth={depth}, width={width}, seed=7, mode=interpreted)" for method in METHODS]
    answers = [search(position, text, memory="1MB") for text in texts]
    assert answers[0].value == pytest.approx(answers[1].value, abs=1e-9)
    assert answers[0].value == pytest.approx(answers[2].value, abs=1e-9)
    assert answers[0].best == answers[1].best == answers[2].best
    assert answers[0].nodes >= max(answers[1].nodes, answers[2].nodes)
    assert {answer.status for answer in answers} == {"heuristic"}


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, dice=st.integers(0, 99), depth=st.integers(1, 8), width=WIDTHS)
def test_deepening_looks_into_one_tree(method: str, seed: int, dice: int, depth: int, width: int) -> None:
    position = seeded(GAME, seed)
    answer = search(position, method, depth=depth, width=width, seed=dice, mode="interpreted", memory=SMALL)
    true = sampled_value(position, depth, width, dice)
    assert answer.value == pytest.approx(float(true), abs=1e-8)
    if position.turn != CHANCE:
        below = {move: sampled_value(position.play(move), depth - 1, width, dice) for move in position.moves()}
        assert set(answer.best) <= {move for move, value in below.items() if abs(value - true) < 1e-9}
        assert answer.best


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_answer(method: str) -> None:
    position = games.einstein(size=4, stones=5).position()

    def value(seed: int | None) -> float | None:
        return search(position, method, depth=3, width=2, seed=seed, mode="interpreted", memory=SMALL).value

    assert value(3) == value(3)
    assert value(None) == value(0)
    assert len({value(seed) for seed in range(6)}) > 3


# certain or not


@pytest.mark.parametrize("method", METHODS)
def test_nothing_is_proven_by_samples_and_everything_without(method: str) -> None:
    proven = 0
    for seed in range(12):
        position = seeded(GAME, seed)
        all_of_them = search(position, method, depth=20, width=6, mode="interpreted", memory=SMALL)
        assert (all_of_them.status, all_of_them.details["sampled"]) == ("proven", False)
        assert all_of_them.value == pytest.approx(float(oracles.expected(position)), abs=1e-8)
        some = search(position, method, depth=20, width=2, mode="interpreted", memory=SMALL)
        assert (some.status == "proven") == (not some.details["sampled"])
        proven += some.status == "proven"
    assert proven < 6


def test_a_table_of_samples_proves_nothing_later() -> None:
    position = games.einstein(size=3, stones=3).position()
    with request("star1ss(width=2, depth=9, mode=interpreted, memory=1MB)", position.game, "search").open(
        position.game
    ) as session:
        first, again = session.search(position), session.search(position)
    assert first.status == again.status == "heuristic"
    assert first.value == again.value
    assert again.nodes < first.nodes
    assert first.depth is not None
    assert first.depth < 9  # no estimate was met: a deeper look into these samples would see no more


def test_without_dice_it_is_alphabeta() -> None:
    position = games.tic_tac_toe().position("a1 b2 c3")
    for method in METHODS:
        answer = search(position, method, depth=9, mode="interpreted", memory=SMALL)
        assert (answer.status, answer.value, answer.best) == ("proven", 0, oracles.best_moves(position))


@pytest.mark.parametrize("method", METHODS)
def test_limits(method: str) -> None:
    position = games.backgammon().position().play(games.backgammon().position().moves()[0])
    answer = search(position, method, nodes=300, mode="interpreted", memory=SMALL)
    assert (answer.stopped, answer.status) == ("nodes", "heuristic")
    assert answer.best[0] in position.moves()


# how far off


def lottery(prizes: int, tickets: int = 1) -> Game:
    """A choice between two lotteries with this many prizes from -1 to 1, or none, as likely as their number is large;
    each may be drawn several times in a row for the better ticket."""
    ends = {f"p{i}": {"value": round(2 * i / (prizes - 1) - 1, 6)} for i in range(prizes)}
    nodes: dict[str, Any] = {"A": {"turn": "max", "moves": ["L", "M"]}, **ends}
    nodes["L"] = {"turn": "chance", "moves": {f"p{i}": i + 1 for i in range(prizes)}}
    nodes["M"] = {"turn": "chance", "moves": {f"p{i}": 1 for i in range(prizes)}}
    if tickets == 2:
        nodes["L"] = {"turn": "chance", "moves": {"M": 1, "p0": 1, "p1": 1}}
    return graph_game({"root": "A", "values": [-1, 1], "nodes": nodes})


@pytest.mark.parametrize("name", ["L", *slow("M")])
def test_draws_are_as_likely_as_the_weights_say(name: str) -> None:
    """1,000 seeds with 20 draws each: by Hoeffding, their mean is within 0.04 with a confidence of 1 - 3e-7."""
    game = lottery(50)
    position = game.position().play(name)
    true = float(oracles.expected(position))
    means = [search(position, "star1ss", depth=1, width=20, seed=s, mode="interpreted").value for s in range(1000)]
    off = 0.04
    assert 2 * math.exp(-2 * 20_000 * off**2 / 4) < 3e-7
    assert all(mean is not None for mean in means)
    assert abs(sum(means) / 1000 - true) < off  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("width", "epsilon"), [(50, 0.6), *slow((100, 0.4), (190, 0.3))])
def test_the_guarantee_holds(method: str, width: int, epsilon: float) -> None:
    position = lottery(200).position()
    true = float(oracles.expected(position))
    answers = [
        search(position, method, depth=2, width=width, seed=seed, epsilon=epsilon, mode="interpreted")
        for seed in range(100)
    ]
    promised = answers[0].details["guarantee"]
    assert promised == {"epsilon": epsilon, "probability": pytest.approx(promised["probability"]), "vacuous": False}
    assert promised["probability"] < 0.5
    wrong = [abs(answer.value - true) > epsilon for answer in answers if answer.value is not None]
    assert len(wrong) == 100
    assert sum(wrong) / 100 <= promised["probability"]


def test_more_samples_come_closer() -> None:
    """The largest error of 20 estimates of a small pig with a die of 40 sides, against all outcomes, by width."""
    position = games.pig(goal=30, sides=40).position()
    true = search(position, "star1", depth=3, mode="interpreted", memory="1MB").value
    assert true is not None

    def error(width: int) -> float:
        texts = [f"star2ss(width={width}, depth=3, seed={seed}, mode=interpreted)" for seed in range(20)]
        values = [search(position, text, memory="1MB").value for text in texts]
        return max(abs(value - true) for value in values if value is not None)

    errors = [error(width) for width in (2, 8, 32, 40)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1e-9  # all are listed


def test_the_bound_by_hand() -> None:
    # a chance root, one level: one node of 100 draws, 2 exp(-2 * 100 * (0.5 / 2)²)
    one = guarantee((-1, 1), moves=3, depth=1, width=100, epsilon=0.5, tossing=True)
    assert (one.tosses, one.nodes) == (1, 1)
    assert one.probability == pytest.approx(2 * math.exp(-12.5))
    # a decision first, two levels below it: 3 nodes, and 3 * 10 * 3 below them
    two = guarantee((0, 4), moves=3, depth=3, width=10, epsilon=4, tossing=False)
    assert (two.tosses, two.nodes) == (2, 3 + 90)
    assert (two.probability, two.vacuous) == (1, True)
    assert "vacuous" in str(two)
    wide = guarantee((0, 4), moves=3, depth=3, width=100, epsilon=4, tossing=False)
    assert wide.probability == pytest.approx(2 * 3 * (3 + 900) * math.exp(-2 * 100 * (2 / 4) ** 2))
    assert str(wide) == f"off by more than 4 with probability at most {wide.probability:.3g}"
    # two tosses in a row: 1 + 10 nodes at the root, and 10² * 3 times as many below
    rows = guarantee((0, 4), moves=3, depth=2, width=10, epsilon=4, tossing=True, row=2)
    assert (rows.tosses, rows.nodes) == (4, 11 + 11 * 300)
    # one ply ahead of a decision nothing is drawn
    assert guarantee((0, 4), moves=3, depth=1, width=10, epsilon=0.1, tossing=False).probability == 0


@given(
    moves=st.integers(1, 50), depth=st.integers(1, 30), width=st.integers(2, 10**6), part=st.floats(0.01, 1),
    tossing=st.booleans(),
)  # fmt: skip
def test_it_is_no_worse_than_the_published_theorem(
    moves: int, depth: int, width: int, part: float, tossing: bool
) -> None:
    """(2 c |A|)^d exp(-lambda² c / (2 v_max²)) for an error of lambda d, of Lanctot and others."""
    v_max = 3.0
    log = depth * math.log(2 * width * moves) - part**2 * width / 2
    ours = guarantee(
        (-v_max, v_max), moves=moves, depth=depth, width=width, epsilon=part * v_max * depth, tossing=tossing
    )
    assert ours.probability <= math.exp(min(log, 0)) * (1 + 1e-9)


def test_tosses_in_a_row_are_counted() -> None:
    one = SampledEngine(lottery(9, tickets=2), method_named("sparse"), replace(PLAIN, width=2), mode="interpreted")
    position = one.game.position()
    found(one, position, 2)
    assert one.guarantee(position, 2).tosses == 2
    assert one.guarantee(position, 2).nodes == one.game.max_moves * 3


# what is refused, and what is said


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("sparse(width=0)", "at least 1 outcome must be drawn at a chance node, not width = 0"),
        ("star1ss(width=-3)", "at least 1 outcome must be drawn"),
        ("star2ss(width=many)", "width takes a whole number, not 'many'"),
        ("star2ss(probes=-1)", "a probing factor must be 0"),
        ("sparse(depth=-1)", "the limit of depth must be at least 1, not -1"),
        ("star1ss(epsilon=0)", "epsilon, an error in points, must be above 0 and finite, not 0"),
        ("star1ss(epsilon=inf)", "must be above 0 and finite, not inf"),
        ("star1ss(knowledge=on)", "knowledge = on does not go with samples"),
        ("star2ss(outcome_order=hash)", "outcome_order does not go with samples"),
        ("star2ss(chance_charge=1)", "chance_charge does not go with samples"),
    ],
)
def test_bad_settings(text: str, sentence: str) -> None:
    game = games.pig(goal=12)
    with pytest.raises(Unsuitable, match=sentence):
        search(game, text, nodes=10)


@pytest.mark.parametrize("method", METHODS)
def test_they_solve_nothing(method: str) -> None:
    game = games.pig(goal=12)
    sentence = f"{method} finds moves, not values: take it to search or to play"
    with pytest.raises(Unsuitable, match=sentence):
        solve(game, method=method)
    with pytest.raises(Unsuitable, match=sentence):
        solve_many([game.position()], method=method)
    session = request(method, game, "search", mode="interpreted").open(game)
    with pytest.raises(Unsuitable, match=sentence):
        session.solve()


class Coin:
    """A toss, as an object that cannot be told from others."""

    def turn(self) -> int:
        return CHANCE

    def moves(self) -> list[int]:
        return [0, 1]

    def play(self, move: int) -> Coin:
        return Coin()

    def result(self) -> float | None:
        return None


def test_objects_need_a_key() -> None:
    game = replace(from_object(Coin(), name="coin", max_plies=9), weight=lambda s, outcome: 1)
    with pytest.raises(Unsuitable, match="coin: samples are drawn by a position's key"):
        search(game, "sparse", nodes=10)


def test_the_command_line_tells_of_samples(capsys: pytest.CaptureFixture[str]) -> None:
    told = ["search", "pig", "--set", "goal=12", "--depth", "3", "--mode", "interpreted", "--seed", "5"]
    with pytest.raises(SystemExit):
        main([*told, "--method", "star2ss(width=2)"])
    text = capsys.readouterr().out
    assert "samples    2 outcomes of a chance node where there are more, seed 5" in text
    assert "guarantee  none: the bound on the probability of an error above 0.2 is 1 or more (vacuous)" in text
    with pytest.raises(SystemExit):
        main([*told, "--method", "star2ss(width=2)", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["guarantee"] == {"epsilon": 0.2, "probability": 1, "vacuous": True}
    assert (found["width"], found["seed"], found["sampled"]) == (2, 5, True)


def test_they_play() -> None:
    first = "star2ss(depth=2, width=2, mode=interpreted)"
    records = [play_game(games.pig(goal=6), first, "random", seed=1) for _ in range(2)]
    assert records[0].position.result in (-1, 1)
    assert records[0].position.history() == records[1].position.history()
