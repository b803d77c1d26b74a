"""Notebooks: what answers, proofs and experiments show, and the board, with a stand-in for the notebook's model."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, expect

import zermelo as z
from zermelo.certificates.explaining import explain
from zermelo.lab.experiment import Result, Table
from zermelo.rules import Game
from zermelo.web import notebook
from zermelo.web.view import view


def parsed(html: str) -> ElementTree.Element:
    """Well-formed, as far as XML can tell."""
    return ElementTree.fromstring(f"<div>{html}</div>")


def test_an_answer() -> None:
    answer = z.solve(z.games.tic_tac_toe().position("a1 b1"), mode="interpreted")
    words = " ".join(parsed(answer._repr_html_()).itertext())
    assert "first player wins" in words
    assert all(move in words for move in answer.best)


def test_a_proof_and_an_experiment() -> None:
    proof = z.prove(z.games.tic_tac_toe().position("a1 b1"), at_least=1, mode="interpreted")
    opened = explain(proof, mode="interpreted")
    assert "at least 1" in " ".join(parsed(opened._repr_html_()).itertext())
    shown = Result(Table(("a", "<b>"), [("x & y", 1.5)]), "", ["one < two"])._repr_html_()
    assert [cell.text for cell in parsed(shown).iter("td")] == ["x & y", "1.50"]


def test_nothing_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = z.solve(z.games.tic_tac_toe().position("a1 b1"), mode="interpreted")
    monkeypatch.setattr(z.Position, "svg", lambda *_, **__: 1 / 0)
    assert answer._repr_html_() is None
    assert answer.position._repr_svg_() is None


class Shown:
    """A board as a notebook holds it."""

    def __init__(self, start: Game) -> None:
        self.widget = z.board(start, mode="interpreted", memory="8MB")

    def wait(self) -> dict[str, Any]:
        for _ in range(600):
            if self.widget.found["value"] and self.widget.found["value"]["complete"]:
                return self.widget.found
            time.sleep(0.05)
        raise AssertionError("nothing was found")


def test_the_board_plays_and_tells_values() -> None:
    shown = Shown(z.games.tic_tac_toe())
    for move in ("b2", "a2"):
        shown.widget.hear({"do": "play", "move": move})
    assert shown.widget.position.history() == ["b2", "a2"]
    found = shown.wait()
    right = {m: z.solve(shown.widget.position.play(m), mode="interpreted").value for m in shown.widget.position.moves()}
    assert {move["move"]: move["value"] for move in found["moves"]} == right
    shown.widget.hear({"do": "play", "move": "b2"})  # is taken
    shown.widget.hear({"do": "undo"})
    assert shown.widget.position.history() == ["b2"]
    shown.widget.close()


MODEL = """
<div id="here"></div><script type="module">
import board from "./module.js";
const held = JSON.parse(document.currentScript?.dataset.held ?? window.held);
window.said = [];
board.render({ el: document.getElementById("here"), model: {
  get: (name) => held[name], on: () => {}, send: (words) => window.said.push(words) } });
</script>
"""


def test_the_module_in_a_browser(chromium: Browser, tmp_path: Path) -> None:
    """The same JavaScript as the page's, in one file, with an object that stands for the notebook's model."""
    held = {"view": view(z.games.tic_tac_toe().position(), ""), "found": {"moves": [], "value": None}}
    page = chromium.new_page()
    page.route("http://notebook.test/module.js", lambda route: route.fulfill(
        body=notebook._module(), content_type="text/javascript"))  # fmt: skip
    page.route("http://notebook.test/", lambda route: route.fulfill(body=MODEL, content_type="text/html"))
    page.add_init_script(f"window.held = {json.dumps(json.dumps(held))}")
    page.goto("http://notebook.test/")
    page.click("[data-spot='c3']")
    expect(page.locator(".words")).to_have_text("first player to move")
    assert page.evaluate("window.said") == [{"do": "play", "move": "c3"}]
    page.close()
