"""Records of games as others write them. Each format is a module with `read(text, game)` and `write(records)`; the name
of the module is how the names of its files end. `ALSO` lists further endings, `ENCODINGS` says by ending how files are
written, if not in UTF-8; `OLD` is in what else they are read. `BETWEEN` is the line between games, if not an empty one.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.play.record import Record
    from zermelo.rules import Game


def format_of(file: str | Path) -> Any:
    """The module for a file, by the end of its name; None if it is of no format, so that it holds records of ours."""
    suffix = _suffix(file)
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        if suffix.startswith(name):
            module = importlib.import_module(f"{__name__}.{name}")
            if hasattr(module, "read") and (suffix == name or suffix in getattr(module, "ALSO", ())):
                return module
    return None


def list_reader(text: str, game: Game) -> Callable[[str, Game], list[Record]] | None:
    """What reads a text that begins as a list of moves does, as engines are told them; None if it is none."""
    from zermelo.play.formats.move_lists import is_list, read_lists

    return read_lists if is_list(text, game) else None


def encoding_of(file: str | Path) -> str:
    """How the text of such a file is usually written."""
    told: dict[str, str] = getattr(format_of(file), "ENCODINGS", {})
    return told.get(_suffix(file), "utf-8")


def read_in(file: str | Path) -> str:
    """In what such a file is read if it is not UTF-8."""
    return str(getattr(format_of(file), "OLD", "utf-8"))


def encoded(text: str, file: str | Path) -> bytes:
    """A text as it is written to such a file; in UTF-8 if the usual encoding has no signs for it."""
    try:
        return text.encode(encoding_of(file))
    except UnicodeEncodeError:
        return text.encode()


def _suffix(file: str | Path) -> str:
    return Path(file).suffix.lower().removeprefix(".")
