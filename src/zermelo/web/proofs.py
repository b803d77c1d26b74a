"""A certificate to walk through: where one stands in a proof, what it answers, and how long play can still last.

A proof is a strategy. Where its owner, the claimant, is to move it has one move; where the opponent is, it has an
answer to every reply. So a walk is a list of moves from the position of the claim, and a step on it is told by itself:
proofs of any size stay on the server.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from zermelo import games
from zermelo.certificates.certificate import Certificate, game_of, position_of, same_rules
from zermelo.certificates.explaining import Explanation, explain
from zermelo.rules import Game, Position, Unsuitable
from zermelo.web.view import plain, view
from zermelo.web.workers import Named


def named_proof(file: Path, spec: str | None, parameters: Mapping[str, Any]) -> Named:
    """The game of a certificate that a person named, or of `spec` if they named that too; a certificate that is damaged
    or about other rules is refused."""
    certificate = Certificate.load(file)
    game = _game(certificate, spec, parameters)
    if not same_rules(certificate, game):
        raise Unsuitable(
            f"the rules of {game.summary} are not those that {file} was made with: name the game that it is about, "
            "with the same --set as then"
        )
    position_of(certificate, game)
    return Named(spec or "", tuple(sorted(parameters.items())), trusted=True, certificate=str(file.resolve()))


def _game(certificate: Certificate, spec: str | None, parameters: Mapping[str, Any]) -> Game:
    return games.load(spec, parameters) if spec else game_of(certificate)


class ProofReader:
    """One certificate. Proofs are checked when they are first asked for, and kept open."""

    def __init__(self, named: Mapping[str, Any], mode: str | None) -> None:
        self.certificate = Certificate.load(named["certificate"])
        self.game = _game(self.certificate, named["spec"], named.get("parameters") or {})
        self.mode = mode
        self._opened: dict[int, Explanation] = {}

    @property
    def sides(self) -> list[int]:
        """Whose strategies it holds."""
        return [proof.claim.claimant for proof in self.certificate.proofs]

    def open(self, side: int | None) -> Explanation:
        """The strategy of a player, or the first one."""
        wanted = self.sides[0] if side is None else side
        if wanted not in self.sides:
            raise Unsuitable(f"there is no strategy of that player: the proof is that {self.certificate.claim}")
        if wanted not in self._opened:
            self._opened[wanted] = explain(self.certificate, self.game, side=wanted, mode=self.mode)
        return self._opened[wanted]

    def at(self, side: int | None, moves: Sequence[str]) -> dict[str, Any]:
        """Where a walk has led: the position, who is to move, what the proof says there."""
        opened = self.open(side)
        began = opened.position.text() if self.game.position_text else " ".join(opened.position.history())
        position: Position = opened.position
        number: int | None = opened.root if position.result is None else None
        for move in moves:
            if position.result is not None:
                raise Unsuitable(f"{move!r} cannot be played: the game is over")
            after = position.play(move)
            if number is not None:
                text = position.text_of(after.last_move) if after.last_move is not None else move
                branch = next((b for b in opened.branches(number, position) if b.text == text), None)
                if branch is None:
                    return self._outside(opened, position, number, text, began, moves)
                number = branch.child
            position = after
        return self._step(opened, position, number, began, moves)

    def _step(
        self, opened: Explanation, position: Position, number: int | None, began: str, moves: Sequence[str]
    ) -> dict[str, Any]:
        branches = [] if number is None else opened.branches(number, position)
        role = "over" if number is None else "claimant" if opened.claims_at(position) else "opponent"
        longest = None if number is None else opened.longest(number)
        return self._told(opened, position, began, moves) | {
            "role": role,
            "branches": [{"text": b.text, "longest": b.longest, "ends": b.child is None} for b in branches],
            "longest": longest,
            "line": [] if number is None else opened.main_line(number, position),
            "words": self._words(opened, position, role, longest),
        }

    def _outside(
        self, opened: Explanation, position: Position, number: int, move: str, began: str, moves: Sequence[str]
    ) -> dict[str, Any]:
        """The claimant was given a move that is not the strategy's."""
        chosen = opened.branches(number, position)[0].text
        words = f"The proof plays {chosen} here and says nothing of {move}."
        told = self._told(opened, position.play(move), began, moves)
        return told | {"role": "outside", "branches": [], "longest": None, "line": [], "words": words}

    def _told(self, opened: Explanation, position: Position, began: str, moves: Sequence[str]) -> dict[str, Any]:
        proof = opened.proof
        return plain(  # type: ignore[no-any-return]
            {
                "claim": str(proof.claim), "certificate": self.certificate.claim, "sides": self.sides,
                "side": proof.claim.claimant, "positions": proof.positions, "moves": list(moves),
                "view": view(position, began),
            }
        )  # fmt: skip

    def _words(self, opened: Explanation, position: Position, role: str, longest: int | None) -> str:
        left = "" if longest is None else f"; {longest} {'ply' if longest == 1 else 'plies'} at most are left"
        if role == "claimant":
            return f"The strategy moves{left}."
        if role == "opponent":
            return f"Any reply may be tried{left}."
        if position.result is not None:
            return f"The game is over: score {position.result:g}, as claimed."
        return "Play comes back to a position of this line, and loops satisfy the claim."
