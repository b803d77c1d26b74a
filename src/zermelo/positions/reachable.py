"""All positions that play can reach from a root, each once, and the moves between them turned round.

A position goes in; out come, for every position found, who moves there, how many moves it has, the score where play
ends, and the positions that lead to it. Positions are told apart by their whole state, never by a hash alone. Compiled,
they lie one behind the other in native memory with a hash set of their numbers; interpreted, in a Python dictionary.
Nothing here is shared with the searches: what is built on it can check them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from zermelo.compile.arrays import on_arrays
from zermelo.compile.diagnosis import check_moves, no_move
from zermelo.compile.modes import Compiled, Kernel, Mode, Workspace
from zermelo.compile.watch import Watch
from zermelo.rules import ONGOING, Game, MoveBuffer, Position, RuleError, Struct, TooLarge, Unsuitable, rule
from zermelo.rules.hashing import key_of_fields

SETTLED = 2
"""What `movers` holds where nobody moves: at ends, and at positions whose value is known."""
MOST_POSITIONS = 2**31 - 1
FIRST_SLOTS = 1 << 12
AT_ONCE = 1 << 20  # positions between two looks at the clock
EDGE_BYTES = 8  # a move forward and the same move turned round
PLAIN_POSITION_BYTES, PLAIN_EDGE_BYTES = 700, 80  # what Python's objects take, roughly
_DONE, _STOPPED, _CROWDED, _FULL = range(4)


@dataclass
class Reached:
    """The graph of positions. Number 0 to `root` - 1 are those of the game's history that end play when they come back.

    parents[offsets[i]:offsets[i + 1]] are the positions that lead to i, once for each move.
    """

    root: int
    returning: bool  # whether play ends when it comes back to the root
    count: int  # how many were found, the history not among them
    ends: int
    estimated: int  # ends that are only the game's horizon
    bytes: int  # at the most
    scores: Any  # the first player's at ends, that of a loop elsewhere
    movers: Any
    degrees: Any  # how many moves a position has
    offsets: Any
    parents: Any
    children: list[int]  # of the root, in the order of its moves
    find: Callable[[Any], int]  # the number of a state


def bytes_of(game: Game) -> tuple[int, int]:
    """What a compiled run takes for each position, its share of the hash set apart, and for each move."""
    assert game.State is not None
    score = np.dtype(_score_type(game)).itemsize
    return game.State.dtype.itemsize + score + 1 + 2 + 4 + 8, EDGE_BYTES  # mover, degree, offset, queue and distance


def reach(
    position: Position, mode: Mode, workspace: Workspace, watch: Watch, loop: float, budget: int
) -> Reached | None:
    """Everything that can be reached from a position; None if the watch stopped it. `loop` is what positions score
    that come back."""
    history, returning = loop_ends(position)
    path = [*history, position.state]
    if isinstance(mode, Compiled):
        reached = _reach_compiled(position, path, workspace, watch, loop, budget)
    else:
        reached = _reach_plain(position, path, workspace, watch, loop, budget)
    if reached is not None:
        reached.returning = returning
    return reached


def loop_ends(position: Position) -> tuple[list[Any], bool]:
    """The earlier states that end play when they come back once more, and whether the position itself does."""
    game = position.game
    if not game.cyclic:
        return [], False
    name: Any = (lambda state: state) if game.compilable else game.key
    path = position.path()
    times = Counter(name(state) for state in path)
    often = {name(state): state for state in path if times[name(state)] >= game.folds - 1}
    returning = often.pop(name(position.state), None) is not None
    return list(often.values()), returning


def _too_many(game: Game, found: int, budget: int) -> TooLarge:
    return TooLarge(
        f"{game.name} has more positions than fit: {found:,} were found so far and fill {budget / 2**20:,.0f} MB; give "
        "more memory, or take a method that need not see all of them, such as alphabeta"
    )


def _score_type(game: Game) -> type[Any]:
    return np.int32 if game.integral and game.horizon is None else np.float64


def _reach_compiled(
    position: Position, path: list[Any], workspace: Workspace, watch: Watch, loop: float, budget: int
) -> Reached | None:
    game, root = position.game, len(path) - 1
    assert game.State is not None
    each, _ = bytes_of(game)
    room = min(budget // (each + 4) + len(path), MOST_POSITIONS)
    edge_room = min(budget // EDGE_BYTES, 2**32 - 1)
    kernel = explorer_for(game)
    try:  # memory costs nothing until it is touched
        states = np.empty(room, game.State.dtype)
        scores = np.empty(room, _score_type(game))
        movers, degrees = np.empty(room, np.uint8), np.empty(room, np.uint16)
        arrivals, edges = np.zeros(room + 1, np.uint32), np.empty(edge_room, np.uint32)
    except MemoryError:
        raise Unsuitable(f"{budget / 2**20:,.0f} MB cannot be had on this machine; give less memory") from None
    for number, state in enumerate(path):
        states[number] = np.frombuffer(state.tobytes(), game.State.dtype)[0]
    scores[:root], movers[:root], degrees[:root] = loop, SETTLED, 0

    slots = FIRST_SLOTS
    while slots < 4 * (len(path) + game.max_moves):
        slots *= 2
    table = np.zeros(slots, np.uint32)
    at = np.array([len(path), root, 0, 0, 0, 1, root], np.int64)
    arrays = (scores, movers, degrees, arrivals, edges, at)
    while True:
        outcome = kernel(workspace.record, states, table, *arrays, budget, each, float(loop))
        check_moves(game, [workspace])
        found = int(at[0])
        if outcome == _DONE:
            break
        if outcome == _STOPPED:
            return None
        if outcome == _FULL or found * each + int(at[2]) * EDGE_BYTES + 8 * len(table) > budget:
            raise _too_many(game, found - root, budget)
        table = np.zeros(2 * len(table), np.uint32)
        at[5] = 1

    edge_count = int(at[2])
    offsets = arrivals[: found + 1]
    np.cumsum(offsets, out=offsets)
    parents = np.empty(edge_count, np.uint32)
    turned = np.array([root, 0], np.int64)
    while turned[0] < found:
        _turn_round_compiled(degrees[:found], edges, offsets, parents, turned, AT_ONCE)
        if watch.stopped:
            return None

    hashed = key_of_fields(game.State)

    def find(state: Any) -> int:
        slot = int(hashed(state)) & (len(table) - 1)
        while game.State.frombytes(states[int(table[slot]) - 1].tobytes()) != state:  # type: ignore[union-attr]
            slot = (slot + 1) & (len(table) - 1)
        return int(table[slot]) - 1

    return Reached(
        root=root, returning=False, count=found - root, ends=int(at[3]), estimated=int(at[4]),
        bytes=found * each + edge_count * EDGE_BYTES + table.nbytes,
        scores=scores[:found], movers=movers[:found], degrees=degrees[:found], offsets=offsets, parents=parents,
        children=edges[: int(degrees[root])].tolist(), find=find,
    )  # fmt: skip


@lru_cache(maxsize=64)
def explorer_for(game: Game) -> Kernel:
    """The kernel that finds positions, compiled at most once in a process and kept on disk like every other."""
    import numba

    assert game.State is not None
    words, bytes_, halves = numba.uint32[::1], numba.uint8[::1], numba.uint16[::1]
    states = numba.from_dtype(game.State.dtype)[::1]
    scores = numba.from_dtype(np.dtype(_score_type(game)))[::1]
    arrays = (states, words, scores, bytes_, halves, words, words, numba.int64[::1])
    mode = Compiled()
    return mode.entry(explorer(game, mode), game, (*arrays, int, int, float))


def explorer(game: Game, mode: Compiled) -> Any:
    """The kernel `explore`. `at` holds how many positions are found and expanded, how many moves, ends and estimates
    there are, whether the hash set must be filled anew, and the number of the root. A position is expanded wholly or
    not at all, so that the kernel may return for more room and go on where it was."""
    from zermelo.compile.native import native

    assert game.State is not None
    rules = mode.rules(game)
    generate, advance, result, turn = rules.generate, rules.advance, rules.result, rules.turn
    horizon, evaluate = rules.horizon, rules.evaluate
    hashed, same = native(key_of_fields(game.State)), native(sameness(game.State))
    most, number = game.max_moves, (int if _score_type(game) is np.int32 else float)
    room_for_one = most * (EDGE_BYTES + 4)

    @mode.kernel
    def explore(ws, states, table, scores, movers, degrees, arrivals, edges, at, budget, each, loop):
        mask = np.uint64(len(table) - 1)
        one = np.uint64(1)
        found, here, moves, ends, estimated = at[0], at[1], at[2], at[3], at[4]
        if at[5] != 0:
            at[5] = 0
            for i in range(found):
                slot = hashed(states[i]) & mask
                while table[slot] != 0:
                    slot = (slot + one) & mask
                table[slot] = i + 1
        outcome = _DONE
        while here < found:
            taken = found * each + moves * EDGE_BYTES + 4 * len(table)
            if found + most > len(states) or moves + most > len(edges) or taken + room_for_one > budget:
                outcome = _FULL
                break
            if 4 * (found + most) > 3 * len(table):
                outcome = _CROWDED
                break
            if ws.nodes >= ws.node_limit:
                ws.stop = 1
                outcome = _STOPPED
                break
            ws.stack[0] = states[here]
            s = ws.stack[0]
            degrees[here] = 0
            movers[here] = SETTLED
            score = result(s)
            if score != ONGOING:
                scores[here] = number(score)
                ends += 1
            elif horizon(s):
                scores[here] = number(evaluate(s))
                ends += 1
                estimated += 1
            else:
                n = generate(ws, 0)
                movers[here] = turn(s)
                scores[here] = number(loop)
                degrees[here] = n
                for i in range(n):
                    advance(ws, 0, ws.moves[0][i])
                    child = ws.stack[1]
                    slot = hashed(child) & mask
                    while table[slot] != 0 and not same(states[table[slot] - 1], child):
                        slot = (slot + one) & mask
                    if table[slot] == 0:
                        states[found] = child
                        found += 1
                        table[slot] = found
                    edges[moves] = table[slot] - 1
                    arrivals[table[slot] - 1] += 1
                    moves += 1
            here += 1
            ws.nodes = here - at[6]
        at[0], at[1], at[2], at[3], at[4] = found, here, moves, ends, estimated
        return outcome

    return explore


def sameness(State: type[Struct]) -> Any:
    """A rule that says whether two states are equal, field by field."""
    lines = ["def same(a, b):"]
    for name, kind in State.fields.items():
        if isinstance(kind, tuple):
            lines += [f"    for i in range({kind[1]}):", f"        if a.{name}[i] != b.{name}[i]:"]
            lines.append("            return False")
        else:
            lines += [f"    if a.{name} != b.{name}:", "        return False"]
    lines.append("    return True")
    namespace: dict[str, Any] = {}
    exec("\n".join(lines), namespace)
    same: Any = rule(namespace["same"])
    return same


def turn_round(degrees, edges, offsets, parents, at, at_once):
    """Sort moves by where they lead. On entry offsets[i] is where the parents of i end, on return where they begin.
    `at` holds the next position and its first move; works on some positions at once."""
    move = at[1]
    last = min(at[0] + at_once, len(degrees))
    for i in range(at[0], last):
        for _ in range(degrees[i]):
            child = edges[move]
            offsets[child] -= 1
            parents[offsets[child]] = i
            move += 1
    at[0], at[1] = last, move


_turn_round_compiled = on_arrays(turn_round)


def _reach_plain(
    position: Position, path: list[Any], workspace: Workspace, watch: Watch, loop: float, budget: int
) -> Reached | None:
    """The same in plain Python, for any game."""
    game, root, ws = position.game, len(path) - 1, workspace.record
    step = steps_of(game)
    numbers: dict[Any, int] = {step.name(state): number for number, state in reversed(list(enumerate(path)))}
    states = list(path)
    scores: list[Any] = [loop] * len(path)
    movers, degrees, arrivals = [SETTLED] * len(path), [0] * len(path), [0] * len(path)
    edges: list[int] = []
    ends = estimated = 0
    here = root
    while here < len(states):
        if ws.nodes >= ws.node_limit:
            ws.stop = 1
        if watch.stopped or ws.stop:
            return None
        if len(states) * PLAIN_POSITION_BYTES + len(edges) * PLAIN_EDGE_BYTES > budget:
            raise _too_many(game, len(states) - root, budget)
        state, states[here] = states[here], None
        score = game.result(state)
        if score != ONGOING:
            scores[here] = score
            ends += 1
        elif game.horizon is not None and game.horizon(state):
            scores[here] = game.evaluate(state)  # type: ignore[misc]
            ends += 1
            estimated += 1
        else:
            movers[here] = int(game.turn(state))  # type: ignore[misc]
            children = step.children(state)
            if not children:
                raise no_move(game)
            degrees[here] = len(children)
            for child in children:
                number = numbers.setdefault(step.name(child), len(states))
                if number == len(states):
                    states.append(child)
                    scores.append(loop)
                    movers.append(SETTLED)
                    degrees.append(0)
                    arrivals.append(0)
                edges.append(number)
                arrivals[number] += 1
        here += 1
        ws.nodes = here - root
    offsets = [int(end) for end in np.cumsum([*arrivals, 0])]
    parents = [0] * len(edges)
    turn_round(degrees, edges, offsets, parents, [root, 0], len(states))
    return Reached(
        root=root, returning=False, count=len(states) - root, ends=ends, estimated=estimated,
        bytes=len(states) * PLAIN_POSITION_BYTES + len(edges) * PLAIN_EDGE_BYTES,
        scores=scores, movers=movers, degrees=degrees, offsets=offsets, parents=parents,
        children=edges[: degrees[root]], find=lambda state: numbers[step.name(state)],
    )  # fmt: skip


@dataclass(frozen=True)
class Steps:
    """How plain Python moves on: what a state is called, and what it leads to."""

    name: Callable[[Any], Any]
    children: Callable[[Any], list[Any]]


def steps_of(game: Game) -> Steps:
    """Of any game: states are told apart by all their bytes, objects by the key that they give."""
    if not game.compilable:
        if game.key is None:
            raise RuleError(f"{game.name}: its positions are told apart by their key; give the objects a method key()")
        return Steps(game.key, lambda state: [game.play(state, move) for move in game.moves(state)])
    buffer = MoveBuffer(game.max_moves, game.name)

    def children(state: Any) -> list[Any]:
        found = []
        for move in buffer[: game.moves(state, buffer)]:
            child = state.copy()
            game.play(child, move)
            found.append(child)
        return found

    return Steps(lambda state: state.tobytes(), children)
