"""The commands around certificates: prove, verify, explain."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli import INTERRUPTED
from zermelo.cli import choices as c
from zermelo.cli.live import LiveLine, count, speed

if TYPE_CHECKING:
    from zermelo.certificates.certificate import Certificate
    from zermelo.certificates.checker import Verdict
    from zermelo.certificates.explaining import Explanation
    from zermelo.rules import Game, Position

File = Annotated[str, typer.Argument(metavar="FILE", help="A certificate.", show_default=False)]
OtherGame = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", help="The game, where it is not one that a file may name."),
]
Anyway = Annotated[bool, typer.Option("--anyway", help="Go on although the rules have changed since.")]


def prove(
    game: c.GameName,
    out: Annotated[
        str, typer.Option("--out", metavar="FILE", help="Where to write the certificate.", show_default=False)
    ],
    settings: c.Settings = None,
    position: c.PositionText = "",
    at_least: Annotated[
        float | None, typer.Option("--at-least", metavar="V", help="Prove that the first player scores V or more.")
    ] = None,
    at_most: Annotated[
        float | None, typer.Option("--at-most", metavar="V", help="Prove that the first player scores V or less.")
    ] = None,
    method: c.MethodText = None,
    more: c.With = None,
    small: Annotated[bool, typer.Option("--small", help="Look for a smaller proof; takes longer.")] = False,
    seconds: c.Seconds = None,
    nodes: c.NodeCount = None,
    memory: c.Memory = None,
    threads: c.Threads = None,
    tables: c.Tables = None,
    table_memory: c.TableMemory = None,
    mode: c.RunMode = None,
    json: c.Json = False,
) -> None:
    """Prove a claim, as a file that anyone can check.

    Without --at-least or --at-most, the exact value is proved: one strategy for each player.
    """
    from zermelo.certificates import proving
    from zermelo.compile.watch import Limits

    limits = Limits(nodes=nodes, seconds=seconds)
    start = c.position_of(game, settings, position, tables, table_memory)
    claim = at_most if at_least is None else at_least
    made = c.request_of(start.game, "prove", method, more, claim=claim, memory=memory, threads=threads, mode=mode)
    with LiveLine(not json) as line:
        try:
            certificate = proving.prove(
                start, at_least=at_least, at_most=at_most, method=made, small=small, limits=limits,
                listener=line.listener, spec=game,
            )  # fmt: skip
        except proving.Unproved as stopped:
            if stopped.stopped is None:
                raise
            line.wipe()
            _report_stop(str(stopped), stopped.stopped, json)
            raise typer.Exit(INTERRUPTED if stopped.stopped == "interrupt" else 1) from None
        size = certificate.save(out)
    if json:
        from zermelo.cli.show import print_json

        print_json({**_facts(certificate, start), "file": out, "bytes": size})
    else:
        _show_certificate(certificate, start, out, size)


def _report_stop(text: str, stopped: str, json: bool) -> None:
    from zermelo.cli.show import print_json

    if json:
        print_json({"holds": None, "why": text, "stopped": stopped})
    else:
        who = "Ctrl-C" if stopped == "interrupt" else f"the limit of {stopped}"
        print(f"{text}, by {who}: nothing was written")


def _facts(certificate: Certificate, position: Position) -> dict[str, Any]:
    """What there is to know about a certificate."""
    made = certificate.about["made"]
    return {
        "game": position.game.name,
        "parameters": dict(position.game.parameters),
        "position": position.text(),
        "claim": certificate.claim,
        "claims": [["at least" if p.claim.at_least else "at most", p.claim.value] for p in certificate.proofs],
        "positions": certificate.positions,
        "game_positions": made.get("game_positions"),
        "longest": max((p.longest for p in certificate.proofs if p.longest is not None), default=None),
        "method": made.get("method"),
        "nodes": made.get("nodes"),
        "seconds": made.get("seconds"),
    }


def _show_certificate(certificate: Certificate, position: Position, file: str, bytes_: int) -> None:
    from zermelo.cli.show import Row, counted, print_rows, size

    made = certificate.about["made"]
    print(position.game.summary)
    print()
    print(position)
    print()
    rows = [Row("proved", certificate.claim, "green"), Row("positions", _share(certificate))]
    longest = _longest(certificate)
    if longest is not None:
        rows.append(Row("longest", f"{longest} moves"))
    rows.append(Row("file", f"{file}, {size(bytes_)}"))
    nodes, seconds = made["nodes"], made["seconds"]
    rows.append(Row("effort", f"{counted(nodes, 'node')}, {seconds:.2f} s, {speed(nodes, seconds)}"))
    rows.append(Row("method", f"{made['method']}, {made['mode']}"))
    print_rows(rows)


def _longest(certificate: Certificate) -> int | None:
    lengths = [proof.longest for proof in certificate.proofs]
    return None if None in lengths else max(n for n in lengths if n is not None)


def _share(certificate: Certificate) -> str:
    """The size of a proof against that of the game."""
    whole = certificate.about["made"].get("game_positions")
    parts = " + ".join(f"{proof.positions:,}" for proof in certificate.proofs)
    if whole:
        return f"{parts} of the game's {whole:,} ({certificate.positions / whole:.2%})"
    return f"{parts}, the game has more than can be counted quickly"


def verify(
    file: File,
    anyway: Anyway = False,
    game: OtherGame = None,
    settings: c.Settings = None,
    mode: c.RunMode = None,
    json: c.Json = False,
) -> None:
    """Check a certificate from the rules alone.

    Exit code 0 if it holds, 1 if it fails, 2 if it cannot be checked.
    """
    from zermelo.certificates.certificate import Certificate
    from zermelo.certificates.checker import verify as check

    certificate = Certificate.load(file)
    subject = _subject(certificate, game, settings)
    with LiveLine(not json) as line:
        line.say(f"preparing to verify {subject.name}")
        verdict = check(subject, certificate, anyway=anyway, mode=mode, listener=line.listener)
    if json:
        from zermelo.cli.show import print_json

        print_json(verdict.as_dict())
    else:
        _show_verdict(verdict)
    if verdict.stopped is not None:
        raise typer.Exit(INTERRUPTED if verdict.stopped == "interrupt" else 1)
    if not verdict.holds:
        raise typer.Exit(1)


def _subject(certificate: Certificate, game: str | None, settings: list[str] | None) -> Game:
    """The game that a certificate is about, or the one that the person names instead."""
    from zermelo.certificates.certificate import game_of
    from zermelo.rules.errors import Unsuitable

    if game is not None:
        return c.game_of(game, settings)
    if settings:
        raise Unsuitable("--set goes with --game: name the game too, or leave it to the certificate")
    return game_of(certificate)


def _show_verdict(verdict: Verdict) -> None:
    from zermelo.certificates.checker import moves_between
    from zermelo.cli.show import Row, print_rows, size

    certificate = verdict.certificate
    print(verdict.position.game.summary)
    print()
    print(verdict.position)
    print()
    rows = [Row("claim", certificate.claim)]
    if verdict.stopped is not None:
        rows.append(Row("verdict", "not known: stopped before the check was complete", "yellow"))
    elif verdict.holds:
        rows.append(Row("verdict", "holds", "green"))
    else:
        rows.append(Row("verdict", "fails", "red"))
        assert verdict.fails_at is not None
        moves = " ".join(moves_between(verdict.position, verdict.fails_at))
        rows.append(Row("fails at", f"{verdict.fails_at.text() or 'the start'}{f' (after {moves})' if moves else ''}"))
        rows.append(Row("why", verdict.why))
    if not verdict.same_rules:
        rows.append(Row("rules", "not those that the certificate was made with", "yellow"))
    rows.append(Row("positions", f"{verdict.positions:,}"))
    rows.append(Row("size", f"{certificate.size:,} bytes ({size(certificate.size)})"))
    rate = count(verdict.positions / max(verdict.seconds, 1e-6))
    rows.append(Row("time", f"{verdict.seconds:.2f} s, {rate} positions/s"))
    print_rows(rows)


def explain(
    file: File,
    side: Annotated[
        c.Side | None, typer.Option("--side", help="Whose strategy, where the certificate holds both.")
    ] = None,
    dot: Annotated[
        str | None, typer.Option("--dot", metavar="FILE", help="Write the first moves for Graphviz.")
    ] = None,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="Write the first moves as a picture.")
    ] = None,
    depth: Annotated[int, typer.Option("--depth", metavar="N", help="How many moves deep the pictures are.")] = 4,
    anyway: Anyway = False,
    game: OtherGame = None,
    settings: c.Settings = None,
) -> None:
    """Walk through a proof.

    On a terminal you choose the replies; through a pipe the longest defence is printed.
    """
    from zermelo.certificates import explaining
    from zermelo.certificates.certificate import Certificate
    from zermelo.rules.files import save

    certificate = Certificate.load(file)
    subject = _subject(certificate, game, settings)
    player = None if side is None else 0 if side is c.Side.first else 1
    with LiveLine() as line:
        line.say(f"preparing to verify {subject.name}")
        opened = explaining.explain(certificate, subject, side=player, anyway=anyway)
    if dot is not None:
        save(dot, explaining.dot(opened, depth))
        print(f"{dot} shows the first {depth} moves")
    if svg is not None:
        save(svg, explaining.svg(opened, depth))
        print(f"{svg} shows the first {depth} moves")
    if dot is None and svg is None:
        Reading(opened).run(sys.stdin.isatty() and sys.stdout.isatty())


def _more(longest: int | None, before: str) -> str:
    """How many moves can follow, if that is known."""
    if longest is None:
        return ""
    return before + (f"{longest} more at most" if longest else "the end")


class Reading:
    """A proof read move by move."""

    def __init__(self, opened: Explanation) -> None:
        self.opened = opened
        self.path: list[tuple[int | None, Position]] = [(opened.root, opened.position)]

    def run(self, asks: bool) -> None:
        opened = self.opened
        print(opened.position.game.summary)
        print(f"Claim: {opened.proof.claim}.")
        if opened.position.result is not None:
            print(f"\n{opened.position}\n\nThe game is over: score {opened.position.result:g}.")
        elif asks:
            print("Type a reply, or its number; Enter takes the longest defence, back goes back, quit leaves.")
            self._dialogue()
        else:
            self._print_line()

    def _print_line(self) -> None:
        """The longest defence, with the replies that there were."""
        position, number = self.opened.position, self.opened.root
        print(f"\n{position}\n")
        for step, text in enumerate(self.opened.main_line(), start=1):
            branches = self.opened.branches(number, position)
            chosen = next(b for b in branches if b.text == text)
            others = [b.text for b in branches if b.text != text]
            who = "claimant" if self.opened.claims_at(position) else "opponent"
            rest = f"   (or {' '.join(others)})" if others else ""
            print(f"{step:>3}  {who}  {text}{_more(chosen.longest, ', ')}{rest}")
            position = position.play(text)
            number = -1 if chosen.child is None else chosen.child
        print(f"\n{position}")
        print(f"\n{self._ending(position)}")

    def _ending(self, position: Position) -> str:
        if position.result is not None:
            return f"The game is over: score {position.result:g}, as claimed."
        return "Play comes back to a position of this line, and loops satisfy the claim."

    def _dialogue(self) -> None:
        while True:
            number, position = self.path[-1]
            print(f"\n{position}\n")
            if number is None:
                print(self._ending(position))
            elif self.opened.claims_at(position):
                move = self.opened.branches(number, position)[0]
                print(f"the claimant plays {move.text}{_more(move.longest, ', ')}")
                self.path.append((move.child, position.play(move.text)))
                continue
            else:
                self._list_replies(number, position)
            if not self._heed(number, position):
                return

    def _list_replies(self, number: int, position: Position) -> None:
        longest = self.opened.longest(number)
        if longest is not None:
            print(f"the longest defence takes {longest} more moves")
        for place, reply in enumerate(self.opened.branches(number, position), start=1):
            print(f"{place:>4}  {reply.text}{_more(reply.longest, '  ')}")

    def _heed(self, number: int | None, position: Position) -> bool:
        """Do what the reader types; False if the reader leaves."""
        try:
            words = input("reply: " if number is not None else "back or quit: ").strip()
        except EOFError:
            print()
            return False
        if words.lower() in ("quit", "exit", "q"):
            return False
        if words.lower() in ("back", "b"):
            del self.path[-1]
            while self.path and (self.path[-1][0] is None or self.opened.claims_at(self.path[-1][1])):
                del self.path[-1]
            if not self.path:
                self.path = [(self.opened.root, self.opened.position)]
            return True
        if number is None:
            return words != ""
        replies = self.opened.branches(number, position)
        chosen = [reply for reply in replies if words.lower() == reply.text.lower()]
        chosen = chosen or [reply for place, reply in enumerate(replies, start=1) if words == str(place)]
        if not words:
            chosen = [max(replies, key=lambda reply: reply.longest or 0)]
        if chosen:
            self.path.append((chosen[0].child, position.play(chosen[0].text)))
        else:
            print(f"{words} is no reply here")
        return True
