"""Graph files: what they mean, checked against the raw data, and every way in which they can be wrong."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from zermelo import games
from zermelo.games.graph import graph_game, read_graph
from zermelo.rules import CHANCE, Position, PositionError, RuleError, UnknownName, loop_score

# The graph-history example: the value of A is a win for max under every rule for loops.
HISTORY: dict[str, Any] = {
    "root": "A",
    "repetition": "draw",
    "nodes": {
        "A": {"turn": "max", "moves": ["B", "C"]},
        "B": {"turn": "min", "moves": ["D", "E"]},
        "C": {"turn": "min", "moves": ["F"]},
        "D": {"turn": "max", "moves": ["G", "H"]},
        "F": {"turn": "max", "moves": ["J"]},
        "G": {"turn": "min", "moves": ["I"]},
        "I": {"turn": "max", "moves": ["J"]},
        "J": {"turn": "min", "moves": ["D"]},
        "E": {"value": -1},
        "H": {"value": 1},
    },
}
DICE: dict[str, Any] = {
    "root": "A",
    "nodes": {
        "A": {"turn": "max", "moves": ["R", "E"]},
        "R": {"turn": "chance", "moves": {"E": 1, "H": 2}},
        "E": {"value": -1},
        "H": {"value": 1, "estimate": 0.5},
    },
}


def changed(data: dict[str, Any], **nodes: Any) -> dict[str, Any]:
    return {**data, "nodes": {**data["nodes"], **nodes}}


def minimax(position: Position) -> float:
    """The value by trying every path, as slow as it is sure."""
    game, result = position.game, position.result
    if result is not None:
        return result
    if game.horizon is not None and game.horizon(position.state):
        return game.evaluate(position.state)
    children = [minimax(position.play(code)) for code in position.codes]
    if position.turn == CHANCE:
        weights = [game.weight(position.state, code) for code in position.codes]
        return sum(w * v for w, v in zip(weights, children)) / sum(weights)
    return (max, min)[position.turn](children)


def plain_minimax(data: dict[str, Any], low: float, high: float, path: tuple[str, ...] = ()) -> float:
    """The same, read directly off the data."""
    name = path[-1] if path else data["root"]
    path = path or (name,)
    node = data["nodes"][name]
    if "value" in node:
        return node["value"]
    if name in path[:-1]:
        closer = data["nodes"][path[-2]]["turn"]
        return {
            "draw": 0,
            "first": high,
            "second": low,
            "wins": high if closer == "max" else low,
            "loses": low if closer == "max" else high,
        }[data["repetition"]]
    if "moves" not in node:
        return node["estimate"]
    values = [plain_minimax(data, low, high, (*path, child)) for child in node["moves"]]
    if node["turn"] == "chance":
        weights = list(node["moves"].values())
        return sum(w * v for w, v in zip(weights, values)) / sum(weights)
    return (max if node["turn"] == "max" else min)(values)


def random_graph(rng: random.Random, chance: bool, cyclic: bool) -> dict[str, Any]:
    size = rng.randrange(1, 9)
    nodes: dict[str, Any] = {}
    for i in range(size):
        targets = [f"n{j}" for j in range(0 if cyclic else i + 1, size)]
        kind = rng.choice(["max", "min", "chance" if chance else "max"])
        if not targets or rng.random() < 0.3:
            score = rng.choice([-3, -1, 0, 1, 2, 0.5])
            nodes[f"n{i}"] = {rng.choice(["value", "estimate"]): score}
            continue
        chosen = rng.sample(targets, rng.randrange(1, min(3, len(targets)) + 1))
        moves: Any = {c: rng.randrange(1, 4) for c in chosen} if kind == "chance" else chosen
        nodes[f"n{i}"] = {"turn": kind, "moves": moves}
    order = list(nodes)
    rng.shuffle(order)
    rule = rng.choice(["draw", "first", "second", "wins", "loses"]) if cyclic else "none"
    return {"root": "n0", "repetition": rule, "nodes": {n: nodes[n] for n in order}}


@pytest.mark.parametrize(("chance", "cyclic"), [(False, False), (True, False), (False, True)])
def test_random_graphs_mean_what_the_data_say(chance, cyclic):
    rng = random.Random(7)
    for _ in range(150):
        data = random_graph(rng, chance, cyclic)
        game = graph_game(data)
        low, high = game.values
        assert minimax(Position(game)) == pytest.approx(plain_minimax(data, low, high))
        position, name = game.position(), data["root"]
        while position.codes and position.result is None:
            node = data["nodes"][name]
            assert position.moves() == list(node["moves"])
            assert position.turn == {"max": 0, "min": 1, "chance": 2}[node["turn"]]
            name = rng.choice(position.moves())
            position = position.play(name)
            assert game.draw(position.state).text().split(":")[0].split()[-1] == name
        assert Position.read(game, position.text()) == position


@pytest.mark.parametrize("rule", ["draw", "wins", "loses"])
def test_the_history_example_is_a_win_under_every_rule(rule):
    game = graph_game({**HISTORY, "repetition": rule})
    assert game.repetition == rule
    assert minimax(game.position()) == 1
    looped = game.position("C F J D G I J")
    assert looped.result == loop_score(game, 0)
    assert game.position("B D G I J D").result == loop_score(game, 1)
    assert looped.text() == "C F J D G I J"


def test_traits():
    game = graph_game(HISTORY)
    assert (game.values, game.max_moves, game.max_plies, game.alternating) == ((-1, 1), 2, 11, True)
    assert game.weight is game.evaluate is game.horizon is game.position_text is None
    assert game.exact_key
    assert not game.prefer_compiled
    assert [game.key(game.position(f"@{name}").state) for name in "ABCD"] == [0, 1, 2, 3]


def test_chance():
    game = graph_game(DICE)
    toss = game.position("R")
    assert toss.turn == CHANCE
    assert game.has_chance
    assert not game.alternating
    assert [game.weight(toss.state, code) for code in toss.codes] == [1, 2]
    assert minimax(game.position()) == pytest.approx(1 / 3)
    assert game.evaluate(toss.play("H").state) == 0.5
    assert toss.play("H").result == 1
    assert game.evaluate(toss.state) == 0  # nothing is said: the middle
    assert "E (1/3) H (2/3)" in str(toss)
    # without a cycle the rule for repetition never applies, so it does not stand in the way of chance
    assert graph_game({**DICE, "repetition": "draw"}).repetition == "none"


def test_horizon():
    game = graph_game(changed(DICE, E={"estimate": 3, "turn": "min"}))
    leaf = game.position("E")
    assert leaf.result is None
    assert leaf.moves() == []
    assert leaf.turn == 1
    assert game.horizon(leaf.state) is True
    assert game.horizon(game.start) is False
    assert game.evaluate(leaf.state) == 3
    assert game.values == (-3, 3)
    assert not game.strict_estimates
    assert graph_game(DICE).strict_estimates
    assert str(leaf) == "E: the horizon, estimate 3"
    assert minimax(game.position()) == 3


def test_several_evaluation_functions():
    data = {
        "root": "A",
        "nodes": {
            "A": {"turn": "max", "moves": ["B", "C", "D"]},
            "B": {"estimates": {"f2": 5, "f1": 3}},
            "C": {"estimate": 4, "estimates": {"f1": 7, "f2": 8}},
            "D": {"value": 2},
        },
    }
    graph = read_graph(data)
    assert graph.estimates == {"f2": (None, 5, 8, 2), "f1": (None, 3, 7, 2)}
    assert graph.estimate == (None, 3, 4, 2)
    assert graph.horizon == (False, True, True, False)
    game = graph_game(data)
    assert game.values == (-8, 8)
    assert [game.evaluate(game.position(n).state) for n in ("", "B", "C", "D")] == [0, 3, 4, 2]


def test_bounds():
    assert graph_game({"root": "A", "nodes": {"A": {"value": 0}}}).values == (-1, 1)
    assert graph_game({"root": "A", "values": [0, 5], "nodes": {"A": {"value": 2.0}}}).values == (0, 5)
    fractional = graph_game({"root": "A", "nodes": {"A": {"value": 0.5}}})
    assert fractional.values == (-0.5, 0.5)
    assert fractional.position().result == 0.5
    assert graph_game({"root": "A", "values": [-2, 1], "nodes": {"A": {"value": 0.5}}}).result(
        fractional.start
    ) == pytest.approx(0.5)


def test_dice_on_cycles_let_play_go_on():
    toss = {"turn": "chance", "moves": {"A": 1, "E": 2}}
    game = graph_game(changed(DICE, R=toss))
    assert (game.repetition, game.endless, game.max_plies) == ("none", True, 200)
    assert game.position("R A R A").result is None
    assert game.position("R A R").text() == "@R"
    assert not graph_game(DICE).endless
    loop = {"B": {"turn": "min", "moves": ["A", "E"]}, "A": {"turn": "max", "moves": ["B", "R"]}}
    with pytest.raises(RuleError, match='A → B → A is a cycle: say what it means, .* or "endless": true'):
        graph_game(changed(DICE, **loop))
    assert graph_game({**changed(DICE, **loop), "endless": True}).endless


def test_position_texts():
    game = graph_game(DICE)
    assert game.position("R H").text() == "@H"
    assert game.position("@R").play("H") == game.position("R H") == game.position("@H")
    with pytest.raises(PositionError, match=r"no node r: did you mean R\?|no node r: known"):
        game.position("@r")
    with pytest.raises(PositionError, match="'H' is not a legal move here; legal: R E"):
        game.position("H")


def test_drawing():
    game = graph_game(changed(DICE, X={"turn": "min", "moves": ["E"]}))  # X cannot be reached
    for name in "AREHX":
        root = ElementTree.fromstring(game.position(f"@{name}")._repr_svg_())
        words = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
        assert set("AREHX") < set(words)
        assert {"2", "1, ≈0.5", "-1"} < set(words)
    ElementTree.fromstring(graph_game(HISTORY).position("C F")._repr_svg_())
    own_child = {"root": "<", "repetition": "wins", "nodes": {"<": {"turn": "max", "moves": ["<"]}}}
    ElementTree.fromstring(graph_game(own_child).position()._repr_svg_())


def test_deep_graphs_do_not_exhaust_the_stack():
    nodes: dict[str, Any] = {str(i): {"turn": "max", "moves": [str(i + 1)]} for i in range(5000)}
    game = graph_game({"root": "0", "nodes": {**nodes, "5000": {"value": 1}}})
    assert game.max_plies == 5002
    assert not game.cyclic


def test_files(tmp_path: Path):
    path = tmp_path / "history.json"
    path.write_text(json.dumps(HISTORY), encoding="utf-8")
    game = games.load(str(path))
    assert game.name == "graph"
    assert game.parameters == {"file": str(path)}
    assert game.position("B").moves() == ["D", "E"]
    with pytest.raises(UnknownName, match=r"there is no file .*histroy.json: did you mean history.json\?"):
        games.graph(file=str(tmp_path / "histroy.json"))
    with pytest.raises(UnknownName, match="there is no file"):
        games.graph(file=str(tmp_path / "nowhere" / "x.json"))
    with pytest.raises(RuleError, match="cannot be read: Is a directory"):
        games.graph(file=str(tmp_path))
    (tmp_path / "latin.json").write_bytes(b'{"root": "\xe9"}')
    with pytest.raises(RuleError, match="cannot be read: it is not UTF-8 text"):
        games.graph(file=str(tmp_path / "latin.json"))
    (tmp_path / "broken.json").write_text('{"root": "A",\n "nodes": }', encoding="utf-8")
    with pytest.raises(RuleError, match=r"broken.json: not JSON: .* at line 2, column 11"):
        games.graph(file=str(tmp_path / "broken.json"))
    (tmp_path / "twice.json").write_text('{"root": "A", "nodes": {"A": {"value": 1}, "A": {"value": 2}}}')
    with pytest.raises(RuleError, match="A is named twice"):
        games.graph(file=str(tmp_path / "twice.json"))


NODE = {"turn": "max", "moves": ["E", "H"]}
WRONG_NODES: list[tuple[Any, str]] = [
    ({}, "node A: has neither value nor moves nor estimate"),
    (5, "node A: must be an object"),
    ({"value": 1, "moves": ["E"], "turn": "max"}, "node A: has both value and moves"),
    ({"turn": "max", "moves": []}, "node A: moves is empty"),
    ({"turn": "chance", "moves": {}}, "node A: moves is empty"),
    ({"turn": "maximum", "moves": ["E"]}, "node A: turn 'maximum' is unknown: max, min or chance"),
    ({"turn": ["max"], "moves": ["E"]}, "node A: turn .* is unknown"),
    ({"moves": ["E"]}, "node A: has moves but no turn"),
    ({"turn": "max", "moves": ["E", "Eve"]}, r"node A: leads to Eve, which is no node: did you mean E\?"),
    ({"turn": "max", "moves": ["E", ["H"]]}, "node A: leads to .*, which is no node"),
    ({"turn": "max", "moves": ["E", "H", "E"]}, "node A: leads to E twice"),
    ({"turn": "max", "moves": "E"}, "node A: moves must be a list"),
    ({"turn": "max", "moves": {"E": 1}}, "node A: moves must be a list"),
    ({"turn": "chance", "moves": ["E"]}, "node A: the moves of a chance node carry weights"),
    ({"turn": "chance", "moves": {"E": 1, "H": 0}}, "node A: the weight of H must be a positive"),
    ({"turn": "chance", "moves": {"E": 0.5}}, "node A: the weight of E must be a positive whole number"),
    ({"turn": "chance", "moves": {"E": True}}, "node A: the weight of E must be a positive whole number"),
    ({"turn": "chance", "value": 1}, "node A: chance needs moves"),
    ({"value": "win"}, r"node A: value must be a number between -2\^31 and 2\^31, not 'win'"),
    ({"value": True}, "node A: value must be a number"),
    ({"value": float("nan")}, "node A: value must be a number"),
    ({**NODE, "estimate": None}, "node A: estimate must be a number"),
    ({**NODE, "estimates": {}}, "node A: estimates must be an object"),
    ({**NODE, "estimates": {"f1": "x"}}, "node A: estimate f1 must be a number"),
    ({**NODE, "move": ["E"]}, r'node A has an unknown key "move": did you mean moves\?'),
]


@pytest.mark.parametrize(("node", "sentence"), WRONG_NODES)
def test_wrong_nodes(node, sentence):
    with pytest.raises(RuleError, match=sentence) as caught:
        graph_game(changed(DICE, A=node))
    assert "\n" not in str(caught.value)


WRONG_FILES: list[tuple[Any, str]] = [
    ([], "a graph file is one object"),
    ({"nodes": {"A": {"value": 1}}}, '"root" is missing'),
    ({"root": "A"}, '"nodes" must be an object'),
    ({"root": "A", "nodes": []}, '"nodes" must be an object'),
    ({"root": "A", "nodes": {}}, '"nodes" must be an object'),
    ({**DICE, "root": "AA"}, r'"root" is AA, which is no node: did you mean A\?'),
    ({**DICE, "root": ["A"]}, '"root" is .*, which is no node'),
    ({**DICE, "repetitions": "draw"}, r'unknown key "repetitions": did you mean repetition\?'),
    ({**DICE, "repetition": "win"}, r"repetition 'win' is unknown: did you mean wins\?"),
    ({**HISTORY, "repetition": "none"}, "D → G → I → J → D is a cycle"),
    ({**DICE, "endless": 1}, '"endless" must be true or false, not 1'),
    ({**DICE, "endless": True, "repetition": "draw"}, "give one of them"),
    ({**HISTORY, "endless": True, "repetition": "none"}, 'without them write "repetition": "draw"'),
    (
        {
            "root": "A",
            "values": [1, 2],
            "nodes": {"A": {"turn": "chance", "moves": {"A": 1, "B": 1}}, "B": {"value": 1}},
        },
        "play that never ends scores 0, which lies outside",
    ),
    ({**DICE, "values": [1, 1]}, "low below high"),
    ({**DICE, "values": 5}, "must be two numbers"),
    ({**DICE, "values": [-1, "x"]}, "must be two numbers"),
    ({**DICE, "values": [0, 1]}, r'node E: value -1 lies outside "values": \[0, 1\]'),
    ({**changed(DICE, E={"estimate": 9}), "values": [-1, 1]}, "node E: estimate 9 lies outside"),
    ({**changed(HISTORY, E={"value": 2}, H={"value": 3}), "values": [1, 4]}, "repetition draw scores 0"),
    (changed(DICE, **{" ": {"value": 1}}), "a name must be a text that is not empty"),
    (changed(DICE, R={"estimates": {"f1": 1}}, E={"estimates": {"f2": 1}}), "node E: estimates has f2"),
    (
        {**changed(HISTORY, C={"turn": "chance", "moves": {"F": 1}}), "repetition": "wins"},
        "with chance, repetition must be draw, first or second",
    ),
]


@pytest.mark.parametrize(("data", "sentence"), WRONG_FILES)
def test_wrong_files(data, sentence):
    with pytest.raises(RuleError, match=sentence) as caught:
        graph_game(data)
    assert "\n" not in str(caught.value)
