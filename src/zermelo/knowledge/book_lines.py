"""A book as something to read: its positions one after another, and its moves as lines of text."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from zermelo.knowledge.book import Book, BookMove, Page
from zermelo.rules import Position, Unsuitable

HEAD = "# position\tmove\tvalue\tstatus\tgames\tfirst\tdrawn\tsecond\tsource\tlow\thigh"
REJECTED = "rejected"


def pages(book: Book, position: Position | None = None, plies: int | None = None) -> Iterator[Page]:
    """The pages of a book from a position on, the start if none is given, each position once, near ones first."""
    if plies is not None and plies < 0:
        raise Unsuitable(f"a book is read for 0 or more plies, not {plies}")
    waiting = deque([(position or Position(book.game), 0)])
    seen: set[tuple[int, bytes]] = set()
    while waiting:
        here, depth = waiting.popleft()
        page = book.page(here)
        if page is None or (page.entry.word, page.entry.state) in seen:
            continue
        seen.add((page.entry.word, page.entry.state))
        yield page
        if depth != plies:
            waiting.extend((here.play(move.step.code), depth + 1) for move in page.moves if move.entry is not None)


def lines(book: Book, position: Position | None = None, plies: int | None = None) -> Iterator[str]:
    """A line for every move that a book knows, its parts separated by tabs, after a head that names them. Moves that
    are rejected are marked as such instead of telling how sure their value is. All values are the first player's; one
    that is not known is left out, and `low` and `high` tell what is proven."""
    yield HEAD
    for page in pages(book, position, plies):
        where = " ".join(page.position.text().split())
        for move in page.moves:
            if move.known:
                told = move.as_dict()
                status = REJECTED if move.rejected else move.status
                parts = (
                    where,
                    move.text,
                    "" if told["value"] is None else told["value"],
                    status,
                    told["games"],
                    *told["results"],
                    told["source"],
                    *told["bounds"],
                )
                yield "\t".join(map(str, parts))


def refutation(book: Book, position: Position, move: BookMove) -> str | None:
    """The best reply to a move, if the book knows one."""
    if move.entry is None:
        return None
    after = position.play(move.step.code)
    page = book.page(after)
    if page is None:
        return None
    best = [reply.text for reply in page.moves if reply.known and reply.value == page.entry.value is not None]
    best += [reply.text for reply in page.moves if reply.known and page.keeps(reply)]
    liked = [reply.text for reply in page.moves if reply.step.word is not None and reply.step.word == page.entry.best]
    return next(iter([*best, *liked]), None)
