"""Certificates in a book: what they prove of a position, and the first moves of the strategies that prove it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from zermelo.certificates.certificate import TREE, Certificate, Claim, same_rules
from zermelo.certificates.checker import verify
from zermelo.certificates.explaining import explain
from zermelo.knowledge.book_file import BookFile
from zermelo.knowledge.book_graph import Graph
from zermelo.positions.identity import loop_ends
from zermelo.rules import Position, Unsuitable

PLIES = 6
"""So many plies of a strategy are taken over, if nobody says."""


def take_certificates(book: BookFile, files: Sequence[str | Path], *, plies: int = PLIES) -> int:
    """Take what certificates prove into a book, once they are checked: their positions, and so many plies of the
    strategies that prove them. Returns how many positions that is."""
    if plies < 0:
        raise Unsuitable(f"a strategy is taken over for 0 or more plies, not {plies}")
    taken = 0
    for file in files:
        certificate = Certificate.load(file)
        if not same_rules(certificate, book.game):
            raise Unsuitable(
                f"the rules of {book.game.summary}, of which {book.path} is a book, are not those that {file} was made "
                "with: a book takes certificates of its own game and parameters only"
            )
        checked = verify(book.game, certificate)
        if checked.stopped is not None:
            raise KeyboardInterrupt
        if not checked.holds:
            raise Unsuitable(f"{file} proves nothing: {checked.why}")
        if loop_ends(checked.position)[0]:
            raise Unsuitable(
                f"{file} is about a position on a path, and what stood there before counts in {book.game.name}: a book "
                "holds positions by themselves; prove it of the position alone"
            )
        for proof in certificate.proofs:
            taken += _take(book, certificate, proof.claim, checked.position, Path(file).name, plies)
    Graph(book).back_up()
    book.commit()
    return taken


def _take(book: BookFile, certificate: Certificate, claim: Claim, root: Position, name: str, plies: int) -> int:
    opened = explain(certificate, book.game, side=claim.claimant)
    if opened.proof.form == TREE:  # what holds there holds on a path
        plies = 0
    waiting, seen = [(opened.root, root, 0)], {opened.root}
    while waiting:
        number, position, depth = waiting.pop()
        if position.result is None:
            _put_claim(book, position, claim, name)
        if depth == plies or position.result is not None:
            continue
        codes = position.codes
        for index, child in opened.edges[number]:
            if child is not None and child not in seen:
                seen.add(child)
                waiting.append((child, position.play(codes[index]), depth + 1))
    return len(seen)


def _put_claim(book: BookFile, position: Position, claim: Claim, name: str) -> None:
    entry = book.entry(position) or book.new_entry(position.state)
    low, high = (claim.value, entry.high) if claim.at_least else (entry.low, claim.value)
    low, high = max(low, entry.low), min(high, entry.high)
    if low > high:
        raise Unsuitable(f"{name} proves that {claim}, but {book.path} holds a proof that it is not so")
    book.put(replace(entry, low=low, high=high, source=entry.source or f"certificate {name}"))
