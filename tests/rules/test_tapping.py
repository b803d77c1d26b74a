"""Every move of every game is reached by tapping spots that are there, or by a button; and pictures are pictures."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from zermelo import games
from zermelo.games.graph import graph_game
from zermelo.rules import CHANCE, Grid, MoveError, Position
from zermelo.rules.board import Board, Spot
from zermelo.rules.overlay import Badge
from zermelo.rules.tapping import places_of, taps

SVG = "{http://www.w3.org/2000/svg}"
LISTED = [name for name in games.names() if name not in ("graph", "openspiel")]


def random_positions(position: Position, plies: int = 24, seed: int = 5) -> list[Position]:
    chance, found = random.Random(seed), [position]
    while found[-1].result is None and found[-1].codes and len(found) < plies:
        found.append(found[-1].play(chance.choice(found[-1].codes)))
    return found


def spots_in(svg: str) -> dict[str, str]:
    """The spots of a picture, and the groups that they belong to."""
    groups = ElementTree.fromstring(svg).iter(SVG + "g")
    return {g.attrib["data-spot"]: g.get("data-group", "") for g in groups if "data-spot" in g.attrib}


@pytest.mark.parametrize("name", LISTED)
def test_every_move_is_tapped_on_spots_that_are_there_or_is_a_button(name: str) -> None:
    buttons, players = 0, 0
    for position in random_positions(games.load(name).position()):
        painted = position.svg(last=True)
        drawn = spots_in(painted)
        assert drawn.keys() == places_of(position).keys()
        found = taps(position)
        assert [tap.move for tap in found] == position.moves()
        for tap in found:
            assert not tap.unknown
            assert all(step in drawn or step in drawn.values() for step in tap.path)
            assert bool(tap.path) == bool(tap.at)
            assert not tap.at or tap.at in drawn
        paths = Counter(tap.path for tap in found if tap.path)
        alike = [tap for tap in found if paths[tap.path] > 1 and tap.path]
        assert all(tap.move.lower().startswith("".join(tap.path).lower()) for tap in alike), "alike but for promotion"
        if position.turn != CHANCE:
            players += len(found)
            buttons += sum(not tap.path for tap in found)
    assert buttons <= players * 0.1, "hardly any move of a player needs a button"


def test_a_graph_is_walked_by_tapping_its_nodes() -> None:
    nodes = {"A": {"turn": "max", "moves": ["B", "<C>"]}, "B": {"value": 1}, "<C>": {"value": 0}}
    game = graph_game({"root": "A", "nodes": nodes})
    assert [(tap.path, tap.at) for tap in taps(game.position())] == [(("B",), "B"), (("<C>",), "<C>")]
    assert spots_in(game.position().svg()).keys() == {"A", "B", "<C>"}


def labelled(text: str, cells: list[str], **more: object) -> tuple[str, ...]:
    """Where the only move of a game is tapped that has this text and this drawing."""
    game = replace(
        games.tic_tac_toe(), move_text=lambda s, move: text if move == 0 else f"other {move}",
        draw=lambda s: Grid(cells, **more),
    )  # fmt: skip
    return taps(game.position())[0].path


def test_spots_are_read_from_texts() -> None:
    board = ["...", "..."]
    named = {"columns": "abc", "rows": ["2", "1"]}
    assert labelled("a1", board, **named) == ("a1",)
    assert labelled("A1b2", board, **named) == ("a1", "b2")
    assert labelled("a1xb2xc1=Q+", board, **named) == ("a1", "b2", "c1")
    assert labelled("pass", board, **named) == ()
    assert labelled("b", board, **named) == ("column b",)
    assert labelled("a12", board, **named) == (), "the number goes on"
    assert labelled("a12", board, columns="abc", rows=["12", "1"]) == ("a12",)
    assert labelled("KQ", [["KQ", "J"]]) == ("1-1",)
    assert labelled("K", [["K", "K"]]) == (), "two cells read so"
    assert labelled("P@b2", board, **named, hands=({"P": 2}, {})) == ("hand:P", "b2")
    assert labelled("P*b2", board, **named, hands=({}, {"p": 1})) == ("hand:p", "b2")
    assert labelled("P@b2", board, **named) == ("b2",)


def test_a_column_shows_its_value_where_the_disc_falls() -> None:
    position = games.connect_four(width=4, height=4).position("22")
    assert [(tap.path, tap.at) for tap in taps(position)][1] == (("column 2",), "2-3")
    assert [tap.at for tap in taps(position)] == ["1-1", "2-3", "3-1", "4-1"]


def test_the_hook_wins_and_what_it_makes_up_is_a_button() -> None:
    game = replace(games.tic_tac_toe(), spots=lambda s, move: [["b2"], None, ["nowhere"]][move] if move < 3 else [])
    found = taps(game.position())
    assert [tap.path for tap in found[:4]] == [("b2",), (), (), ()]
    assert [tap.unknown for tap in found[:4]] == [(), (), ("nowhere",), ()]


def test_a_game_without_a_drawing_is_played_by_buttons() -> None:
    game = replace(games.tic_tac_toe(), draw=None)
    assert {tap.path for tap in taps(game.position())} == {()}
    assert game.position().svg() == ""


def test_what_is_laid_over_a_picture() -> None:
    position = games.tic_tac_toe().position("X---O----").play("c3")
    plain = ElementTree.fromstring(position.svg())
    values = {"b1": "W", "a2": 0.5, "c1": Badge("≥0", "draw", "bound", "a <b>")}
    shown = ElementTree.fromstring(position.svg(values=values, last=True, arrows=["b1"]))
    kinds = [g.get("class") for g in shown.iter(SVG + "g") if "badge" in g.get("class", "")]
    assert kinds == ["badge win proven", "badge score proven", "badge draw bound"]
    assert [c.get("class") for c in shown.findall(SVG + "circle")] == ["last", "arrow"]
    assert not plain.findall(SVG + "circle")
    assert [title.text for title in shown.iter(SVG + "title")] == ["a <b>"]
    with pytest.raises(MoveError, match="'a1' is not a legal move here"):
        position.svg(values={"a1": "W"})
    with pytest.raises(MoveError, match="no spot 'z9'"):
        position.svg(arrows=[("a1", "z9")])


def test_arrows_go_from_spot_to_spot() -> None:
    position = games.breakthrough(width=4, height=4, pawn_rows=1).position()
    shown = ElementTree.fromstring(position.svg(arrows=["a1b2", ("a1", "d4")]))
    assert sum(g.get("class") == "arrow" for g in shown.iter(SVG + "g")) == 2


def test_a_notebook_is_never_shown_an_exception() -> None:
    def fails(s: object) -> Grid:
        raise ValueError("no picture today")

    assert replace(games.tic_tac_toe(), draw=fails).position()._repr_svg_() is None


def test_control_characters_and_markup_stay_text() -> None:
    board = Board({'"><script>': Spot(1, 1), "\x00\x1b": Spot(2, 1)}, caption="\x07 & <")
    assert spots_in(board.svg()).keys() == {'"><script>', "\ufffd\ufffd"}
