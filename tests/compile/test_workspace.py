"""What a search asks for is what its workspace holds, in both modes, and no more than that."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from zermelo import games
from zermelo.chance.engine import ChanceEngine
from zermelo.chance.options import ChanceOptions
from zermelo.compile.modes import Compiled, Interpreted, Kernel, Mode, mode_for
from zermelo.compile.workspace import GUARD, MOVES, OUTCOMES, PLIES, plies_of
from zermelo.core.engine import Engine
from zermelo.core.method import PLAIN, Method, Options, Parts, build, fit
from zermelo.core.node import number_of
from zermelo.methods.registry import method_named
from zermelo.rules import Game, f64, i32, i64

GAME = games.tic_tac_toe()
MODES = ("interpreted", "compiled")


def widths(mode: Mode, parts: Parts) -> Kernel:
    """A search of one's own: minimax that notes how many positions it met at every ply, and the moves that it made at
    each, in fields of its own."""
    visit, advance, generate = parts.nodes.visit, parts.nodes.advance, parts.nodes.rules.generate
    mode.needs(
        met=(i64, PLIES),
        made=(i32, PLIES, MOVES),
        share=(f64, PLIES, 2, 3),
    )
    mode.counts(calls=i64)

    @mode.kernel
    def search(ws, ply, depth, alpha, beta):
        ws.calls += 1
        ws.met[ply] += 1
        done, value, _ = visit(ws, ply, depth)
        if done:
            return value
        best = alpha
        for i in range(generate(ws, ply)):
            move = ws.moves[ply][i]
            ws.made[ply][move] += 1
            ws.share[ply][1][2] += 0.5
            advance(ws, ply, move)
            best = max(best, -search(ws, ply + 1, depth - 1, -beta, -alpha))
        return best

    return search


WIDTHS = Method(name="widths", summary="", source="", kernel=widths, options=PLAIN)


@cache
def engine(mode: str) -> Engine:
    return Engine(GAME, WIDTHS, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_a_search_of_ones_own_declares_its_fields_where_it_is_written(mode: str) -> None:
    one = engine(mode)
    workspace = one.workspaces[0]
    assert one.search(GAME.position(), 3, -1, 1) == 0
    assert [int(n) for n in workspace.rows("met")[:5]] == [1, 9, 72, 504, 0]
    assert [int(workspace.rows("made")[1][move]) for move in range(9)] == [8] * 9
    assert workspace.rows("share")[2][1][2] == 252
    assert workspace["calls"] == workspace["nodes"] == 586
    workspace.reset()
    assert workspace["calls"] == 0
    assert workspace.rows("met")[0] == 1, "only counters are set to 0"


def test_two_parts_may_ask_for_the_same_but_not_for_different_things() -> None:
    mode = Interpreted()
    mode.needs(marks=(i64, PLIES))
    mode.needs(marks=(i64, PLIES))
    with pytest.raises(TypeError, match="different fields of the name marks"):
        mode.needs(marks=(i64, MOVES))


def test_the_layout_does_not_depend_on_who_asked_first() -> None:
    one, other = Compiled(), Compiled()
    one.needs(a=i64, b=(f64, PLIES, MOVES), c=(i32, OUTCOMES))
    other.needs(c=(i32, OUTCOMES), b=(f64, PLIES, MOVES))
    other.needs(a=i64)
    assert one.record_type(GAME) == other.record_type(GAME)


def test_the_move_lists_come_last_with_a_guard_behind_them() -> None:
    mode = Compiled()
    mode.needs(scores=(i64, PLIES, MOVES))
    record = mode.record_type(GAME)
    assert record.names is not None
    assert record.fields is not None
    assert record.names[-2:] == ("moves", "guard")
    end = record.fields["moves"][1] + 4 * plies_of(GAME) * GAME.max_moves
    assert record.fields["guard"][1] == end
    assert record.itemsize >= end + 4 * GUARD


def fields(game: Game, method: str, options: Options | None = None) -> set[str]:
    """What a search asks for beyond what all have."""
    mode = mode_for(game, "interpreted")
    asked = method_named(method)
    build(asked, game, mode, fit(options or asked.options, game), number_of(game, asked.chance))
    return set(mode.fields) - set(Interpreted().fields)


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "mtdf", "boolean", "dfpn", "pn", "mopn"])
def test_no_search_has_the_fields_of_another(name: str) -> None:
    asked = fields(GAME, name)
    for own, users in (
        ({"guess"}, {"mtdf"}),
        ({"proofs", "disproofs", "sources"}, {"dfpn"}),
        ({"spots", "expanded", "full"}, {"pn", "mopn"}),
        ({"proof", "disproof"}, {"pn"}),
        ({"marks", "cut", "weights"}, set()),  # no loops, no fastest cut first, no dice
    ):
        assert own & asked == (own if name in users else set())


@pytest.mark.parametrize("name", ["star0", "star1", "star2", "star2.5", "star-negascout", "star-promising"])
def test_only_probing_searches_have_room_for_probes(name: str) -> None:
    own = {"probes", "probed", "seen", "most"}
    assert own & fields(games.einstein(size=3, stones=3), name) == (own if name in ("star2", "star2.5") else set())


def test_options_bring_their_fields() -> None:
    game = games.einstein(size=3, stones=3)
    options = method_named("star1").options
    assert isinstance(options, ChanceOptions)
    assert "dice" not in fields(game, "star1", options)
    assert "dice" in fields(game, "star1", replace(options, max_chance=2))
    assert {"killers", "history"} <= fields(GAME, "alphabeta", Options(order=("killers", "history")))
    assert not {"killers", "history"} & fields(GAME, "alphabeta", Options(order=("hash",)))


def test_a_long_game_is_begun_as_fast_as_a_short_one() -> None:
    game = games.dark_chess()
    record = Interpreted().workspace(game).record
    assert plies_of(game) > 10_000
    assert len(record.moves) == 0
    assert len(record.moves[3]) == game.max_moves
    assert len(record.moves) == 1


def resident(address: int, size: int) -> int:
    """How many bytes of a range of addresses are memory, as Linux tells it."""
    total, inside = 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        found = re.match(r"([0-9a-f]+)-([0-9a-f]+) ", line)
        if found:
            inside = int(found[1], 16) < address + size and address < int(found[2], 16)
        elif inside and line.startswith("Rss:"):
            total += int(line.split()[1]) << 10
    return total


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="only Linux tells what is memory")
def test_compiled_rows_are_memory_once_they_are_reached() -> None:
    game, mode = games.dark_chess(), Compiled()
    mode.needs(scores=(i64, PLIES, MOVES), marks=(i64, PLIES), reach=(i64, PLIES))
    workspace = mode.workspace(game)
    size, before = workspace.record.dtype.itemsize, 1 << 16  # neighbours in the same mapping may be told of, too
    address = workspace.record.__array_interface__["data"][0]
    assert size > 12 << 20
    assert resident(address, size) <= before
    workspace.fill(marks=[1] * 100)
    for ply in range(100, 120):
        workspace.rows("scores")[ply] = workspace.rows("moves")[ply] = 1
    reached = resident(address, size)
    assert 20 * game.max_moves * 12 < reached < 150_000


def test_engines_set_only_what_their_search_asked_for() -> None:
    one = ChanceEngine(games.einstein(size=3, stones=3), method_named("star1"), mode="interpreted", memory="1KB")
    workspace = one.workspaces[0]
    one.set_probes((3,))
    assert "probes" not in workspace
    assert workspace.count("full") == 0
    workspace.tell(guess=1, age=5)
    assert workspace.count("age") == 5
    assert not hasattr(workspace.record, "guess")
