"""Shogi and minishogi against cshogi, rsshogi and Fairy-Stockfish, and against slow versions of what helps searches."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pytest

from marks import slow
from near_mates import checks, near_mates
from zermelo import games
from zermelo.core.perft import perft
from zermelo.rules import MoveError, Position, PositionError

pytestmark = pytest.mark.usefixtures("calling_rules")

cshogi = pytest.importorskip("cshogi", reason="cshogi is one of the packages of the extra test")
rsshogi = pytest.importorskip("rsshogi.core", reason="rsshogi is one of the packages of the extra test")
pyffish = pytest.importorskip("pyffish", reason="pyffish is one of the packages of the extra test")

SHOGI, MINI = games.shogi(), games.minishogi()
START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
MINI_START = "rbsgk/4p/5/P4/KGSBR b - 1"

# Counts by cshogi and rsshogi, those of the start by Fairy-Stockfish too.
PERFT = {
    START: (30, 900, 25470, 719731, 19861490),
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1": (593, 105677, 53393368),
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1": (207, 28684, 4809015),
    "6snk/6g2/7G1/9/9/9/9/9/4K4 b P 1": (79, 697, 14177, 249422),
    "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1": (525, 2410, 1262715),
    "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1": (525, 251422, 115599736),
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124": (178, 18041, 2552846),
}
MINI_PERFT = (14, 181, 2512, 35401, 533203, 8276188)


@pytest.mark.parametrize("sfen", PERFT)
def test_so_many_paths(sfen: str) -> None:
    for depth, count in enumerate(PERFT[sfen], 1):
        if count <= 1_000_000:
            assert perft(SHOGI.position(sfen), depth).paths == count


@pytest.mark.slow
@pytest.mark.parametrize("sfen", PERFT)
def test_so_many_longer_paths(sfen: str) -> None:
    assert perft(SHOGI.position(sfen), len(PERFT[sfen])).paths == PERFT[sfen][-1]


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5, *slow(6)])
def test_so_many_paths_of_minishogi(depth: int) -> None:
    assert perft(MINI, depth).paths == MINI_PERFT[depth - 1]


def test_paths_with_pieces_that_no_game_leads_to() -> None:
    """A counted position has two pawns on a file and a knight that cannot move, which no SFEN of ours may have."""
    state = SHOGI.position("k8/4P2L1/1S1P1G1B1/9/9/9/9/9/4K3R b 2p 1").state.copy()
    board = dict(zip("987654321", range(21, 30)))  # the squares of the second row
    for file, piece in (("6", 1), ("4", 3)):
        state.board[board[file]] = piece
        state.own[0] |= np.uint64(1 << board[file])
    state.pawns[0] |= 1 << board["6"] % 10
    assert [perft(Position(SHOGI, state), depth).paths for depth in (1, 2, 3)] == [56, 3219, 162040]


# random games


def random_move(rng: random.Random, position: Position, homesick: float = 0) -> str:
    """Any legal move; checks, captures and drops more often than others, and, so often, back to where one came from."""
    moves, own = position.moves(), position.history()[-2:-1]
    if own and "*" not in own[0] and (back := own[0][2:4] + own[0][:2]) in moves and rng.random() < homesick:
        return back
    lively = [move for move in moves if "*" in move or move.endswith("+")]
    checks = texts(position, position.game.subgames["mate"].attack)
    for some, often in ((checks, 0.25), (lively, 0.2)):
        if some and rng.random() < often:
            return rng.choice(some)
    return rng.choice(moves)


def texts(position: Position, rule: Any) -> list[str]:
    out = [0] * position.game.max_moves
    return sorted(position.text_of(move) for move in out[: rule(position.state, out)])


def without_number(sfen: str) -> str:
    return sfen.rsplit(" ", 1)[0]


def repeated(fens: list[str], in_check: list[bool], draw: float) -> float | None:
    """What the fourth time of the last position is worth, by a plain look at all positions; None if it is not that."""
    times = [ply for ply, fen in enumerate(fens) if fen == fens[-1]]
    if len(times) < 4:
        return None
    assert len(times) == 4
    checked = in_check[times[0] + 1 :]
    to_move, waiting = all(checked[1::2]), all(checked[::2])  # whether each was in check all the time
    if to_move == waiting:
        return draw
    first_to_move = fens[-1].split()[1] in "b"
    return 1 if to_move == first_to_move else -1


RSSHOGI = {"rep_none": None, "rep_draw": 0, "rep_lose": -1, "rep_win": 1}
"""Repetitions as rsshogi calls them, for the player to move. It knows two more, rep_sup and rep_inf: the board stood
there before and the hands were smaller or larger, which ends no game, but hides an equal one from further back."""


def follow_shogi(seed: int, plies: int = 220) -> str:
    """One random game, every position of which is compared: how it ended. In every third of them players like to go
    back, so that games end by repetition too."""
    rng, here, board, other = random.Random(seed), SHOGI.position(), cshogi.Board(), rsshogi.Board()
    fens, in_check = [], []
    for _ in range(plies):
        legal = sorted(map(cshogi.move_to_usi, board.legal_moves))
        assert sorted(here.moves() if here.result is None else texts(here, SHOGI.moves)) == legal
        assert legal == sorted(move.to_usi() for move in other.legal_moves())
        assert SHOGI.checked(here.state) == board.is_check() == other.is_in_check()
        assert without_number(here.text()) == without_number(board.sfen())
        again = SHOGI.position(here.text())
        assert again == here  # hash and balance included, made from nothing
        fens.append(without_number(board.sfen()))
        in_check.append(board.is_check())
        ended = repeated(fens, in_check, draw=0)
        state = str(other.repetition_state())
        if state in RSSHOGI:
            for_mover = RSSHOGI[state]
            assert ended == (-for_mover if for_mover and here.turn else for_mover)
        else:
            assert state in ("rep_sup", "rep_inf")
        if not legal:
            assert here.result == (1 if here.turn else -1)
            return "mate" if in_check[-1] else "stalemate"
        assert here.result == ended
        if ended is not None:
            return "draw" if ended == 0 else "perpetual check"
        move = random_move(rng, here, homesick=0.85 if seed % 3 == 0 else 0)
        here = here.play(move)
        board.push_usi(move)
        other.push_usi(move)
    return "open"


@pytest.mark.parametrize("seed", [1, 2, 3, *slow(*range(4, 1001))])
def test_random_games_are_those_of_cshogi_and_rsshogi(seed: int) -> None:
    follow_shogi(seed)


def fairy(usi: str) -> str:
    """A move of minishogi as pyffish writes it: files are letters from the left, ranks count from below."""

    def square(text: str) -> str:
        return f"{'edcba'[int(text[0]) - 1]}{'abcde'[::-1].index(text[1]) + 1}"

    if usi[1] == "*":
        return f"{usi[0]}@{square(usi[2:])}"
    return square(usi[:2]) + square(usi[2:4]) + usi[4:]


def mates_by_a_dropped_pawn(fen: str, move: str) -> bool:
    """Whether a move that pyffish lists is one that the rules forbid. pyffish lets a dropped pawn mate and has it lose
    the game: whoever is mated so has won."""
    if not move.startswith("P@") or pyffish.legal_moves("minishogi", fen, [move]):
        return False
    if not pyffish.gives_check("minishogi", fen, [move]):
        return False  # no mate: to leave no move without check is allowed
    assert pyffish.game_result("minishogi", fen, [move]) > 0
    return True


def follow_minishogi(seed: int, plies: int = 220) -> str:
    """One random game, every position of which is compared: how it ended."""
    rng, here = random.Random(seed), MINI.position()
    start, played = pyffish.start_fen("minishogi"), []
    fens, in_check = [], []
    for _ in range(plies):
        fen = pyffish.get_fen("minishogi", start, played)
        moves = {fairy(move): move for move in (here.moves() if here.result is None else texts(here, MINI.moves))}
        theirs = pyffish.legal_moves("minishogi", fen, [])
        assert sorted(moves) == sorted(move for move in theirs if not mates_by_a_dropped_pawn(fen, move))
        fens.append(without_number(here.text()))
        in_check.append(pyffish.gives_check("minishogi", fen, []))
        assert MINI.checked(here.state) == in_check[-1]
        assert MINI.position(" ".join(fen.split()[:2])).state == here.state
        ended = repeated(fens, in_check, draw=-1)
        over, score = pyffish.is_optional_game_end("minishogi", start, played)
        assert over == (ended is not None)
        if not moves:
            assert here.result == (1 if here.turn else -1)
            return "mate" if in_check[-1] else "stalemate"
        assert here.result == ended
        if ended is not None:
            assert ended == (1 if (score > 0) == (here.turn == 0) else -1)
            return f"repetition {ended:+}"
        move = fairy(random_move(rng, here, homesick=0.85 if seed % 3 == 0 else 0))
        played.append(move)
        here = here.play(moves[move])
    return "open"


@pytest.mark.parametrize("seed", [1, 3, *slow(2, *range(4, 1001))])
def test_random_games_of_minishogi_are_those_of_fairy_stockfish(seed: int) -> None:
    follow_minishogi(seed)


def test_a_pawn_must_not_mate_in_minishogi_either() -> None:
    """The rules say so; pyffish lists the move and has it lose."""
    fen, sfen = "3rk/bs3/PB1gS/G4/K3R[P] w - - 1 9", "3rk/bs3/PB1gS/G4/K3R b P 1"
    assert "P@e4" in pyffish.legal_moves("minishogi", fen, [])
    assert mates_by_a_dropped_pawn(fen, "P@e4")
    assert "P*1b" not in MINI.position(sfen).moves()


# repetition


def results(position: Position, moves: list[str]) -> list[float | None]:
    found = []
    for move in moves:
        position = position.play(move)
        found.append(position.result)
    return found


def test_the_fourth_time_is_a_draw() -> None:
    assert results(SHOGI.position(), ["2h3h", "8b7b", "3h2h", "7b8b"] * 3) == [None] * 11 + [0]


@pytest.mark.parametrize("swapped", [False, True])
def test_perpetual_check_loses(swapped: bool) -> None:
    sfen, moves = "4k4/9/9/9/9/9/9/3R5/8K b - 1", ["6h5h", "5a6a", "5h6h", "6a5a"]
    if swapped:
        sfen, moves = "k8/5r3/9/9/9/9/9/9/4K4 w - 1", ["4b5b", "5i4i", "5b4b", "4i5i"]
    assert results(SHOGI.position(sfen), moves * 3) == [None] * 11 + [1 if swapped else -1]


def test_one_move_without_check_between_the_first_and_the_fourth_time_makes_it_a_draw() -> None:
    start = SHOGI.position("4k4/9/9/9/9/9/9/3R5/8K b - 1")
    checking = ["6h5h", "5a6a", "5h6h", "6a5a"]
    quiet = ["1i1h", "5a4a", "1h1i", "4a5a"]
    assert results(start, [*quiet, *checking * 2])[-1] == 0


def test_repetition_in_minishogi_loses_for_the_first_player() -> None:
    round_trip = ["1e1d", "5a5b", "1d1e", "5b5a"]
    assert results(MINI.position(), round_trip * 3) == [None] * 11 + [-1]
    checks = "4k/5/5/1R3/K4 b - 1", ["4d1d", "1a2a", "1d2d", "2a1a"]
    assert results(MINI.position(checks[0]), [*checks[1], *["2d1d", "1a2a", "1d2d", "2a1a"] * 3])[-1] == -1
    turned = "4k/3r1/5/5/K4 w - 1", ["2b5b", "5e4e", "5b4b", "4e5e"]
    assert results(MINI.position(turned[0]), [*turned[1], *["4b5b", "5e4e", "5b4b", "4e5e"] * 3])[-1] == 1


# drops


def test_a_pawn_must_not_mate_by_a_drop() -> None:
    assert "P*1b" not in SHOGI.position("6snk/6g2/7G1/9/9/9/9/9/4K4 b P 1").moves()
    escaping = SHOGI.position("6sk1/6g2/7G1/9/9/9/9/9/4K4 b P 1").moves()
    assert {"P*1b", "P*2b"} <= set(escaping)
    with pytest.raises(MoveError, match="is not a legal move"):
        SHOGI.position("6snk/6g2/7G1/9/9/9/9/9/4K4 b P 1").play("P*1b")


def test_no_move_left_is_a_loss() -> None:
    stalemated = SHOGI.position("8k/6G2/7S1/9/9/9/9/9/4K4 w - 1")
    assert stalemated.moves() == []
    assert stalemated.result == 1


# texts


@pytest.mark.parametrize(
    "text",
    [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 77",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-] w 0 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w",
    ],
)
def test_forms_of_one_position(text: str) -> None:
    assert SHOGI.position(text) == SHOGI.position()


def test_moves_may_follow_a_position() -> None:
    assert SHOGI.position(f"{START} moves 7g7f 3c3d 8h2b+") == SHOGI.position("7g7f 3c3d 8h2b+")
    assert MINI.position("rbsgk/4p/5/P4/KGSBR[-] w") == MINI.position(MINI_START) == MINI.position()


EMPTY = "9/9/9/9/9/9/9/9"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("k8/9/9 b - 1", "has 3 rows, the board has 9"),
        (f"k44/{EMPTY} b 3RR 1", "has 4 rooks"),
        (f"k9/{EMPTY} b - 1", "row k9 of .* has 10 squares, not 9"),
        (f"k7/{EMPTY} b - 1", "row k7 of .* has 8 squares, not 9"),
        (f"kx7/{EMPTY} b - 1", "x in .* is no piece: P L N S G B R K"),
        (f"k+G7/{EMPTY} b - 1", r"\+G in .* is no piece"),
        (f"kk7/{EMPTY} b - 1", "has 2 kings of the second player, who has one at most"),
        (f"9/{EMPTY} b - 1", "has no king"),
        (f"k8/{EMPTY} b 3R 1", "has 3 rooks, on the board and in hand, and there are only 2"),
        (f"k2+B5/{EMPTY} b 2b 1", "has 3 bishops"),
        (f"k8/{EMPTY} b 19p 1", "has 19 pawns"),
        (f"k8/{EMPTY} b K 1", "K in .* cannot be in hand"),
        (f"k8/{EMPTY} b 0P 1", "0P in .* cannot be in hand"),
        (f"k8/{EMPTY} b x 1", "x in .* cannot be in hand"),
        (f"k8/{EMPTY} b 99999999999P 1", "has 9999 pawns"),
        (f"k8/{EMPTY} b 3 1", "'3' in .* is no hand"),
        ("k8/9/9/4P4/9/4P4/9/9/9 b - 1", "has two pawns P on file 5"),
        ("P7k/9/9/9/9/9/9/9/9 b - 1", "the P on 9a in .* could never move again"),
        ("8k/N8/9/9/9/9/9/9/9 b - 1", "the N on 9b in .* could never move again"),
        ("k8/9/9/9/9/9/9/9/3l5 b - 1", "the l on 6i in .* could never move again"),
        ("k8/9/9/9/9/9/9/9/R8 b - 1", "the first player could take the king on 9a"),
        (f"k8/{EMPTY} x - 1", "is no SFEN: rows from the top"),
    ],
)
def test_what_is_no_position_is_refused(text: str, why: str) -> None:
    with pytest.raises(PositionError, match=why):
        SHOGI.position(text)


def test_pieces_of_the_large_board_are_none_of_the_small_one() -> None:
    with pytest.raises(PositionError, match="n in .* is no piece: P S G B R K"):
        MINI.position("nbsgk/4p/5/P4/KGSBR b - 1")
    with pytest.raises(PositionError, match="L in .* cannot be in hand: P S G B R"):
        MINI.position("rbsgk/4p/5/P4/KGSBR b L 1")


def test_drawing() -> None:
    shown = str(SHOGI.position("4k4/9/4+P4/9/9/9/9/9/4K4 b G2p 1")).splitlines()
    assert shown[2].split() == ["c", ".", ".", ".", ".", "+P", ".", ".", ".", "."]
    assert shown[-2].split() == list("987654321")
    assert shown[-1] == "in hand: G and 2p; CAPITALS to move"


# what helps searches


def some_positions(game: Any, seed: int, count: int) -> list[Position]:
    rng, found = random.Random(seed), []
    while len(found) < count:
        here = game.position()
        for ply in range(160):
            if here.result is not None:
                break
            here = here.play(random_move(rng, here))
            if ply > 20 and rng.random() < 0.08:
                found.append(here)
    return found[:count]


def swapped(sfen: str) -> str:
    """The same position with the players exchanged."""
    board, turn, hand, number = sfen.split()
    turned = ["".join(reversed(re.findall(r"\+?.", row))) for row in reversed(board.split("/"))]
    first = "".join(re.findall(r"\d*[A-Z]", hand)).lower()
    second = "".join(re.findall(r"\d*[a-z]", hand)).upper()
    return f"{'/'.join(turned).swapcase()} {'w' if turn == 'b' else 'b'} {second + first or '-'} {number}"


@pytest.mark.parametrize("game", [SHOGI, MINI], ids=["shogi", "minishogi"])
def test_checks_and_mates_at_once(game: Any) -> None:
    chance, found, rules = random.Random(4), 0, game.subgames["mate"]
    for _ in range(100):
        here = near_mates(chance, game)
        listed = checks(here)
        assert texts(here, rules.attack) == sorted(listed), here.text()
        mates = [place for place, move in enumerate(listed) if here.play(move).result is not None]
        codes = [here.code_of(move) for move in listed]
        assert rules.at_once(here.state, codes, len(codes)) == min(mates, default=-1), here.text()
        found += bool(mates)
    assert found > 2


@pytest.mark.parametrize("game", [SHOGI, MINI], ids=["shogi", "minishogi"])
def test_hooks_on_random_positions(game: Any) -> None:
    for here in some_positions(game, 5, 25):
        state = here.state.copy()
        loud = [m for m in here.moves() if "*" not in m and (m[4:] == "+" or captures(here, m))]
        assert texts(here, game.loud) == sorted(loud)
        checks = [m for m in here.moves() if game.checked(here.play(m).state)]
        assert texts(here, game.subgames["mate"].attack) == sorted(checks)
        codes = [here.code_of(move) for move in checks]
        mates = [place for place, move in enumerate(checks) if here.play(move).result is not None]
        assert game.subgames["mate"].at_once(here.state, codes, len(codes)) == min(mates, default=-1)
        for move in loud:
            assert game.exchange(here.state, here.code_of(move)) == pytest.approx(exchange(game, here, move))
        assert abs(game.evaluate(here.state)) < 1
        assert game.evaluate(here.state) == -game.evaluate(game.position(swapped(here.text())).state)
        assert here.state == state  # nothing was changed for good
        if not game.checked(here.state):
            assert game.skip(state)
            board, turn, rest = here.text().split(maxsplit=2)
            passed = f"{board} {'w' if turn == 'b' else 'b'} {rest}"
            assert state == game.position(passed).state


def captures(here: Position, move: str) -> bool:
    return "*" not in move and piece_on(here, move[2:4]) != ""


def piece_on(here: Position, square: str) -> str:
    row = here.text().split("/")[ord(square[1]) - 97].split()[0]
    spread = re.sub(r"\d", lambda blanks: "." * int(blanks[0]), row)
    marks = re.findall(r"\+?.", spread)
    return marks[len(marks) - int(square[0])].strip(".")


def exchange(game: Any, here: Position, move: str) -> float:
    """Captures on one square, tried out: the cheapest piece takes or does not, whoever's king is in check."""
    from zermelo.games.shogi.worth import _IN_HAND, _KING_TAKEN, _ON_BOARD, SCALE

    names = ".PLNSGBRK"
    kinds = {mark: names.index(mark) for mark in names[1:]} | {f"+{mark}": names.index(mark) + 8 for mark in "PLNSBR"}
    plain = {**_ON_BOARD, names.index("K"): _KING_TAKEN}
    size = int(here.text().count("/")) + 1
    squares = {f"{file}{chr(96 + rank)}" for file in range(1, size + 1) for rank in range(1, size + 1)}
    board = {square: mark for square in squares if (mark := piece_on(here, square))}
    target = move[2:4]

    def worth(mark: str) -> int:
        kind = kinds[mark.upper()]
        return plain[kind] + _IN_HAND.get(kind % 8 if kind != 8 else 0, 0)

    def reaching(board: dict[str, str], side: int) -> list[str]:
        return [at for at, mark in board.items() if mark.islower() == bool(side) and reaches(board, at, target)]

    def best(board: dict[str, str], side: int, prey: str) -> int:
        takers = reaching(board, side)
        if not takers:
            return 0
        at = min(takers, key=lambda square: plain[kinds[board[square].upper()]])
        rest = {square: mark for square, mark in board.items() if square != at}
        return max(0, worth(prey) - best(rest, 1 - side, board[at]))

    moved, taken = board.pop(move[:2]), board.pop(target, "")
    gained = 0
    if move.endswith("+"):
        gained = plain[kinds[f"+{moved.upper()}"]] - plain[kinds[moved.upper()]]
    risk = worth(moved) + gained
    first = (worth(taken) if taken else 0) + gained
    takers = reaching(board, 1 - here.turn)
    if not takers:
        return first / SCALE
    at = min(takers, key=lambda square: plain[kinds[board[square].upper()]])
    rest = {square: mark for square, mark in board.items() if square != at}
    return (first - max(0, risk - best(rest, here.turn, board[at]))) / SCALE


AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
GOLD = [(x, y) for x, y in AROUND if y == -1 or x == 0 or y == 0]
DIAGONAL, STRAIGHT = [(x, y) for x, y in AROUND if x and y], [(x, y) for x, y in AROUND if not (x and y)]
STEPS = {
    "P": [(0, -1)], "N": [(-1, -2), (1, -2)], "S": [(0, -1), *DIAGONAL], "G": GOLD, "K": AROUND,
    "+P": GOLD, "+L": GOLD, "+N": GOLD, "+S": GOLD, "+B": STRAIGHT, "+R": DIAGONAL,
}  # fmt: skip
SLIDES = {"L": [(0, -1)], "B": DIAGONAL, "+B": DIAGONAL, "R": STRAIGHT, "+R": STRAIGHT}


def reaches(board: dict[str, str], start: str, target: str) -> bool:
    """Whether what stands on one square reaches another; steps are (files, rows)."""
    mark = board[start]
    forward = -1 if mark.islower() else 1
    for (x, y), far in [(s, False) for s in STEPS.get(mark.upper(), ())] + [
        (s, True) for s in SLIDES.get(mark.upper(), ())
    ]:
        file, rank = int(start[0]), ord(start[1])
        while True:
            file, rank = file + x, rank + forward * y
            square = f"{file}{chr(rank)}"
            if not (1 <= file <= 9 and ord("a") <= rank <= ord("i")):
                break
            if square == target:
                return True
            if square in board or not far:
                break
    return False
