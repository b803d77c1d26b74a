"""The commands that make Zermelo an engine in other people's programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from zermelo.cli import choices as c

_ENGINE = "What searches, such as alphabeta(memory=1GB)."
Method = Annotated[
    str | None, typer.Option("--method", metavar="REQUEST", help=_ENGINE, autocompletion=c.methods)
]


def uci(
    game: c.MaybeGame = "chess", settings: c.Settings = None, method: Method = None, more: c.With = None
) -> None:
    """Be an engine that speaks UCI, in a chess GUI say."""
    _universal("uci", game, settings, method, more)


def usi(
    game: c.MaybeGame = "shogi", settings: c.Settings = None, method: Method = None, more: c.With = None
) -> None:
    """Be an engine that speaks USI, in a shogi GUI say."""
    _universal("usi", game, settings, method, more)


def ucci(
    game: c.MaybeGame = "xiangqi", settings: c.Settings = None, method: Method = None, more: c.With = None
) -> None:
    """Be an engine that speaks UCCI, in a xiangqi GUI say."""
    _universal("ucci", game, settings, method, more)


def _universal(
    protocol: str, game: str, settings: Sequence[str] | None, method: str | None, more: Sequence[str] | None
) -> None:
    from zermelo.play.foreign.dialect import DIALECTS
    from zermelo.protocols.lines import serve
    from zermelo.protocols.options import Choices
    from zermelo.protocols.universal import Universal

    told = dict(c.setting(text) for text in settings or ())
    searching = dict(c.setting(text, "--with") for text in more or ())
    serve(Universal(DIALECTS[protocol], Choices(game, told, method, searching)))


def gtp(game: c.GameName, settings: c.Settings = None, method: Method = None, more: c.With = None) -> None:
    """Be an engine that speaks GTP, in GoGui or Sabaki say."""
    from zermelo.protocols.gtp import Gtp
    from zermelo.protocols.lines import serve
    from zermelo.protocols.options import Choices

    told = dict(c.setting(text) for text in settings or ())
    searching = dict(c.setting(text, "--with") for text in more or ())
    serve(Gtp(Choices(game, told, method, searching)))


def nboard(method: Method = None, more: c.With = None) -> None:
    """Be an Othello engine that speaks NBoard's protocol."""
    from zermelo.protocols.lines import serve
    from zermelo.protocols.nboard import NBoard
    from zermelo.protocols.options import Choices

    searching = dict(c.setting(text, "--with") for text in more or ())
    serve(NBoard(Choices("othello", {}, method, searching)))
