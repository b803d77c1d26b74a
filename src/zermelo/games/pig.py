"""Pig: roll as often as you dare, stop to keep what you rolled, a 1 loses it.

A turn is a series of rolls of a die with `sides` sides. A roll of 1 ends it with nothing gained; any other roll adds to
the turn's total, and the player rolls again or stops and keeps the total. The first to `goal` points wins; a player
whose score and total reach it can only stop. Stopping before the first roll is allowed, so both players may pass for
ever: a turn that gains nothing hands on the same scores. Play then simply goes on, and under sensible play it ends
with probability 1. `max_plies` bounds a search, not the game.

The state is the two scores, the total of the turn, whose turn it is, and `turn`: that player or, while the die is in
the air, CHANCE. All of it fits into 64 bits, so the key is exact.
"""

from __future__ import annotations

import re
from typing import Any

from zermelo.rules import (
    CHANCE,
    ONGOING,
    Board,
    Game,
    Grid,
    Piece,
    PositionError,
    Spot,
    Unsuitable,
    Word,
    equal_weight,
    rule,
    struct,
    u8,
    u16,
    u64,
)
from zermelo.rules.hashing import mix

ROLL, STOP = 0, 1
HOLD_AT = 20
"""A turn total that most players keep; the best play stays near it unless somebody is about to win."""


def pig(goal: int = 100, sides: int = 6) -> Game:
    """Roll or stop; a 1 loses the turn's total. First to `goal` wins."""
    if not 1 <= goal <= 1000 or not 2 <= sides <= 100:
        raise Unsuitable(f"pig: a goal of {goal} with {sides} sides is impossible; goals are 1 to 1000, sides 2 to 100")
    State = struct(first=u16, second=u16, total=u16, player=u8, turn=u8)
    most = goal - 1 + sides  # score and total when the last roll reaches the goal
    zero, second_at, total_at, player_at, turn_at = u64(0), u64(16), u64(32), u64(48), u64(49)

    @rule
    def kept(s):  # the score of the player whose turn it is
        return s.first if s.player == 0 else s.second

    @rule
    def moves(s, out):
        if s.turn == CHANCE:
            for i in range(sides):
                out[i] = i
            return sides
        if kept(s) + s.total >= goal:
            out[0] = STOP
            return 1
        out[0] = ROLL
        out[1] = STOP
        return 2

    @rule
    def hand_on(s):
        s.total = 0
        s.player = 1 - s.player
        s.turn = s.player

    @rule
    def play(s, move):
        if s.turn == CHANCE:
            if move == 0:
                hand_on(s)
            else:
                s.total += move + 1
                s.turn = s.player
        elif move == ROLL:
            s.turn = CHANCE
        else:
            if s.player == 0:
                s.first += s.total
            else:
                s.second += s.total
            hand_on(s)

    @rule
    def result(s):
        if s.first >= goal:
            return 1
        if s.second >= goal:
            return -1
        return ONGOING

    @rule
    def evaluate(s):  # the race, with what the player to move holds, and may yet win, in hand
        at_risk = s.total if s.turn != CHANCE else s.total * (sides - 1) / sides
        lead = 0.0 + s.first - s.second + (at_risk + 4 if s.player == 0 else -at_risk - 4)
        left = 10.0 + 2 * goal - s.first - s.second
        return 3 * lead / (left + 3 * abs(lead))

    @rule
    def order(s, move):
        if s.turn == CHANCE:
            return 0
        return 1 if (move == ROLL) == (s.total < HOLD_AT) else 0

    @rule
    def key(s):
        scores = u64(s.first) | u64(s.second) << second_at | u64(s.total) << total_at
        return mix(zero, scores | u64(s.player) << player_at | u64(s.turn) << turn_at)

    def move_text(s: Any, move: int) -> str:
        return str(move + 1) if s.turn == CHANCE else ("roll", "stop")[move]

    def position_text(s: Any) -> str:
        rolling = " rolling" if s.turn == CHANCE else ""
        return f"{s.first}-{s.second} {'XO'[s.player]}+{s.total}{rolling}"

    def read_position(text: str) -> Any:
        if not text[0].isdigit():
            return None
        form = re.fullmatch(r"(\d+)-(\d+)\s+([XO])\s*\+\s*(\d+)(\s+rolling)?", text)
        if form is None:
            raise PositionError(
                f"{text!r} is no pig position: write the scores, whose turn it is and the turn's total, such as "
                "37-52 X+12, and rolling behind it while the die is in the air"
            )
        first, second, total = int(form[1]), int(form[2]), int(form[4])
        player, rolling = "XO".index(form[3]), form[5] is not None
        own, other = (first, second) if player == 0 else (second, first)
        if own >= goal:
            raise PositionError(f"{form[3]} has {own} points, which won the game: the turn is then the other player's")
        if own + total > most or other > most:
            raise PositionError(
                f"{text!r} goes beyond {most} points, the most that a last roll of {sides} brings on the way to {goal}"
            )
        if other >= goal and (total or rolling):
            raise PositionError(f"{text!r} goes on after the game is over: the total must be 0 and no die rolling")
        if rolling and own + total >= goal:
            raise PositionError(f"{form[3]} has {own + total} points with the total of the turn and can only stop")
        return State(first=first, second=second, total=total, player=player, turn=CHANCE if rolling else player)

    def draw(s: Any) -> Board:
        scores = [(s.first, s.total if s.player == 0 else ""), (s.second, s.total if s.player == 1 else "")]
        rows = [[str(score).rjust(5), str(total).rjust(5)] for score, total in scores]
        name = "XO"[s.player]
        caption = f"{name} is rolling" if s.turn == CHANCE else f"{name} to move"
        if result(s) != ONGOING:
            caption = f"{'OX'[result(s) > 0]} wins"
        grid = Grid(rows, columns=["score", " turn"], rows=["X", "O"], caption=caption)
        spots, pieces = {"die": Spot(5.6, 1, "open")}, {"die": Piece("?", int(s.player), "die", count=0)}
        for row, who in enumerate("XO"):
            for column, what in enumerate(("score", "turn")):
                spots[f"{what} of {who}"] = Spot(1.6 + 2 * column, 0.5 + row, "open", 2)
                pieces[f"{what} of {who}"] = Piece(str(scores[row][column]), row)
        words = [Word(1.6, 2.3, "score"), Word(3.6, 2.3, "this turn"), Word(0.3, 0.5, "X"), Word(0.3, 1.5, "O")]
        return Board(spots, pieces, (), words, caption, grid.text())

    def spots(s: Any, move: int) -> list[str] | None:
        if s.turn == CHANCE:
            return None
        return ["die"] if move == ROLL else [f"turn of {'XO'[s.player]}"]

    return Game(
        name="pig",
        State=State,
        start=State(),
        moves=moves,
        play=play,
        result=result,
        weight=equal_weight,
        max_moves=max(2, sides),
        max_plies=1000 + 20 * goal,
        endless=True,
        exact_key=True,
        evaluate=evaluate,
        order=order,
        key=key,
        move_text=move_text,
        position_text=position_text,
        read_position=read_position,
        draw=draw,
        spots=spots,
    )
