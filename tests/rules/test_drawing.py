"""Boards as text and as SVG."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from zermelo import games
from zermelo.rules import Board, Grid, Piece, Position, Spot
from zermelo.rules.figures import FIGURES
from zermelo.rules.painting import CELL

SVG = "{http://www.w3.org/2000/svg}"


def picture(grid: Grid | Board) -> ElementTree.Element:
    return ElementTree.fromstring(grid.svg())


def test_text_with_labels() -> None:
    grid = Grid([["X", ".", "O"], [" ", "#", "X"]], columns="abc", rows=["1", "2"], caption="X to move")
    assert grid.text() == "1 X . O\n2 . # X\n  a b c\nX to move"


def test_no_text_is_no_cell() -> None:
    grid = Grid([["X", "O"], ["", "X"], ["O", ""]])
    assert grid.text() == "X O\n  X\nO"
    assert len(list(picture(grid).iter(SVG + "rect"))) == 4


def test_text_without_labels() -> None:
    assert Grid(["XO", " X"]).text() == "X O\n. X"


def test_wide_marks_stay_in_line() -> None:
    assert Grid([["12", "3"], [" ", "45"]], columns=["a", "b"], rows=["9", "10"]).text() == (
        " 9 12  3\n10  . 45\n    a  b"
    )


def test_skewed_rows_move_to_the_right() -> None:
    lines = Grid(["XX", "OO", ".."], columns="ab", rows="123", skew=True).text().splitlines()
    assert [len(line) - len(line[1:].lstrip()) - 1 for line in lines[:3]] == [1, 2, 3]


def test_an_empty_board() -> None:
    assert Grid([]).text() == ""
    assert picture(Grid([])).tag == SVG + "svg"


def test_svg_has_a_cell_for_every_mark() -> None:
    root = picture(Grid([["X", ".", "O"], [" ", "#", "X"]], columns="abc", rows="12", caption="here"))
    assert len(list(root.iter(SVG + "rect"))) == 6
    assert len([circle for circle in root.iter(SVG + "circle") if circle.get("class") == "body"]) == 3
    assert [word.text for word in root.iter(SVG + "text")] == ["1", "2", "a", "b", "c", "here"]


@pytest.mark.parametrize(
    ("style", "circle", "rect", "path", "text"),
    [("disc", 3, 3, 0, 0), ("tile", 0, 5, 0, 0), ("mark", 1, 3, 1, 0)],  # O's discs have a ring; X and O need no font
)
def test_styles(style: str, circle: int, rect: int, path: int, text: int) -> None:
    root = picture(Grid(["XO."], style=style))
    found = [len(list(root.iter(SVG + shape))) for shape in ("circle", "rect", "path", "text")]
    assert found == [circle, rect, path, text]


def test_other_marks_are_written_and_take_their_owners_colour() -> None:
    root = picture(Grid([["K", "k", "?"]], owners={"K": 0, "k": 1}, style="mark"))
    assert [word.text for word in root.iter(SVG + "text")] == ["K", "k", "?"]
    assert len({circle.get("fill") for circle in root.iter(SVG + "circle")}) == 3


def test_marks_cannot_break_the_picture() -> None:
    grid = Grid([["<&>", '"', "'"]], columns=["<a>", "&", "]]>"], rows=["<"], caption="</svg>", style="mark")
    root = picture(grid)
    assert [word.text for word in root.iter(SVG + "text")] == ["<&>", '"', "'", "<", "<a>", "&", "]]>", "</svg>"]


def test_everything_lies_inside_the_picture() -> None:
    for skew in (False, True):
        root = picture(Grid(["XOX", "OXO"], columns="abc", rows="12", skew=skew, caption="here"))
        width, height = float(root.get("width", 0)), float(root.get("height", 0))
        spots = [spot for spot in root.iter(SVG + "g") if "data-spot" in spot.attrib]
        assert len(spots) == 6
        for spot in spots:
            assert CELL / 2 <= float(spot.get("data-x", -1)) <= width - CELL / 2
            assert CELL / 2 <= float(spot.get("data-y", -1)) <= height - CELL / 2
        for word in root.iter(SVG + "text"):
            assert 0 < float(word.get("x", -1)) < width
            assert 0 < float(word.get("y", -1)) < height


@pytest.mark.parametrize("name", [name for name in games.names() if name not in ("graph", "openspiel")])
def test_every_listed_game_draws_itself(name: str) -> None:
    position = games.load(name).position()
    for _ in range(3):
        assert str(position).strip()
        assert ElementTree.fromstring(position._repr_svg_()).tag == SVG + "svg"
        position = position.play(position.codes[0])


def test_a_game_without_a_drawing_is_shown_as_text() -> None:
    from test_game import COUNTDOWN

    position = Position(COUNTDOWN)
    assert str(position) == "(start)"
    assert str(position.play("1")) == "1"
    assert position._repr_svg_() is None


@pytest.mark.parametrize("look", ["disc", "tile", "mark", "letter", "seeds", "stack", "card", "die", "back"])
@pytest.mark.parametrize("shape", ["square", "hex", "disc", "point", "cross", "pit", "card", "upwards", "open"])
def test_every_piece_stands_on_every_spot(look: str, shape: str) -> None:
    for mark, count in (("X", 1), ("HT", 0), ("<", 7), ("12", 40)):
        pieces = {"a": Piece(mark, 1, look, count=count), "b": Piece(mark, None, look, count=count)}
        board = Board({"a": Spot(1, 1, shape), "b": Spot(3, 1, shape)}, pieces, [("a", "b")], caption="both")
        root = picture(board)
        assert [g.get("class") for g in root.iter(SVG + "g") if "piece" in g.get("class", "")] == [
            "piece second", "piece nobody",
        ]  # fmt: skip


def test_figures_need_no_font() -> None:
    board = Board({n: Spot(i, 1) for i, n in enumerate(FIGURES)}, {n: Piece("K", 0, figure=n) for n in FIGURES})
    root = picture(board)
    assert not list(root.iter(SVG + "text"))
    assert sum(path.get("class") == "figure" for path in root.iter(SVG + "path")) == 6


def test_a_grid_with_all_that_may_lie_beside_it() -> None:
    grid = Grid(
        ["X.", ".O"], columns="ab", rows="21", shaded=True, borders=(0, 1), hands=({"P": 2}, {"p": 0, "r": 1}),
        dice=[(0, 5), (0, 1)],
    )  # fmt: skip
    assert list(grid.places()) == ["a2", "b2", "a1", "b1", "hand:P", "hand:r", "die 1", "die 2"]
    root = picture(grid)
    assert sum(line.get("class", "").startswith("border") for line in root.iter(SVG + "line")) == 4
    assert len(list(picture(Grid(["..", ".."], crossings=True)).iter(SVG + "line"))) == 4
