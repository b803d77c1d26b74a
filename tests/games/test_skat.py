"""Skat against OpenSpiel's, against a slow version that plays with lists of card names, and against plain minimax."""

from __future__ import annotations

import random
from functools import cache
from xml.etree import ElementTree

import pytest

from marks import slow
from zermelo import games, solve
from zermelo.checking.conformance import check
from zermelo.core.engine import Engine
from zermelo.core.method import Options
from zermelo.core.solving import solve_with
from zermelo.games.skat import CARDS, POINTS, dealt, shuffled
from zermelo.methods.registry import method_named
from zermelo.rules import ONGOING, Game, MoveBuffer, MoveError, Position, PositionError, Unsuitable

pytestmark = pytest.mark.usefixtures("calling_rules")

CONTRACTS = ("clubs", "spades", "hearts", "diamonds", "grand", "null")
KINDS = ["hearts", "grand", "null", *slow("clubs", "spades", "diamonds")]
"""A contract of each kind at once, the other suits later."""
GAMES = {contract: games.skat(contract=contract) for contract in CONTRACTS}
Piles = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def suit(contract: str, card: str) -> str:
    """The suit that must be followed."""
    if contract != "null" and card[1] == "J":
        return "trump"
    return "trump" if card[0] == contract[0].upper() and contract not in ("grand", "null") else card[0]


def strength(contract: str, card: str) -> int:
    """Within a suit, the higher one wins."""
    if contract == "null":
        return "789TJQKA".index(card[1])
    return 10 + "DHSC".index(card[0]) if card[1] == "J" else "789QKTA".index(card[1])


def legal(contract: str, hand: tuple[str, ...], table: tuple[str, ...]) -> list[str]:
    same = [card for card in hand if table and suit(contract, card) == suit(contract, table[0])]
    return same or list(hand)


def taker(contract: str, trick: tuple[str, ...]) -> int:
    """Which of the three cards, in the order of play, takes the trick."""
    trumps = [card for card in trick if suit(contract, card) == "trump"]
    followed = [card for card in trick if suit(contract, card) == suit(contract, trick[0])]
    return trick.index(max(trumps or followed, key=lambda card: strength(contract, card)))


def step(contract: str, hands: Piles, leader: int, table: tuple[str, ...], card: str):
    """What a card changes, and the points (in null: tricks) that the declarer takes with it."""
    player = (leader + len(table)) % 3
    left = tuple(tuple(c for c in hand if c != card) if i == player else hand for i, hand in enumerate(hands))
    table += (card,)
    if len(table) < 3:
        return left, leader, table, 0
    winner = (leader + taker(contract, table)) % 3
    worth = 1 if contract == "null" else sum(POINTS[c[1]] for c in table)
    return left, winner, (), worth if winner == 0 else 0


@cache
def value(contract: str, hands: Piles, leader: int, table: tuple[str, ...] = ()) -> int:
    """What the declarer still takes with best play: points, or in null 1 for no trick and 0 for one."""
    player = (leader + len(table)) % 3
    if not hands[player]:
        return 1 if contract == "null" else 0
    values = []
    for card in legal(contract, hands[player], table):
        *after, taken = step(contract, hands, leader, table, card)
        if contract == "null":
            values.append(0 if taken else value(contract, *after))
        else:
            values.append(taken + value(contract, *after))
    return max(values) if player == 0 else min(values)


def slow_view(position: Position) -> tuple[Piles, int, tuple[str, ...]]:
    """A position as the slow version sees it, read from its text."""
    fields = position.text().split("|")
    hands = tuple(tuple(field.split()) for field in fields[:3])
    leader, table = ("DLR".index(fields[4]), tuple(fields[5].split())) if len(fields) == 7 else (0, ())
    return hands, leader, table  # type: ignore[return-value]


def ending(contract: str, size: int, rng: random.Random) -> Position:
    """A random ending, any player leading, some points already taken."""
    cards = rng.sample(CARDS, 32)
    hands = [" ".join(cards[size * i : size * (i + 1)]) for i in range(3)]
    skat = cards[-2:]
    had = sum(POINTS[card[1]] for card in skat)
    gone = sum(POINTS[card[1]] for card in cards[3 * size :])
    taken = 0 if contract == "null" else rng.randint(had, gone)
    return GAMES[contract].position(f"{'|'.join(hands)}|{' '.join(skat)}|{rng.choice('DLR')}||{taken}")


def walk(position: Position, rng: random.Random, plies: int) -> Position:
    for _ in range(plies):
        if position.result is None:
            position = position.play(rng.choice(position.codes))
    return position


@pytest.mark.parametrize("contract", CONTRACTS)
def test_plays_as_the_slow_version_does(contract):
    rng = random.Random(5)
    for seed in range(40):
        position = dealt(GAMES[contract], seed)
        hands, leader, table = slow_view(position)
        taken = 0 if contract == "null" else sum(POINTS[card[1]] for card in shuffled(seed)[3])
        while any(hands) and not (contract == "null" and taken):
            player = (leader + len(table)) % 3
            assert position.result is None
            assert position.turn == (1 if player else 0)
            assert sorted(position.moves()) == sorted(legal(contract, hands[player], table))
            assert slow_view(position)[1:] == (leader, table)
            card = rng.choice(position.moves())
            hands, leader, table, more = step(contract, hands, leader, table, card)
            taken += more
            position = position.play(card)
        assert position.result == (int(not taken) if contract == "null" else taken)


def test_plays_as_openspiel_does():
    pyspiel = pytest.importorskip("pyspiel")
    rng = random.Random(2)
    names = {33: "diamonds", 34: "hearts", 35: "spades", 36: "clubs", 37: "grand", 38: "null"}
    met = set()
    for _ in range(60):
        state = pyspiel.load_game("skat").new_initial_state()
        while state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        if rng.random() < 0.5:
            state.apply_action(32)  # a pass
        solo, bid = state.current_player(), rng.randint(33, 38)
        state.apply_action(bid)
        contract = names[bid]
        skat = []
        for _ in range(2):
            skat.append(rng.choice(state.legal_actions()))
            state.apply_action(skat[-1])
        hands = [open_hand(state, player) for player in range(3)]
        piles = [" ".join(hands[(solo + i) % 3]) for i in range(3)] + [" ".join(spell(card) for card in skat)]
        start = (state.current_player() - solo) % 3
        position = GAMES[contract].position(f"{'|'.join(piles)}|{'DLR'[start]}||{had(contract, skat)}")
        while position.result is None:
            player = (state.current_player() - solo) % 3
            assert position.turn == (1 if player else 0)
            assert (slow_view(position)[1] + len(slow_view(position)[2])) % 3 == player
            assert sorted(position.moves()) == sorted(spell(card) for card in state.legal_actions())
            action = rng.choice(state.legal_actions())
            position = position.play(spell(action))
            state.apply_action(action)
        told = str(state)
        points = int(told.split("Points (Solo / Team): (")[1].split("/")[0])
        if contract == "null":
            assert state.is_terminal() or "Last trick won by player " + str(solo) in told
        else:
            assert state.is_terminal()
            assert position.result == points
        met.add(contract)
    assert met == set(CONTRACTS)


def spell(action: int) -> str:
    """OpenSpiel's card number as a text: suits D H S C, ranks 7 8 9 Q K T A J."""
    return "DHSC"[action // 8] + "789QKTAJ"[action % 8]


def had(contract: str, skat: list[int]) -> int:
    return 0 if contract == "null" else sum(POINTS[spell(card)[1]] for card in skat)


def open_hand(state, player: int) -> list[str]:
    """A hand as OpenSpiel prints it, in playing cards of Unicode (1 ace, 10 ten, 11 jack, 13 queen, 14 king)."""
    line = next(line for line in str(state).splitlines() if line.startswith(f"Player {player}:"))
    ranks = {1: "A", 7: "7", 8: "8", 9: "9", 10: "T", 11: "J", 13: "Q", 14: "K"}
    codes = [ord(mark) - 0x1F0A0 for mark in line.split(":")[1].split()]
    return ["SHDC"[code // 16] + ranks[code % 16] for code in codes]


@pytest.mark.parametrize("contract", KINDS)
def test_hooks_tell_the_truth(contract):
    """Bounds hold the value, candidates hold a best move, and equal keys of the rest have equal values."""
    game, rng = GAMES[contract], random.Random(7)
    rests: dict[int, int] = {}
    for _ in range(120):
        position = ending(contract, rng.randint(2, 4), rng)
        while position.result is None:
            examine(game, contract, position, rests)
            position = position.play(rng.choice(position.codes))


def examine(game: Game, contract: str, position: Position, rests: dict[int, int]) -> None:
    truth = value(contract, *slow_view(position))
    key, banked = game.rest(position.state)
    total = truth if contract == "null" else truth + position.state.taken
    assert banked == (0 if contract == "null" else position.state.taken)
    assert rests.setdefault(int(key), truth) == truth, position.text()
    low, high = game.bounds(position.state)
    assert low <= total <= high, position.text()
    if low < high:
        out = MoveBuffer(game.max_moves, game.name)
        chosen = out[: game.candidates(position.state, out)]
        assert len(chosen) == len(set(chosen)) > 0
        assert set(chosen) <= set(position.codes)
        reached = []
        for move in chosen:
            after = position.play(move)
            rest = 0 if contract == "null" else after.state.taken
            if after.result is None:
                reached.append(rest + value(contract, *slow_view(after)))
            else:
                reached.append(after.result)
        assert total == (max(reached) if position.turn == 0 else min(reached)), position.text()


def test_equivalent_endings_share_an_entry():
    """Gone cards leave no gap, suits that are not trump have no names, points so far do not matter."""
    clubs = GAMES["clubs"]
    texts = ("S7 HA|S9 H8|SQ HT|CJ SJ", "S8 DA|S9 D8|SQ DT|CJ SJ", "D7 HA|D8 H9|DQ HT|CA CT|D||40")
    assert len({int(clubs.rest(clubs.position(text).state)[0]) for text in texts}) == 1
    others = ("S9 HA|S7 H8|SQ HT|CJ SJ", "S7 HA|S9 H8|SQ HT|CJ SJ|L||20", "C7 HA|C9 H8|CQ HT|CJ SJ")
    assert len({int(clubs.rest(clubs.position(text).state)[0]) for text in (*others, texts[0])}) == 4


VARIANTS = (
    Options(), Options(table=False), Options(knowledge=False), Options(table=False, knowledge=False), Options(etc=True),
    Options(order=("hash", "killers", "history")),
)  # fmt: skip


@pytest.mark.parametrize("contract", KINDS)
def test_interpreted_searches_find_the_value_of_endings(contract):
    rng = random.Random(11)
    engines = [
        Engine(GAMES[contract], method_named(method), options, mode="interpreted", memory="1MB")
        for method, options in zip(("negascout", "mtdf", "alphabeta", "negascout", "mtdf", "alphabeta"), VARIANTS)
    ]
    for _ in range(4):
        position = walk(ending(contract, 3, rng), rng, rng.randint(0, 2))
        if position.result is not None:
            continue
        expected = worth(contract, position)
        for engine in engines:
            assert solve_with(engine, position).value == expected, position.text()


@pytest.mark.parametrize("method", ["minimax", "negamax", "alphabeta", "negascout", "mtdf", "boolean", "pn", "dfpn"])
def test_every_search_says_whether_61_points_are_reached(method):
    rng = random.Random(17)
    engine = Engine(GAMES["grand"], method_named(method), mode="interpreted", memory="1MB")
    verdicts = set()
    for _ in range(8):
        position = ending("grand", 3, rng)
        points = rng.randint(25, 61)
        position = GAMES["grand"].position("|".join([*position.text().split("|")[:4], "D", "", str(points)]))
        low, high = solve_with(engine, position, at_least=61).bounds
        verdicts.add(low >= 61)
        assert (low >= 61, high < 61) == ((expected := worth("grand", position)) >= 61, expected < 61), position.text()
    assert verdicts == {True, False}


def worth(contract: str, position: Position) -> int:
    banked = 0 if contract == "null" else position.state.taken
    return banked + value(contract, *slow_view(position))


COMPILED = [
    ("hearts", "mtdf", Options(knowledge=False)),
    *slow(("hearts", "negascout", Options()), ("null", "mtdf", Options())),
]


@pytest.mark.parametrize(("contract", "method", "options"), COMPILED)
def test_compiled_searches_find_the_value_of_endings(contract, method, options):
    rng = random.Random(13)
    engine = Engine(GAMES[contract], method_named(method), options, mode="compiled", memory="4MB")
    for _ in range(60):
        position = walk(ending(contract, rng.randint(3, 5), rng), rng, rng.randint(0, 2))
        if position.result is None:
            answer = solve_with(engine, position)
            assert answer.value == worth(contract, position), position.text()
            assert answer.best == [move for move in position.moves() if keeps(contract, position, move, answer.value)]


def keeps(contract: str, position: Position, move: str, best: float) -> bool:
    after = position.play(move)
    return best == (worth(contract, after) if after.result is None else after.result)


@pytest.mark.slow
def test_one_table_serves_endings_that_differ_in_points_so_far():
    """Also where nothing was taken, whose negative is no less than itself."""
    rng = random.Random(23)
    engine = Engine(GAMES["hearts"], method_named("negascout"), Options(), mode="compiled", memory="4MB")
    for _ in range(20):
        cards = rng.sample([card for card in CARDS if card not in ("C7", "C8")], 12)
        hands = "|".join(" ".join(cards[4 * i : 4 * (i + 1)]) for i in range(3))
        leader = rng.choice("DLR")
        for taken in rng.sample((0, 7, 30), 3):
            position = GAMES["hearts"].position(f"{hands}|C7 C8|{leader}||{taken}")
            assert solve_with(engine, position).value == worth("hearts", position), position.text()


def test_a_claim_is_decided_without_the_value():
    rng = random.Random(17)
    for _ in range(10):
        position = ending("hearts", 4, rng)
        expected = worth("hearts", position)
        for claim in (expected, expected + 1, 61):
            answer = solve(position, at_least=claim, mode="interpreted")
            low, high = answer.bounds or (answer.value, answer.value)
            assert (low >= claim) if expected >= claim else (high < claim)


@pytest.mark.slow
def test_whole_deals_agree_between_methods():
    """One compiled search serves every deal of a contract."""
    game = GAMES["hearts"]
    scout = Engine(game, method_named("negascout"), Options())
    plain = Engine(game, method_named("mtdf"), Options(knowledge=False), memory="64MB")
    for seed in range(8):
        late = walk(dealt(game, seed), random.Random(seed), 10)
        assert solve_with(scout, late).value == solve_with(plain, late).value


@pytest.mark.parametrize(
    ("contract", "modes"),
    [("hearts", ("compiled", "interpreted")), ("null", ("interpreted",)), ("grand", ("interpreted",)),
     *slow(("null", ("compiled",)), *((suit, ("interpreted",)) for suit in ("clubs", "spades", "diamonds")))],
)  # fmt: skip
def test_keeps_its_promises(contract, modes):
    report = check(GAMES[contract], games=15, modes=modes)
    assert not report.problems, report.text()


def test_deals_are_seeded_and_the_same_for_all_contracts():
    assert games.skat(deal=3).position().text() == dealt(GAMES["clubs"], 3).text()
    assert games.skat(deal=3).position().text() != games.skat(deal=4).position().text()
    texts = {games.skat(contract=contract, deal=5).position().text() for contract in CONTRACTS}
    assert len(texts) == 1
    assert sorted(" ".join(texts.pop().split("|")).split()) == sorted(CARDS)


def test_texts_read_back():
    rng = random.Random(19)
    for contract in CONTRACTS:
        for seed in range(5):
            position = walk(dealt(GAMES[contract], seed), rng, rng.randint(0, 30))
            again = GAMES[contract].position(position.text())
            assert again.state == position.state
            assert again.result == position.result
    game = GAMES["clubs"]
    assert game.position("cj|sj|hj|c7 c8").state == game.position(" CJ | SJ | HJ | C7 C8 |D||0").state
    first = game.position().moves()[0]
    assert game.position(first) == game.position().play(first)


START = "|".join(" ".join(pile) for pile in shuffled(0))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("CJ|SJ|HJ", "this has 3 fields"),
        ("CJ|SJ|HJ|C7 C8|D", "this has 5 fields"),
        ("CJ|SJ|HX|C7 C8", "HX is no card"),
        ("CJ|SJ|10|C7 C8", "10 is no card"),
        ("CJ|SJ|CJ|C7 C8", "CJ is there twice"),
        ("CJ|SJ|HJ|C7 HJ", "HJ is there twice"),
        ("CJ|SJ|HJ|C7", "two cards lie in the skat, not 1"),
        ("CJ|SJ|HJ|", "two cards lie in the skat, not 0"),
        ("CJ|SJ|HJ|C7 C8 C9", "two cards lie in the skat, not 3"),
        ("CJ CA|SJ|HJ|C7 C8", "declarer 2, left 1, right 1"),
        (START.replace("|", " |", 1)[3:], "declarer 9, left 10, right 10"),
        ("CJ|SJ|HJ|C7 C8|X||0", "the leader is D, L or R"),
        ("CJ|SJ||C7 C8|R|HJ|0", None),
        ("CJ|SJ||C7 C8|L|HJ|0", "declarer 1, left 2, right 0"),
        ("|||C7 C8|D|CJ SJ HJ|0", "at most two cards lie on the table, not 3"),
        ("CJ|SJ|HJ|CA C8|D||10", "must be from 11 to"),
        ("CJ|SJ|HJ|CA C8|D||115", "must be from 11 to 114, not 115"),
        ("CJ|SJ|HJ|CA C8|D||many", "not many"),
    ],
)
def test_wrong_texts_are_explained(text, complaint):
    if complaint is None:
        assert GAMES["clubs"].position(text).moves() == ["CJ"]
        return
    with pytest.raises(PositionError, match=".") as told:
        GAMES["clubs"].position(text)
    assert complaint in str(told.value)
    assert "\n" not in str(told.value)


def test_null_counts_tricks_not_points():
    null = GAMES["null"]
    assert null.position("CA|C7|C8|H7 H8").play("CA").play("C7").play("C8").result == 0
    assert null.position("C7|C9|C8|H7 H8").play("C7").play("C9").play("C8").result == 1
    assert null.position("CT|CJ|C8|H7 H8").play("CT").play("CJ").play("C8").result == 1
    with pytest.raises(PositionError, match="tricks so far must be from 0 to 1, not 2"):
        null.position("CA|C7|C8|H7 H8|D||2")
    assert null.position("CA|C7|C8|H7 H8|D||1").result == 0


def test_wrong_moves_and_contracts_are_explained():
    with pytest.raises(Unsuitable, match="no contract is called club, did you mean clubs"):
        games.skat(contract="club")
    with pytest.raises(MoveError, match="not a legal move"):
        GAMES["grand"].position("S7 HA|S9 H8|SQ HT|CJ SJ").play("S7").play("H8")


@pytest.mark.parametrize("contract", ["spades", "null"])
def test_draws_hands_skat_and_table(contract):
    position = dealt(GAMES[contract], 1)
    position = position.play(position.moves()[0])
    text = str(position)
    for card in CARDS:
        assert card in text
    assert f"{contract}: left to play" in text
    assert position.moves()[0] in position._repr_svg_()
    ElementTree.fromstring(position._repr_svg_())
    assert game_over_caption(contract).endswith(("points", "tricks"))


def game_over_caption(contract: str) -> str:
    last = walk(dealt(GAMES[contract], 1), random.Random(1), 30)
    assert GAMES[contract].result(last.state) != ONGOING
    return str(last).splitlines()[-1]
