"""Zermelo solves and plays games: rules written once, in Python, searched at native speed.

>>> import zermelo as z
>>> answer = z.solve(z.games.tic_tac_toe())
>>> answer.value, answer.status, len(answer.best)
(0, 'proven', 9)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from zermelo.version import __version__

if TYPE_CHECKING:
    from zermelo import games
    from zermelo.certificates.checker import verify
    from zermelo.certificates.proving import prove
    from zermelo.chance.options import ChanceOptions
    from zermelo.checking.conformance import check
    from zermelo.compile.watch import Limits, Progress
    from zermelo.core.answer import Answer, Verdict
    from zermelo.core.batch import Batch
    from zermelo.core.fastest_cut import CutFirst
    from zermelo.core.method import Options
    from zermelo.core.perft import perft
    from zermelo.core.request import Request
    from zermelo.core.session import Session
    from zermelo.knowledge.book import Book
    from zermelo.knowledge.book_growing import grow_book
    from zermelo.knowledge.book_learning import learn_games
    from zermelo.knowledge.book_merging import merge_books
    from zermelo.knowledge.book_proving import prove_book
    from zermelo.knowledge.building import build_table
    from zermelo.knowledge.mate import Mate, mate, prove_mate
    from zermelo.knowledge.openings_solving import solve_openings
    from zermelo.knowledge.resting import with_tables
    from zermelo.knowledge.size import Size, size
    from zermelo.knowledge.table import Table
    from zermelo.knowledge.verifying import verify_table
    from zermelo.methods.asking import best_move, search, solve, solve_many
    from zermelo.methods.requests import request
    from zermelo.minimum.smallest_graph import minimum_proof_graph
    from zermelo.play.clock import Clock
    from zermelo.play.game_files import read_games
    from zermelo.play.match import match
    from zermelo.play.player import Player, Turn, engine
    from zermelo.play.record import Record, append_record, read_records
    from zermelo.play.sitting import Sitting, play_game
    from zermelo.play.standing import Standing
    from zermelo.play.tuning import Tuning, tune
    from zermelo.pn.options import ProofOptions
    from zermelo.rules.errors import MoveError, RuleError, TooLarge, UnknownName, Unsuitable, ZermeloError
    from zermelo.rules.game import Game
    from zermelo.rules.position import Position
    from zermelo.studies.compare import compare
    from zermelo.studies.difficulty import difficulty
    from zermelo.web.notebook import board

_HOMES = {
    "zermelo.certificates.checker": ("verify",),
    "zermelo.certificates.proving": ("prove",),
    "zermelo.chance.options": ("ChanceOptions",),
    "zermelo.checking.conformance": ("check",),
    "zermelo.compile.watch": ("Limits", "Progress"),
    "zermelo.core.answer": ("Answer", "Verdict"),
    "zermelo.core.batch": ("Batch",),
    "zermelo.core.fastest_cut": ("CutFirst",),
    "zermelo.core.method": ("Options",),
    "zermelo.core.perft": ("perft",),
    "zermelo.core.request": ("Request",),
    "zermelo.core.session": ("Session",),
    "zermelo.knowledge.book": ("Book",),
    "zermelo.knowledge.book_growing": ("grow_book",),
    "zermelo.knowledge.book_learning": ("learn_games",),
    "zermelo.knowledge.book_merging": ("merge_books",),
    "zermelo.knowledge.book_proving": ("prove_book",),
    "zermelo.knowledge.building": ("build_table",),
    "zermelo.knowledge.mate": ("Mate", "mate", "prove_mate"),
    "zermelo.knowledge.openings_solving": ("solve_openings",),
    "zermelo.knowledge.resting": ("with_tables",),
    "zermelo.knowledge.table": ("Table",),
    "zermelo.knowledge.verifying": ("verify_table",),
    "zermelo.knowledge.size": ("Size", "size"),
    "zermelo.methods.asking": ("best_move", "search", "solve", "solve_many"),
    "zermelo.methods.requests": ("request",),
    "zermelo.minimum.smallest_graph": ("minimum_proof_graph",),
    "zermelo.play.clock": ("Clock",),
    "zermelo.play.game_files": ("read_games",),
    "zermelo.play.match": ("match",),
    "zermelo.play.player": ("Player", "Turn", "engine"),
    "zermelo.play.record": ("Record", "append_record", "read_records"),
    "zermelo.play.sitting": ("Sitting", "play_game"),
    "zermelo.play.standing": ("Standing",),
    "zermelo.play.tuning": ("Tuning", "tune"),
    "zermelo.pn.options": ("ProofOptions",),
    "zermelo.rules.errors": ("MoveError", "RuleError", "TooLarge", "UnknownName", "Unsuitable", "ZermeloError"),
    "zermelo.rules.game": ("Game",),
    "zermelo.rules.position": ("Position",),
    "zermelo.studies.compare": ("compare",),
    "zermelo.studies.difficulty": ("difficulty",),
    "zermelo.web.notebook": ("board",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Answer", "Batch", "Book", "ChanceOptions", "Clock", "CutFirst", "Game", "Limits", "Mate", "MoveError", "Options",
    "Player", "Position", "Progress", "ProofOptions", "Record", "Request", "RuleError", "Session", "Sitting", "Size",
    "Standing", "Table", "TooLarge", "Tuning", "Turn", "UnknownName", "Unsuitable", "Verdict", "ZermeloError",
    "__version__", "append_record", "best_move", "board", "build_table", "check", "compare", "difficulty", "engine",
    "games", "grow_book", "learn_games", "match", "mate", "merge_books", "minimum_proof_graph", "perft",
    "play_game", "prove", "prove_book", "prove_mate", "read_games", "read_records", "request", "search", "size",
    "solve", "solve_many", "solve_openings", "tune", "verify", "verify_table", "with_tables",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Everything is fetched when first used: help must not wait for NumPy, nor a list of games for Numba."""
    if name == "games":
        return importlib.import_module("zermelo.games")
    if name in _HOME_OF:
        return getattr(importlib.import_module(_HOME_OF[name]), name)
    raise AttributeError(f"zermelo has no {name}")
