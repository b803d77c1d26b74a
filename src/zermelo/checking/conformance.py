"""Does a game keep its promises? Random games, played in both modes side by side, find the usual mistakes.

Every position on the way is looked at: do the modes agree on every rule and hook (`side_by_side`); are there no more
moves than declared, no score outside the bounds, no game longer than its limit; does `play` leave the
original alone and write what fits; do texts read back; are symmetric positions alike; are chance weights positive, and
likelihoods not negative; are all moves picked as often as they should.
Hooks that number positions are looked at by `numbering`, those of sub-games by `forcing`.
Then what lies around the ends of those games is explored, and every hook is compared with what the rules alone say of
it (`promises`); and the games are looked at as a whole (`histories`, `circling`).
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zermelo.checking.circling import Circling
from zermelo.checking.endings import Part, Wraps
from zermelo.checking.forcing import Forcing
from zermelo.checking.histories import Histories
from zermelo.checking.numbering import Numbering
from zermelo.checking.places import Places
from zermelo.checking.promises import Complaint, hook_complaints, lies, where
from zermelo.checking.side_by_side import Look, SideBySide
from zermelo.compile.diagnosis import raised
from zermelo.compile.modes import Interpreted
from zermelo.compile.workspace import plies_of
from zermelo.rules import CHANCE, ONGOING, Game, Position, RuleError, ZermeloError, wrapping

SYMMETRIC_PLIES = 4
"""Equivalent positions that differ are found near the start, where a board still has its symmetry."""
ENDINGS = 10000
"""So many moves, and one for every two positions of the games, are played to explore their endings."""
SHARE = 8
"""Each game gets such a part of the moves that are left, and the first one half: small games are explored to the
start, and of the others some endings far and many a little."""
TWINS, TWIN = 200, 50
"""For so many positions the one that a table keeps for them is explored too, with so many moves each."""
CLOSELY, OFTEN, DEVIATIONS = 1009, 128, 5
"""At one of so many positions moves are picked so many times each; one that comes so many standard deviations too often
or too rarely is told."""
GOLDEN = 0x9E3779B1
"""Multiples of this are spread evenly over the numbers below 2³²."""
NEAR = 3
"""So many plies before the end is where quick wins are looked for."""


@dataclass
class Report:
    """What was played and what was found."""

    game: Game
    games: int = 0
    plies: int = 0
    longest: int = 0
    most_moves: int = 0
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def text(self) -> str:
        head = (
            f"{self.game.summary}: {self.games} random games, {self.plies} positions, longest game {self.longest} "
            f"plies, at most {self.most_moves} moves in a position"
        )
        found = [f"- {problem}" for problem in self.problems or ["no problem found"]]
        return "\n".join([head, *found, *(f"  {note}" for note in self.notes)])


@wrapping
def check(game: Game, games: int = 50, seed: int = 0, modes: tuple[str, ...] | None = None) -> Report:
    """Play random games and report every kind of broken promise, each once, with an example."""
    report = Report(game)
    kinds: set[str] = set()

    def found(kind: str, example: str) -> None:
        if kind not in kinds:
            kinds.add(kind)
            report.problems.append(f"{kind}: {example}")

    if game.cyclic and not game.compilable and game.key is None:
        found("a game with repetition needs a key for its positions", "give the objects a method key()")
    compiled = game.compilable if modes is None else "compiled" in modes
    try:
        examiner, histories, ends = _Examiner(report, found, compiled, seed), Histories(game), []
        chance, circling = random.Random(seed), Circling(game)
        for _ in range(games):
            end = examiner.play_one(chance)
            histories.add(end.line())
            for problem in circling.complaints(end.line()):
                found(*problem)
            ends.append(end)
            report.games += 1
        report.notes += examiner.places.notes()
        for problem in examiner.numbering.of_numbers() if examiner.numbering is not None else ():
            found(*problem)
        part = _around(game, ends, ENDINGS + report.plies // 2)
        wraps = (*_wrap_complaints(examiner.wraps), *_wrap_complaints(part.wraps))
        for problem in (*histories.complaints(), *wraps, *lies(part), *_lengths(part)):
            found(*problem)
    except ZermeloError as error:
        found("a rule fails", str(error))
    except Exception as error:
        found("a rule fails", str(raised(game, error)))
    return report


class _Examiner:
    """Plays games and looks at their positions; `found` is told of what is wrong."""

    def __init__(self, report: Report, found: Any, compiled: bool, seed: int) -> None:
        self.game, self.report, self.found = report.game, report, found
        self.modes = SideBySide(self.game, compiled)
        self.key = Interpreted().rules(self.game).key
        self.wraps = Wraps(self.game)
        self.keys: dict[Any, Any] = {}
        self.numbering = Numbering(self.game, self.modes, seed) if self.game.index is not None else None
        self.forcing = Forcing(self.game, self.modes)
        self.places = Places()

    def play_one(self, chance: random.Random) -> Position:
        """One random game, every position of it examined; returns its end."""
        game, report = self.game, self.report
        position = Position(game)
        for ply in range(plies_of(game)):
            report.plies += 1
            report.longest = max(report.longest, ply)
            codes = self.examine(position)
            if game.symmetry is not None and ply < SYMMETRIC_PLIES:
                for problem, example in _symmetry_complaints(game, position, codes):
                    self.found(problem, f"{example} in {position.text()!r}")
            report.most_moves = max(report.most_moves, len(codes))
            if not codes or position.result is not None:
                break
            if ply >= game.max_plies:
                if not game.endless:
                    self.found(*_too_long(position))
                break
            position = self.play(position, chance.choice(codes))
        return position

    def play(self, position: Position, move: int) -> Position:
        """The position after a move, made in every way that there is."""
        game = self.game
        before = (position.turn, position.codes, game.verdict(position.state))
        copy = position.state.copy() if game.compilable else position.state
        after = position.play(move)
        looks = (position.turn, position.codes, game.verdict(position.state))
        how = f"move {position.text_of(move)} in {position.text()!r}"
        if looks != before or (game.compilable and position.state != copy):
            self.found("play changes the position it starts from", how)
        if game.compilable:
            watched = self.wraps.watched(position.state)
            self.wraps.play(Position(game, watched, position.previous, position.last_move), move)
        for complaint in self.modes.play_complaints(position, move, after, how):
            self.found(*complaint)
        if game.alternating and game.verdict(after.state) == ONGOING and after.turn == position.turn:
            self.found("declared alternating, but a player moves twice", f"after {position.text_of(move)}")
        return after

    def verdict(self, position: Position) -> Any:
        """What the rules say of a position: a number."""
        game = self.game
        score: Any = game.result(position.state)
        rule, must = "result", "ONGOING or the first player's score"
        if isinstance(score, int | float | np.number):
            if game.stuck is None or score != ONGOING or position.codes:
                return score
            score, rule, must = game.stuck(position.state), "stuck", "the first player's score"
        if score == ONGOING or not isinstance(score, int | float | np.number):
            text = repr(position.text())
            raise RuleError(f"{game.name}: rule {rule} returns {score!r} in {text}, but must return {must}")
        return score

    def examine(self, position: Position) -> list[int]:
        """All that can be said of one position; returns its legal moves."""
        game, state, text = self.game, position.state, repr(position.text())
        result, codes = self.verdict(position), position.codes
        for complaint in self.modes.complaints(Look(position, result, codes)):
            self.found(*complaint)
        for complaint in self.numbering.of_position(position) if self.numbering is not None else ():
            self.found(*complaint)
        for complaint in self.forcing.complaints(position) if result == ONGOING else ():
            self.found(*complaint)
        for complaint in self.modes.skip_complaints(position) if result == ONGOING else ():
            self.found(*complaint)
        for problem, example in self.places.complaints(position) if result == ONGOING else ():
            self.found(problem, f"{example} in {text}")
        low, high = game.values
        for problem, example in _complaints(game, position, result, codes):
            self.found(problem, f"{example} in {text}")
        if game.pick is not None and result == ONGOING:
            for problem, example in _pick_complaints(game, position, codes, self.report.plies % CLOSELY == 1):
                self.found(problem, f"{example} in {text}")
        if result != ONGOING and not low <= result <= high:
            self.found("a score lies outside the declared values", f"{result} in {text}, values = {game.values}")
        if self.key is not None:
            key = self.key(state)
            if self.keys.setdefault(state, key) != key:
                self.found("equal states have different keys", text)
            if game.exact_key:
                same = self.keys.setdefault(("key", key), state)
                if same != state:
                    self.found("two positions share a key that is declared exact", f"{same} and {state}")
        return codes


def _around(game: Game, ends: list[Position], room: int) -> Part:
    """What the rules alone say of the positions around the ends of games: half of the room is for going back from the
    end as long as all that lies below can be explored, half for what lies near."""
    part = Part(game)
    deep = not (game.cyclic or game.endless)
    for number, end in enumerate(ends):
        share = room // (SHARE if number else 2)
        left, position = share // 2, end
        whole, used = part.grow(position, left, deep)
        while whole and position.previous is not None:
            left, position = left - used, position.previous
            whole, used = part.grow(position, left, deep)
        left += share // 2 - used
        if not whole:
            left -= part.grow(end.line()[-1 - NEAR :][0], left)[1]
        room -= share - left
    for twin in _twins(part):
        part.grow(twin, TWIN)
    part.settle()
    return part


def _twins(part: Part) -> list[Position]:
    """The positions that stand for others in endgame tables: these must be worth the same."""
    game, twins = part.game, []
    if game.index is not None and game.unindex is not None:
        for spot in part.spots[-TWINS:]:
            tier, number, _ = game.index(spot.position.state)
            state = game.start.copy()
            if tier >= 0 and game.unindex(state, tier, number):
                twins.append(Position(game, state))
    return twins


def _lengths(part: Part) -> Iterator[Complaint]:
    """Games that go on beyond their limit, by the longest way to each position; where play can come back, only whole
    games tell."""
    game, spots = part.game, part.spots
    if game.cyclic or game.endless:
        return
    longest = [spot.plies for spot in spots]
    left = Counter(child for spot in spots for child in set(spot.below))
    ready = [number for number in range(len(spots)) if left[number] == 0]
    while ready:
        number = ready.pop()
        for child in set(spots[number].below):
            longest[child] = max(longest[child], longest[number] + 1)
            left[child] -= 1
            if left[child] == 0:
                ready.append(child)
    for spot, plies in zip(spots, longest):
        if plies > game.max_plies and spot.position.previous is not None:
            yield _too_long(spot.position.previous)


def _too_long(position: Position) -> Complaint:
    game = position.game
    advice = "raise it"
    if game.has_chance:
        advice += ", or declare the game endless if dice can keep it going for ever"
    return (
        "a game is longer than declared",
        f"max_plies = {game.max_plies}, but play goes on {where(position)}; {advice}",
    )


def _wrap_complaints(wraps: Wraps) -> Iterator[Complaint]:
    for position, move, name, value, holds in wraps.found:
        how = "" if move is None else f"{position.text_of(move)} "
        yield (
            f"field {name} has no room for a number",
            f"{how}{where(position)} writes {value} into it, but it holds {holds}",
        )


def _complaints(game: Game, position: Position, result: Any, codes: list[int]) -> Iterator[Complaint]:
    """What is wrong with a position by itself."""
    state = position.state
    if result == ONGOING and not codes and not (game.horizon and game.horizon(state)):
        yield "the game goes on but there is no move", "moves() returns none, result() is ONGOING"
    if len(set(codes)) != len(codes):
        yield "moves lists a move twice", str(sorted(codes))
    if game.compilable and any(not 0 <= move < 0xFFFF for move in codes):
        yield "a move is not a number from 0 to 65534", str(codes)
    if position.turn not in (0, 1, CHANCE):
        yield "turn must be 0, 1 or CHANCE", str(position.turn)
    if result == ONGOING:
        yield from _chance_complaints(game, position, codes)
        if position.turn != CHANCE:
            yield from _policy_complaints(game, position, codes)
        yield from hook_complaints(game, position, codes)
    texts = [position.text_of(move) for move in codes]
    if len(set(texts)) != len(texts):
        yield "two moves have the same text", " ".join(sorted(texts))
    if game.position_text is not None:
        back = Position.read(game, game.position_text(state)).state
        if back != state:
            yield "a position text does not read back", f"{game.position_text(state)!r} gives {back}, not {state}"


def _chance_complaints(game: Game, position: Position, codes: list[int]) -> Iterator[Complaint]:
    if position.turn == CHANCE:
        if game.weight is None:
            yield "a chance position needs a rule weight(s, outcome)", "turn is CHANCE"
            return
        weights = [game.weight(position.state, outcome) for outcome in codes]
        if any(weight != int(weight) or weight <= 0 for weight in weights):
            yield "weights must be positive whole numbers", str(weights)
        if len(codes) > (game.max_outcomes or 0):
            yield "more outcomes than declared", f"{len(codes)}, but max_outcomes = {game.max_outcomes}; raise it"


def _policy_complaints(game: Game, position: Position, codes: list[int]) -> Iterator[Complaint]:
    if game.policy is not None:
        likely = [float(game.policy(position.state, move)) for move in codes]
        if not all(0 <= number < math.inf for number in likely):
            yield "policy must give numbers from 0 on", " ".join(f"{number:g}" for number in likely)


def _pick_complaints(game: Game, position: Position, codes: list[int], closely: bool) -> Iterator[Complaint]:
    """Moves that are picked must be legal and, if one looks closely, each as likely as another; outcomes as likely as
    their weights say."""
    pick: Any = game.pick
    weigh: Any = game.weight
    numbers = [turn * GOLDEN % 2**32 for turn in range(OFTEN * len(codes) if closely else 1)]
    picked = Counter(int(pick(position.state, number)) for number in numbers)
    illegal = [move for move in picked if move not in codes]
    if illegal:
        yield "pick must give legal moves", f"{illegal[0]}, but legal are {codes}"
    elif closely:
        weights = [int(weigh(position.state, move)) if position.turn == CHANCE else 1 for move in codes]
        for move, weight in zip(codes, weights):
            due = len(numbers) * weight / sum(weights)
            if abs(picked[move] - due) > DEVIATIONS * math.sqrt(due) + 1:
                often = f"{position.text_of(move)} {picked[move]} times and not about {due:.0f}"
                yield "pick must give all moves equally often, and outcomes by their weights", often
                break


def _symmetry_complaints(game: Game, position: Position, codes: list[int]) -> Iterator[Complaint]:
    """Moves that lead to positions called equivalent must lead to positions that look alike."""
    looks: dict[Any, Any] = {}
    for move in codes:
        after = position.play(move)
        look = (len(after.codes), game.verdict(after.state), after.turn)
        first = looks.setdefault(int(game.symmetry(after.state)), (look, move))  # type: ignore[misc]
        if first[0] != look:
            yield (
                "positions of equal symmetry differ in moves, result or turn",
                f"after {position.text_of(first[1])} and after {position.text_of(move)}",
            )
