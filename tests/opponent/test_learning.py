"""Who is it? From moves as they come, and from records; and what commands say of it."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest

import zermelo as z
from marks import slow
from zermelo.cli import main
from zermelo.opponent.fitted import Fitted
from zermelo.opponent.fitting import Decision, fit_opponent
from zermelo.opponent.posterior import Posterior, log_likelihood
from zermelo.play.record import Record
from zermelo.rules import Position

GAME = z.games.load("othello", {"rows": 4, "cols": 4})
ADAPTIVE = "adaptive(depth=2, opponents=discs:1,squares:1, mode=interpreted)"


def test_likelihoods_are_those_of_a_softmax() -> None:
    values = {3: 0.5, 4: 0.0, 7: -1.0}
    shares = {move: math.exp(log_likelihood(move, values, 0.7)) for move in values}
    assert sum(shares.values()) == pytest.approx(1)
    assert shares[3] / shares[7] == pytest.approx(math.exp(1.5 / 0.7))


def test_a_posterior_follows_bayes_rule() -> None:
    who = Posterior([0.2, 0.8], span=1.0)
    values = [{0: 0.1, 1: 0.0}, {0: 0.0, 1: 0.2}]
    weights = [
        [prior / 6 * math.exp(log_likelihood(1, seen, t)) for t in who.temperatures]
        for prior, seen in zip((0.2, 0.8), values)
    ]
    who.see(1, values)
    total = sum(map(sum, weights))
    assert who.shares == pytest.approx([sum(row) / total for row in weights])


def test_a_careless_player_has_a_high_temperature() -> None:
    exact, careless = Posterior([1.0], span=1.0), Posterior([1.0], span=1.0)
    for turn in range(60):
        exact.see(0, [{0: 0.2, 1: 0.0, 2: -0.1}])
        careless.see(turn % 3, [{0: 0.2, 1: 0.0, 2: -0.1}])
    assert exact.temperature < 0.05 < careless.temperature


@pytest.mark.slow
def test_an_adaptive_engine_finds_out_who_it_is_and_remembers() -> None:
    with z.engine(ADAPTIVE, GAME) as first, z.engine("alphabeta(depth=1, evaluation=discs)", GAME) as second:
        told = []
        for _ in range(2):
            sitting = z.Sitting(Record.begin(GAME.position()), first, second)
            plies = [ply for ply in sitting.plies() if ply.by == 0]
            told.append([ply.answer.details["opponents"]["discs:1"] for ply in plies if ply.answer is not None])
    assert told[0][0] == 0.5
    assert told[1][0] > 0.5  # a new game begins with what was learned before
    assert told[1][-1] > 0.6
    assert "discs:1" in (first.opinion() or "")


def test_openings_that_nobody_chose_teach_nothing() -> None:
    opening = GAME.position()
    for _ in range(4):
        opening = opening.play(opening.moves()[-1])
    with z.engine(ADAPTIVE, GAME) as first, z.engine("random", GAME, seed=1) as second:
        sitting = z.Sitting(Record.begin(opening), first, second)
        answer = next(ply.answer for ply in sitting.plies() if ply.by == 0)
    assert answer is not None
    assert answer.details["moves_seen"] == 0


def decisions(text: str, games: int) -> list[Decision]:
    """What an engine does in games that begin at random."""
    found = []
    with z.engine(text, GAME) as player:
        for number in range(games):
            die, position = random.Random(number), GAME.position()
            while position.result is None:
                if position.turn == 0 and len(position.codes) > 1:
                    said = player.move(z.Turn(position))
                    move = position.code_of(said.move)  # type: ignore[union-attr, arg-type]
                    found.append(Decision(position, move, number))
                    position = position.play(move)
                else:
                    position = position.play(die.choice(position.codes))
    return found


def test_a_fit_finds_the_evaluation() -> None:
    fitted, fits = fit_opponent(GAME, decisions("alphabeta(depth=1, evaluation=discs)", 15), 1, "interpreted")
    assert max(fitted.weights, key=lambda name: fitted.weights[name]) == "discs"
    likelihoods = {fit.name: fit.held_out.likelihood for fit in fits}
    assert likelihoods["fitted"] > likelihoods["our own engine"]
    assert likelihoods["fitted"] > likelihoods["random"]
    assert fits[-1].trained.guessed < fits[0].trained.guessed


@pytest.mark.parametrize("depth", slow(2))
def test_a_fit_finds_the_depth(depth: int) -> None:
    found = decisions(f"alphabeta(depth={depth}, evaluation=squares, mode=interpreted)", 60)
    fitted, _ = fit_opponent(GAME, found, 3)
    assert fitted.depth == depth
    assert max(fitted.weights, key=lambda name: fitted.weights[name]) == "squares"


def test_a_fitted_opponent_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "beginner.json"
    Fitted(GAME.summary, {"discs": 1.0, "mobility": 0.0}, 1, 0.5).save(file)
    by_file, by_name = (
        z.search(GAME, f"om(depth=3, opponent={name}, mode=interpreted)") for name in (str(file), "discs:1")
    )
    assert by_file.verdicts == by_name.verdicts


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "holds no fitted opponent"),
        ("{", "holds no fitted opponent"),
        ('{"game": 1}', "it is an object of depth, game, temperature, weights"),
        ({"weights": {"discs": "much"}}, "weights are numbers"),
        ({"depth": 0}, "depth is a whole number from 1 on"),
        ({"game": "othello(rows=8, cols=8)"}, "holds an opponent at othello(rows=8, cols=8), not at othello(rows=4"),
        ({"weights": {"disks": 1.0}}, "othello has no evaluation disks: did you mean discs?"),
    ],
)
def test_files_that_hold_no_opponent(tmp_path: Path, content: str | dict[str, object], words: str) -> None:
    file = tmp_path / "broken.json"
    whole = {"game": GAME.summary, "weights": {"discs": 1.0}, "depth": 1, "temperature": 1.0}
    file.write_text(content if isinstance(content, str) else json.dumps({**whole, **content}))
    with pytest.raises(z.ZermeloError) as refused:
        z.search(GAME, f"om(depth=2, opponent={file})", mode="interpreted")
    assert words in str(refused.value)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(list(words))
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err


BOARD = ("othello", "--set", "rows=4", "--set", "cols=4")


@pytest.mark.slow
def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = tmp_path / "games.txt"
    code, out, _ = run(
        capsys, "match", *BOARD, ADAPTIVE, "alphabeta(depth=1, evaluation=discs, mode=interpreted)", "--games", "6",
        "--show-model", "--record", str(games),
    )  # fmt: skip
    assert code == 0
    assert "game 1, ply 3, adaptive" in out
    assert "discs:1" in out
    code, out, _ = run(
        capsys, "model", *BOARD, str(games), "--player", "alphabeta", "--depth", "1", "--mode", "interpreted",
        "--out", str(tmp_path / "model.json"),
    )  # fmt: skip
    assert code == 0
    assert "our own engine" in out
    assert Fitted(**json.loads((tmp_path / "model.json").read_text())).game == GAME.summary


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "holds no games"),
        ("chess\n1. e4 e5\n", "holds no game of othello"),
        ("othello(rows=4, cols=4)\nz9\n", "line 2: move 1:"),
        ("othello(rows=4, cols=4)\nfirst: me\nb1\n", "at least 5 games are needed"),
    ],
)
def test_records_that_cannot_be_fitted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, words: str
) -> None:
    file = tmp_path / "games.txt"
    file.write_text(content)
    code, _, err = run(capsys, "model", *BOARD, str(file), "--mode", "interpreted")
    assert code == 2
    assert words in err
    assert err.count("\n") == 1


def test_a_player_whom_nobody_knows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.txt"
    file.write_text("othello(rows=4, cols=4)\nfirst: anna\nsecond: otto\nb1\n")
    code, _, err = run(capsys, "model", *BOARD, str(file), "--player", "ana")
    assert (code, "nobody in the records is called ana: did you mean anna?" in err) == (2, True)


@pytest.mark.slow
def test_play_says_who_you_are(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    moves = iter(Position(GAME).moves()[:1])

    def answer(_: str) -> str:
        return next(moves, "resign")

    monkeypatch.setattr("builtins.input", answer)
    code, out, _ = run(capsys, "play", *BOARD, "--second", ADAPTIVE)
    assert code == 0
    assert "adaptive thinks that you play by" in out
