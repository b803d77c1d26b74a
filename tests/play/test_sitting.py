"""Two players and a position make a game: how it goes, and every way in which it ends."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from zermelo import games
from zermelo.compile.watch import Brake
from zermelo.core.session import Session
from zermelo.games.graph import graph_game
from zermelo.play.clock import NO_CLOCK, Clock
from zermelo.play.ending import Ending, Why
from zermelo.play.player import Act, Chosen, Person, Player, Turn, engine
from zermelo.play.record import Note, Record, parse
from zermelo.play.sitting import Sitting, play_game
from zermelo.rules import CHANCE, RuleError, UnknownName, Unsuitable

BOARD = games.tic_tac_toe()
SMALL = "alphabeta(depth=2, mode=interpreted, memory=1MB)"


class Listed(Player):
    """Plays a list of moves, and notes what it is told."""

    def __init__(self, *moves):
        self.moves, self.told = list(moves), []

    def move(self, turn):
        return self.moves.pop(0)

    def begin(self, position, clock):
        self.told.append("begin")

    def ponder(self, position):
        self.told.append(f"ponder {len(position.history())}")

    def played(self, position):
        self.told.append(" ".join(position.history()))

    def ended(self, position, ending):
        self.told.append(str(ending))


def graph_of(nodes):
    return graph_game({"root": "A", "repetition": "draw", "nodes": nodes})


def sat(first, second, text="", clock=NO_CLOCK, **more):
    return Sitting(Record.begin(BOARD.position(text), clock=clock), first, second, **more)


def finished(sitting):
    for _ in sitting.plies():
        pass
    return sitting


# A game


def test_a_game_to_its_end():
    first, second = Listed("a1", "b1", "C1"), Listed("a2", 4)
    sitting = sat(first, second)
    plies = list(sitting.plies())
    assert [(ply.move, ply.by) for ply in plies] == [("a1", 0), ("a2", 1), ("b1", 0), ("b2", 1), ("c1", 0)]
    assert plies[-1].position is sitting.position
    assert sitting.ending == Ending(1, Why.RULES)
    assert sitting.record.players == ("player", "player")
    assert first.told == ["begin", "a1", "a1 a2", "a1 a2 b1", "a1 a2 b1 b2", "a1 a2 b1 b2 c1", "+1, by the rules"]
    assert second.told == first.told


def test_a_player_of_five_lines():
    class Timid(Player):
        name = "timid"

        def move(self, turn):
            return turn.position.moves()[0]

    record = play_game(BOARD, Timid(), Timid())
    assert record.position.history() == ["a1", "b1", "c1", "a2", "b2", "c2", "a3"]
    assert record.players == ("timid", "timid")


def test_one_player_on_both_sides():
    both = Listed("a1", "a2", "b1", "b2", "c1")
    finished(sat(both, both, ponder=True))
    assert both.told[:3] == ["begin", "a1", "a1 a2"]


def test_engines_say_what_they_think():
    record = play_game(BOARD.position("XX-OO----"), SMALL, "random", seed=1)
    assert record.position.history() == ["c1"]
    assert record.notes[0].value == 1
    assert record.players[0].startswith("alphabeta(depth=2, ")
    assert record.ending == Ending(1, Why.RULES)


@pytest.mark.parametrize("game", [BOARD, games.pig(goal=6), games.einstein(size=3, stones=2)], ids=lambda g: g.name)
def test_a_seed_makes_the_same_game(game):
    texts = set()
    for seed in (1, 1, 2, 3, 4):
        record = play_game(game, "random", "random", seed=seed)
        record = replace(record, notes=())
        texts.add(record.text())
        assert record.ending.why is Why.RULES
    assert len(texts) == 4


def test_engines_with_dice():
    game = games.pig(goal=6)
    one, two = (play_game(game, "star2.5(depth=2, mode=interpreted)", "random(seed=3)", seed=5) for _ in range(2))
    assert one.position.history() == two.position.history()
    assert one.players == ("star2.5(depth=2, mode=interpreted, seed=5)", "random(seed=3)")


def test_a_game_that_goes_round():
    nodes = {"A": {"turn": "max", "moves": ["B"]}, "B": {"turn": "min", "moves": ["A", "C"]}, "C": {"value": 1}}
    game = graph_of(nodes)
    record = play_game(game, "alphabeta(depth=4, mode=interpreted)", "alphabeta(depth=4, mode=interpreted)")
    assert record.position.history() == ["B", "A"]
    assert record.ending == Ending(0, Why.RULES)
    assert parse(record.text(), game) == [record]


def test_dice_follow_their_weights_and_the_ply():
    game = games.pig(goal=1000)
    roll = Record.begin(game.position().play("roll"))
    thrown = [next(Sitting(replace(roll, seed=seed), Listed(), Listed()).plies()) for seed in range(600)]
    assert {ply.by for ply in thrown} == {CHANCE}
    counts = [sum(ply.move == str(face) for ply in thrown) for face in range(1, 7)]
    assert min(counts) > 60
    again = next(Sitting(replace(roll, seed=7), Listed(), Listed()).plies())
    assert again.move == thrown[7].move
    assert Sitting(roll, Listed(), Listed()).record.seed is not None


def test_a_game_goes_on_from_its_record():
    game = games.pig(goal=12)
    whole = play_game(game, Listed(*["roll", "stop"] * 20), Listed(*["roll", "stop"] * 20), seed=3)
    moves = whole.position.history()
    cut = next(n for n in range(2, len(moves)) if whole.replay()[n].turn == CHANCE)
    begun = parse("\n".join(["pig(goal=12, sides=6)", "seed: 3", " ".join(moves[:cut])]), game)[0]
    assert next(Sitting(begun, Listed(), Listed()).plies()).move == moves[cut]


# How it ends


@pytest.mark.parametrize(
    ("said", "result"),
    [
        (Act.RESIGN, "-1, the first player resigned"),
        (Act.LEAVE, "open, the first player left"),
        ("z9", "-1, the first player made an illegal move: 'z9'"),
        (99, "-1, the first player made an illegal move: 99"),
        (None, "-1, the first player made an illegal move: None"),
        (Chosen("a2"), "-1, the first player made an illegal move: 'a2'"),
    ],
)
def test_endings(said, result):
    first, second = Listed("a1", said), Listed("a2")
    sitting = finished(sat(first, second))
    assert str(sitting.ending) == result
    assert sitting.position.history() == ["a1", "a2"]
    assert parse(sitting.record.text(), BOARD) == [sitting.record]
    assert first.told[-1] == second.told[-1] == result


def test_the_second_player_loses_likewise():
    assert str(finished(sat(Listed("a1"), Listed(Act.RESIGN))).ending) == "+1, the second player resigned"


def test_a_player_that_raises_has_lost():
    sitting = finished(sat(Listed("a1"), Listed()))
    assert str(sitting.ending) == "+1, the second player failed: IndexError: pop from empty list"
    assert isinstance(sitting.error, IndexError)

    class Sleepy(Listed):
        def ponder(self, position):
            raise RuleError("no dreams")

    assert str(finished(sat(Listed("a1"), Sleepy(), ponder=True)).ending) == "+1, the second player failed: no dreams"

    class Deaf(Listed):
        def played(self, position):
            raise ValueError

    sitting = finished(sat(Listed("a1"), Deaf()))
    assert sitting.ending.why is Why.FAILED
    assert sitting.position.history() == ["a1"]
    over = finished(sat(Listed("c1"), Deaf(), "XX-OO----"))  # too late
    assert over.ending == Ending(1, Why.RULES)
    assert isinstance(over.error, ValueError)


def test_a_horizon_leaves_it_open():
    record = play_game(graph_of({"A": {"turn": "max", "moves": ["B"]}, "B": {"estimate": 1}}), Listed("B"), Listed())
    assert str(record.ending) == "open, no move is left"


def test_a_game_that_is_over_already():
    sitting = finished(sat(Listed(), Listed(), "XXXOO----"))
    assert sitting.ending == Ending(1, Why.RULES)


def test_the_flag_falls(monkeypatch):
    times = iter([0, 5, 10, 12, 20, 26])
    monkeypatch.setattr("zermelo.play.sitting.monotonic", lambda: next(times))
    sitting = finished(sat(Listed("a1", "b1"), Listed("a2"), clock=Clock(10)))
    assert str(sitting.ending) == "-1, the first player ran out of time"
    assert sitting.position.history() == ["a1", "a2"]
    assert sitting.record.notes == (Note(5.0), Note(2.0))
    assert [timer.left for timer in Sitting(sitting.record, Listed(), Listed()).timers] == [5, 8]
    anew = Sitting(sitting.record, Listed(), Listed(), clock=Clock(per_move=1))
    assert anew.record.clock == Clock(per_move=1)
    assert not any(timer.fallen for timer in anew.timers)


def test_a_falling_flag_wakes_who_thinks():
    class Slow(Listed):
        def move(self, turn):
            while not turn.hurried:
                threading.Event().wait(0.001)
            return "a1"

    assert finished(sat(Slow(), Listed(), clock=Clock(per_move=0.01))).ending.why is Why.TIME


def test_players_see_their_clocks():
    seen = []

    class Watcher(Listed):
        def move(self, turn):
            seen.append((turn.limits, turn.left))
            return super().move(turn)

    finished(sat(Watcher("a1", Act.LEAVE), Watcher("b2"), clock=Clock(3600, depth=4)))
    for limits, left in seen:
        assert 0 < limits.seconds < 3600 / 3  # so many moves are left to each
        assert limits.depth == 4
        assert all(3000 < seconds <= 3600 for seconds in left)


def test_an_engine_under_a_clock_begins_ready(monkeypatch):
    prepared = []
    monkeypatch.setattr(Session, "prepare", lambda self, purpose: prepared.append((purpose, self.request.mode)))
    play_game(BOARD, SMALL, "random", clock="600+1", seed=1)
    assert prepared == [("search", "interpreted"), ("search", "compiled")]


# Undo


def test_taking_back():
    first = Listed("a1", Act.UNDO, "b2", Act.UNDO, Act.UNDO, "c3", Act.LEAVE)
    sitting = finished(sat(first, Listed("a2", "b1", "b1")))
    assert sitting.position.history() == ["c3", "b1"]
    assert len(sitting.record.notes) == 2
    assert first.told[3] == ""  # back at the start


# Stopping


class Waiting(Listed):
    """Thinks until it is hurried, and says when it has begun."""

    def __init__(self):
        super().__init__()
        self.begun = threading.Event()

    def move(self, turn):
        self.begun.set()
        while not turn.hurried:
            threading.Event().wait(0.001)
        return "a1"


@pytest.mark.parametrize("ending", ["open, stopped", "open, the second player left"])
def test_stopping_and_hurrying_from_another_thread(ending):
    first = Waiting()
    sitting = sat(first, Listed(Act.LEAVE))

    def interfere():
        first.begun.wait()
        (sitting.stop if ending == "open, stopped" else sitting.hurry)()

    thread = threading.Thread(target=interfere)
    thread.start()
    finished(sitting)
    thread.join()
    assert str(sitting.ending) == ending
    assert sitting.position.history() == ([] if ending == "open, stopped" else ["a1"])


def test_stopping_between_plies():
    sitting = sat(Listed("a1", "b1"), Listed("a2"))
    for _ in sitting.plies():
        sitting.stop()
    assert str(sitting.ending) == "open, stopped"
    assert sitting.position.history() == ["a1"]
    chance = Sitting(Record.begin(games.pig(goal=6).position()), Listed("roll"), Listed())
    for _ in chance.plies():
        chance.stop()
    assert chance.position.turn == CHANCE


def test_an_engine_is_hurried_even_before_it_begins():
    brake = Brake()
    brake.pull()
    with engine("alphabeta(mode=interpreted, memory=1MB, seconds=1000)", games.connect_four()) as player:
        said = player.move(Turn(player.game.position(), brake=brake))
    assert said.move in player.game.position().moves()
    assert said.answer.stopped == "stop"


def test_ctrl_c_that_a_search_has_answered_is_meant_for_the_game(monkeypatch):
    search = Session.search
    monkeypatch.setattr(Session, "search", lambda *a, **k: replace(search(*a, **k), stopped="interrupt"))
    with pytest.raises(KeyboardInterrupt):
        play_game(BOARD, SMALL, "random")


# Players


def test_a_person():
    person = Person(lambda turn: turn.position.moves()[-1])
    assert person.name == "person"
    assert finished(sat(person, Listed(Act.LEAVE))).position.history() == ["c3"]


def test_pondering():
    first, second = Listed("a1", "a2"), Listed("b1", Act.LEAVE)
    finished(sat(first, second, ponder=True))
    assert [word for word in second.told if word.startswith("ponder")] == ["ponder 0", "ponder 2"]
    assert [word for word in first.told if word.startswith("ponder")] == ["ponder 1", "ponder 3"]
    with engine(SMALL, BOARD) as one, engine(SMALL, BOARD) as two:
        sitting = finished(sat(one, two, ponder=True))
        assert sitting.ending.why is Why.RULES
        assert not one.session.running
        assert not two.session.running


def test_an_engine_is_told_its_limits_and_seed():
    one = engine("random(seed=3)", BOARD, seed=9)
    assert one.name == "random(seed=3)"
    assert engine("random", BOARD, seed=9).name == "random(seed=9)"
    assert engine(None, BOARD).request.method.name == "alphabeta"
    assert engine("alphabeta(depth=3)", BOARD, depth=5).name == "alphabeta(depth=5)"
    one.close()  # never opened, and twice
    one.close()


@pytest.mark.parametrize(
    ("text", "game", "error", "words"),
    [
        ("alphabet", BOARD, UnknownName, "did you mean alphabeta"),
        ("alphabeta(", BOARD, Unsuitable, "is no request"),
        ("alphabeta(depth=none at all)", BOARD, Unsuitable, "depth takes"),
        ("alphabeta", games.pig(goal=6), Unsuitable, "chance positions"),
    ],
)
def test_engines_that_cannot_play(text, game, error, words):
    with pytest.raises(error, match=words):
        play_game(game, text, "random")


def test_an_engine_of_another_game():
    with engine("random", games.tic_tac_toe()) as other, pytest.raises(Unsuitable, match="was opened for"):
        finished(sat(other, Listed()))
