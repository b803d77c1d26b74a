"""Boards as text and as SVG."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from zermelo import games
from zermelo.rules import Grid, Position

SVG = "{http://www.w3.org/2000/svg}"


def picture(grid: Grid) -> ElementTree.Element:
    return ElementTree.fromstring(grid.svg())


def test_text_with_labels() -> None:
    grid = Grid([["X", ".", "O"], [" ", "#", "X"]], columns="abc", rows=["1", "2"], caption="X to move")
    assert grid.text() == "1 X . O\n2 . # X\n  a b c\nX to move"


def test_no_text_is_no_cell() -> None:
    grid = Grid([["X", "O"], ["", "X"], ["O", ""]])
    assert grid.text() == "X O\n  X\nO"
    assert len(picture(grid).findall(SVG + "rect")) == 4


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
    assert len(root.findall(SVG + "rect")) == 6
    assert len(root.findall(SVG + "circle")) == 3
    assert [word.text for word in root.findall(SVG + "text")] == ["1", "2", "a", "b", "c", "here"]


@pytest.mark.parametrize(
    ("style", "circle", "rect", "text"), [("disc", 2, 3, 0), ("tile", 0, 5, 0), ("mark", 0, 3, 2)]
)
def test_styles(style: str, circle: int, rect: int, text: int) -> None:
    root = picture(Grid(["XO."], style=style))
    found = [len(root.findall(SVG + shape)) for shape in ("circle", "rect", "text")]
    assert found == [circle, rect, text]


def test_other_marks_are_written_and_take_their_owners_colour() -> None:
    root = picture(Grid([["K", "k", "?"]], owners={"K": 0, "k": 1}, style="mark"))
    colours = [word.get("fill") for word in root.findall(SVG + "text")]
    assert len(set(colours)) == 3


def test_marks_cannot_break_the_picture() -> None:
    grid = Grid([["<&>", '"', "'"]], columns=["<a>", "&", "]]>"], rows=["<"], caption="</svg>", style="mark")
    root = picture(grid)
    assert [word.text for word in root.findall(SVG + "text")] == ["<", "<&>", '"', "'", "<a>", "&", "]]>", "</svg>"]


def test_everything_lies_inside_the_picture() -> None:
    for skew in (False, True):
        root = picture(Grid(["XOX", "OXO"], columns="abc", rows="12", skew=skew, caption="here"))
        width, height = float(root.get("width", 0)), float(root.get("height", 0))
        for cell in root.findall(SVG + "rect"):
            assert 0 <= float(cell.get("x", -1)) <= width - float(cell.get("width", 0))
            assert 0 <= float(cell.get("y", -1)) <= height - float(cell.get("height", 0))


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
