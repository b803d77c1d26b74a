"""Dark chess to read and to look at: texts of moves and positions, and the drawing; and what the pieces are called."""

from __future__ import annotations

from typing import Any

from zermelo.rules import Grid, PositionError

KINDS = "KGMRNCPkgmrncp"
COLOUR = 7  # kinds of one colour
FULL_SET = "KGGMMRRNNCCPPPPPkggmmrrnnccppppp"
WORTH = (0, 2, 8, 4, 6, 10, 18, 30)  # by rank: P C N R M G K
_OWNERS = ("-", "Kk", "kK")


class Notation:
    """The texts of one board. State: what the rules keep of a position."""

    def __init__(self, State: Any, rows: int, cols: int, pieces: str, quiet_plies: int) -> None:
        self.State, self.rows, self.cols, self.quiet_plies = State, rows, cols, quiet_plies
        self.whole = [pieces.count(kind) for kind in KINDS]
        self.names = [f"{'abcdefghijklmnop'[cell % cols]}{cell // cols + 1}" for cell in range(rows * cols)]
        self.start = State(counts=_packed(self.whole), hidden=(1 << rows * cols) - 1, **self._worths(""))

    def _marks(self, s: Any) -> list[str]:
        """What each square shows."""
        shown = []
        for cell in range(len(self.names)):
            rank = sum((plane >> cell & 1) << bit for bit, plane in enumerate((s.low, s.mid, s.high)))
            kind = KINDS[COLOUR - rank + COLOUR * (s.dark >> cell & 1)] if rank else "."
            shown.append("?" if s.hidden >> cell & 1 else kind)
        return shown

    def _captured(self, s: Any) -> str:
        shown = self._marks(s)
        gone = (self.whole[i] - (s.counts >> 4 * i & 15) - shown.count(kind) for i, kind in enumerate(KINDS))
        return "".join(kind * count for kind, count in zip(KINDS, gone, strict=True)) or "-"

    def _worths(self, gone: str) -> dict[str, int]:
        """What the pieces of each colour are worth without the captured ones."""
        left = [self.whole[i] - gone.count(kind) for i, kind in enumerate(KINDS)]
        worths = [sum(n * WORTH[COLOUR - i] for i, n in enumerate(left[k : k + COLOUR])) for k in (0, COLOUR)]
        return {"upper_worth": worths[0], "lower_worth": worths[1]}

    def _by_rows(self, shown: list[str]) -> list[list[str]]:
        return [shown[r * self.cols : (r + 1) * self.cols] for r in range(self.rows)]

    def move_text(self, s: Any, move: int) -> str:
        if s.cell != 0:
            return KINDS[move]
        return self.names[move // 33] if move % 33 == 0 else self.names[move >> 5] + self.names[move & 31]

    def position_text(self, s: Any) -> str:
        squares = "/".join("".join(row) for row in self._by_rows(self._marks(s)))
        text = f"{squares} {'XO'[s.side]} {_OWNERS[s.owner]} {self._captured(s)} {s.clock}"
        return text + (f" {self.names[s.cell - 1]}" if s.cell else "")

    def read_position(self, text: str) -> Any:
        words = text.split()
        if any(mark.isdigit() for mark in words[0]):
            return None  # moves begin with a square
        lines = words[0].split("/")
        fits = [len(line) for line in lines] == [self.cols] * self.rows
        if not fits or len(words) not in (5, 6) or words[1] not in ("X", "O"):
            raise PositionError(
                f"{text!r} must be {self.rows} rows of {self.cols} squares, the side to move (X or O), the colours (- "
                "before the first flip, Kk if X has the upper case, kK if O has), the captured pieces or -, the quiet "
                f"plies and, while a piece is turned over, its square, such as {self.position_text(self.start)}"
            )
        shown, side, gone = words[0].replace("/", ""), "XO".index(words[1]), words[3].strip("-")
        counts = self._face_down(text, shown, gone)
        if words[2] not in _OWNERS or (words[2] == "-") != (shown == "?" * len(shown)):
            raise PositionError(
                f"{text!r}: the colours are - while all pieces lie face down, else Kk (X has the upper case) or kK, "
                f"not {words[2]}"
            )
        owner = _OWNERS.index(words[2])
        if owner == 0 and side == 1:
            raise PositionError(f"{text!r}: X makes the first flip, so O cannot be to move")
        if not words[4].isdecimal() or int(words[4]) > self.quiet_plies:
            raise PositionError(f"{text!r}: the quiet plies are a number from 0 to {self.quiet_plies}, not {words[4]}")
        cell = self._turned(text, words[5], shown, int(words[4])) + 1 if len(words) == 6 else 0
        sides = [sum(counts[k : k + 7]) + sum(map(shown.count, KINDS[k : k + 7])) for k in (0, 7)]
        if owner and (sides[(owner - 1 + 1 - side) % 2] == 0 or (cell and 0 in sides)):
            raise PositionError(f"{text!r} cannot be: a side that has no piece left has lost, and play ends there")
        ranks = [COLOUR - KINDS.index(mark) % COLOUR if mark in KINDS else 0 for mark in shown]
        return self.State(
            **{name: sum((rank >> bit & 1) << i for i, rank in enumerate(ranks))
               for bit, name in enumerate(("low", "mid", "high"))},
            dark=sum(1 << i for i, mark in enumerate(shown) if mark.islower()),
            hidden=sum(1 << i for i, mark in enumerate(shown) if mark == "?"),
            **self._worths(gone), counts=_packed(counts), side=side, owner=owner, cell=cell, clock=int(words[4]),
        )  # fmt: skip

    def _face_down(self, text: str, shown: str, gone: str) -> list[int]:
        """How many of each kind must lie face down."""
        for mark in shown + gone:
            if mark not in KINDS and (mark not in "?." or mark in gone):
                raise PositionError(
                    f"{mark} in {text!r} is no piece: K G M R N C P, or small ones; ? is one face down, . is empty"
                )
        counts = [self.whole[i] - (shown + gone).count(kind) for i, kind in enumerate(KINDS)]
        for i, kind in enumerate(KINDS):
            if counts[i] < 0:
                raise PositionError(
                    f"{text!r} has {self.whole[i] - counts[i]} pieces {kind}, captured ones included; "
                    f"there are only {self.whole[i]}"
                )
        if shown.count(".") != len(gone):
            raise PositionError(
                f"{text!r} has {shown.count('.')} empty squares and {len(gone)} captured pieces; "
                "each capture empties one square"
            )
        return counts

    def _turned(self, text: str, name: str, shown: str, clock: int) -> int:
        """The square being turned over."""
        if name not in self.names or shown[self.names.index(name)] != "?":
            raise PositionError(f"{text!r}: {name} is no square with a piece face down, so it cannot be turned over")
        if clock:
            raise PositionError(f"{text!r}: a flip sets the quiet plies to 0, not {clock}")
        return self.names.index(name)

    def draw(self, s: Any) -> Grid:
        case = "" if s.owner == 0 else f" ({('upper', 'lower')[(s.owner - 1 + s.side) & 1]} case)"
        asks = f"turns {self.names[s.cell - 1]} over" if s.cell else "to move"
        quiet = f"; {s.clock} quiet plies" if s.clock else ""
        return Grid(
            self._by_rows(self._marks(s)),
            columns="abcdefghijklmnop"[: self.cols],
            rows=[str(r + 1) for r in range(self.rows)],
            style="letter",
            owners={} if s.owner == 0 else {kind: (s.owner - 1) ^ kind.islower() for kind in KINDS},
            caption=f"{'XO'[s.side]}{case} {asks}; captured: {self._captured(s)}{quiet}",
        )


def _packed(counts: list[int]) -> int:
    return sum(count << (4 * kind) for kind, count in enumerate(counts))
