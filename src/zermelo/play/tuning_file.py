"""A tuning that is under way, in a file: the results of its games, from which all else follows.

The file is written anew after every game, under another name and renamed, so that it is always whole; a checksum tells
whether anybody changed it since. Nothing in it is more than numbers and sentences.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.rules import Unsuitable, ZermeloError
from zermelo.rules.files import read_json, read_text, save


class Result(NamedTuple):
    """A game that has ended: the points of the candidate, and the sentence about whoever did not end it by play."""

    points: float
    forfeit: str = ""


class Results:
    """The games so far, by their round and their number there; kept in a file if one is named. what: tells this tuning
    from others."""

    def __init__(self, file: Path | None, what: str, resume: bool) -> None:
        self.file, self.what = file, hashlib.sha256(what.encode()).hexdigest()[:16]
        self.games: dict[tuple[int, int], Result] = {}
        if file is None:
            if resume:
                raise Unsuitable("a tuning is resumed from its file: name it too, with --state FILE")
            return
        if file.exists():
            if not resume:
                raise Unsuitable(f"{file} holds a tuning that was left: go on with it by --resume, or remove the file")
            self._read(file)
        self._write()  # now, for what cannot be written is said before anything is played

    def add(self, round_: int, number: int, result: Result) -> None:
        self.games[round_, number] = result
        self._write()

    def of(self, round_: int) -> dict[int, Result]:
        """The games of a round, by their numbers."""
        return {number: result for (where, number), result in self.games.items() if where == round_}

    def done(self) -> None:
        """The tuning has come to its end, and nothing is left to go on with."""
        if self.file is not None:
            self.file.unlink(missing_ok=True)

    def _write(self) -> None:
        if self.file is not None:
            held = {"tuning": self.what, "games": [[*game, *result] for game, result in self.games.items()]}
            save(self.file, json.dumps({**held, "checksum": _checksum(held)}) + "\n")

    def _read(self, file: Path) -> None:
        try:
            held = read_json(read_text(file), file.name)
            checksum = held.pop("checksum")
            if checksum != _checksum(held):
                raise ValueError("its checksum is wrong")
            what = held["tuning"]
            self.games = {(int(where), int(number)): _result(*told) for where, number, *told in held["games"]}
        except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, ZermeloError) as broken:
            raise Unsuitable(f"{file} is no tuning that was left ({broken}): remove it, and begin anew") from None
        if what != self.what:
            raise Unsuitable(f"{file} holds another tuning: give the same command as before, or name another file")


def _result(points: Any, forfeit: Any) -> Result:
    if points not in (0, 0.5, 1) or not isinstance(forfeit, str):
        raise ValueError(f"no game brings {points} points")
    return Result(points, forfeit)


def _checksum(held: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(held, sort_keys=True).encode()).hexdigest()
