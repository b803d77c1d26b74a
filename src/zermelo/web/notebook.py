"""A board in a notebook: the one of the page, with the same JavaScript, driven from Python by anywidget.

    import zermelo as z
    z.board(z.games.hex(size=4))

Taps play, and what every move is worth appears as it is found, in a thread that ends when another move is made or the
board is closed. `board.position` is where one stands.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from zermelo.compile.process import start_thread
from zermelo.rules import Game, Position, Unsuitable
from zermelo.web.analysis import Analysis, Sessions
from zermelo.web.view import plain, view

_WIDGET = """
function render({ model, el }) {
  el.classList.add("zermelo");
  const place = element("div", { class: "zermelo-board" });
  const undo = element("button", { type: "button", onclick: () => model.send({ do: "undo" }) }, "Undo");
  const words = element("span", { class: "words", "aria-live": "polite" });
  el.append(place, element("p", { class: "under" }, undo, " ", words));
  const shown = new BoardView(place, { onMove: (move) => model.send({ do: "play", move }) });
  const show = () => {
    const seen = model.get("view");
    shown.show(seen);
    words.textContent = seen.words;
    know();
  };
  const know = () => {
    const found = model.get("found");
    shown.know(new Map(found.moves.map((move) => [move.move, move])), new Set(found.value?.best ?? []));
    if (found.value) words.textContent = `${model.get("view").words}; ${found.value.words}`;
    if (found.error) words.textContent = found.error;
  };
  model.on("change:view", show);
  model.on("change:found", know);
  show();
}
export default { render };
"""


@cache
def _module() -> str:
    """One self-contained module: relative imports do not resolve in a notebook."""
    return _static("board.js") + _WIDGET


@cache
def _style() -> str:
    """The board's style with the light colours of the page, for this widget alone."""
    page = _static("style.css")
    colours = page[page.index(":root {") + len(":root {") : page.index("}")]
    return f".zermelo {{{colours}}}\n.zermelo .zermelo-board {{ max-width: 28rem; }}\n{_static('board.css')}"


def _static(name: str) -> str:
    return (files("zermelo.web") / "static" / name).read_text(encoding="utf-8")


class _Looker:
    """What looks at the position that is shown, in a thread of its own; a new position ends it."""

    def __init__(self, game: Game, memory: str, mode: str | None, seconds: float) -> None:
        self.game, self.memory, self.mode, self.seconds = game, memory, mode, seconds
        self._turn, self._lock = 0, threading.Lock()
        self._sessions: Sessions | None = None
        self._at_work: Analysis | None = None

    def look(self, position: Position, tell: Callable[[dict[str, Any]], None]) -> None:
        self.stop()
        turn = self._turn
        start_thread(lambda: self._run(turn, position, tell))

    def stop(self) -> None:
        self._turn += 1
        if self._at_work is not None:
            self._at_work.stop()

    def _run(self, turn: int, position: Position, tell: Callable[[dict[str, Any]], None]) -> None:
        moves: dict[str, Any] = {}

        def hear(event: str, data: dict[str, Any]) -> None:
            if event == "move":
                moves[data["move"]] = data
            if event == "value" and turn == self._turn:
                tell({"moves": list(moves.values()), "value": data})

        with self._lock:  # sessions answer one question at a time
            if turn != self._turn:
                return
            try:
                if self._sessions is None:
                    self._sessions = Sessions.of(self.game, self.memory, self.mode)
                self._at_work = Analysis(self._sessions, position, hear, self.seconds)
                self._at_work.run()
            except Exception as error:  # a rule's own mistake is shown where the values would be
                tell({"moves": list(moves.values()), "value": None, "error": " ".join(str(error).split())})
            finally:
                self._at_work = None


def board(
    start: Game | Position, *, values: bool = True, seconds: float = 60.0, memory: str = "64MB", mode: str | None = None
) -> Any:
    """A board to play on in a notebook. values: show what moves are worth; seconds: how long each position is looked
    at; memory and mode: of the searches."""
    if importlib.util.find_spec("anywidget") is None:
        raise Unsuitable("a board in a notebook needs anywidget, which is missing: pip install 'zermelo[notebook]'")
    begun = start.position() if isinstance(start, Game) else start
    return _widget_class()(begun, _Looker(begun.game, memory, mode, seconds) if values else None)


@cache
def _widget_class() -> Any:
    """Made when it is first needed: anywidget is an extra."""
    import anywidget
    import traitlets

    class BoardWidget(anywidget.AnyWidget):
        _esm = _module()
        _css = _style()
        view = traitlets.Dict().tag(sync=True)
        found = traitlets.Dict().tag(sync=True)

        def __init__(self, position: Position, looker: _Looker | None) -> None:
            self.position, self.looker = position, looker
            super().__init__(view=plain(view(position, "")), found={"moves": [], "value": None})
            self.on_msg(lambda _, said, __: self.hear(said))
            self._look()

        def hear(self, said: dict[str, Any]) -> None:
            """What a person did: {"do": "play", "move": text} or {"do": "undo"}."""
            if said.get("do") == "undo" and self.position.previous is not None:
                self.show(self.position.previous)
            elif said.get("do") == "play" and said.get("move") in self.position.moves():
                self.show(self.position.play(said["move"]))

        def show(self, position: Position) -> None:
            """Another position."""
            self.position = position
            self.found = {"moves": [], "value": None}
            self.view = plain(view(position, ""))
            self._look()

        def _look(self) -> None:
            if self.looker is not None:
                self.looker.look(self.position, lambda found: setattr(self, "found", plain(found)))

        def close(self) -> None:
            if self.looker is not None:
                self.looker.stop()
            super().close()

    return BoardWidget
