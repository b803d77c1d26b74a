"""Requests are made here, and nowhere else: from a game, a purpose, a claim if there is one, and what a person set.

    request("star2.5(depth=5, probes=3)", game)          by its text
    request(None, game, "search", memory="1GB")          what suits the game, with more memory
    request("mtdf", game, table=False)                   settings by name, as values or as texts

Where settings were tuned for the game (see `engine_file`), those that nobody sets are as tuned: `mcts` then means mcts
as it suits this game. Solving and proving want what is asked for, and nothing tuned.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from zermelo.core.method import Method, Options, check_special, fit
from zermelo.core.request import Adviser, Request
from zermelo.core.selective import check_selective, used
from zermelo.core.views import contempt_of
from zermelo.methods.choice import PURPOSES, choose
from zermelo.methods.engine_file import Entry, tuned_for
from zermelo.methods.finishing import finish
from zermelo.methods.registry import method_named, suitable
from zermelo.methods.settings import LIMITS, OWN, name_and_settings, option_kinds, with_settings
from zermelo.rules import Game, UnknownName, Unsuitable, nearest
from zermelo.rules.settings import write_value


def request(
    text: str | Request | None = None,
    game: Game | None = None,
    purpose: str | None = None,
    *,
    claim: float | None = None,
    options: Options | None = None,
    book: Adviser | None = None,
    **settings: Any,
) -> Request:
    """The request that a text names, or the one that suits a game for a purpose (solve, search, prove or play) and a
    claim, with `settings` on top. Without a purpose the method is one that solves, but may be asked anything. `options`
    are all options of the method at once. `book` is asked before a search within limits begins. Whatever the game
    cannot be served with is refused."""
    exactly = purpose in ("solve", "prove")
    tunable = not exactly
    if book is not None:
        if exactly:
            raise Unsuitable("a book serves searches within limits and play, not solving and proving: leave it out")
        if game is not None:
            book.check(game)
    purpose = purpose or "solve"
    if purpose not in PURPOSES:
        raise UnknownName(f"no purpose is called {purpose}: {nearest(purpose, PURPOSES)}")
    told: dict[str, str] = {}
    if isinstance(text, Request):
        made, tunable = text, False
    elif text is not None:
        name, told = name_and_settings(text)
        method = method_named(name)
        made = with_settings(Request(method, method.options, finish=finish), told)
    elif game is not None:
        deepening = settings.get("depth") is not None
        choice = choose(game, purpose, claim, deepening)
        if options is not None or set(settings) - {*OWN, *LIMITS}:
            alone = "prove" if purpose == "solve" else purpose  # one search, as the person set it
            choice = choose(game, alone, claim, deepening)
        told = dict(choice.settings)
        chosen = Request(choice.method, choice.method.options, why=choice.why, finish=finish, worker=choice.worker)
        made = with_settings(chosen, told)
    else:
        raise Unsuitable("a request needs a method, or a game for which to choose one")
    if options is not None:
        made = replace(made, options=_of_family(options, made.method))
    given = {name: value for name, value in settings.items() if value is not None or name not in OWN}
    made = with_settings(made, given)
    if book is not None:
        made = replace(made, book=book)
    if game is not None and tunable:
        made = _as_tuned(made, game, {*told, *settings, *(() if options is None else option_kinds(made.method))})
    if game is not None:
        suitable(made.method, game)
        fit(made.options, game)
        check_special(made.method, made.options, game)
        check_selective(made.method, made.options, game)
        if exactly and used(made.options):
            raise Unsuitable(f"{used(made.options)[0]} is for searches within limits, not for {purpose}: leave it out")
        if contempt_of(game, made.options) and made.method.answers_claims:
            raise Unsuitable(f"{made.method.name} decides claims about scores, and knows no contempt: leave it out")
        if made.method.plays and purpose in ("solve", "prove"):
            raise Unsuitable(f"{made.method.name} finds moves, not values: take it to search or to play")
        if made.mode == "compiled" and not game.compilable:
            raise Unsuitable(f"{game.name} is made of Python objects and can only be interpreted")
    return made


def _as_tuned(made: Request, game: Game, settled: set[str]) -> Request:
    """A request with what was tuned for the game, but for the settings that are settled. An entry serves engines that
    agree with its text; what it sets may make another one serve, so that the text of the request, read again, means the
    same."""
    entries, words = tuned_for(game, made.method.name), []
    while entries:
        entry = next((entry for entry in entries if _agrees(made, entry)), None)
        if entry is None:
            break
        entries.remove(entry)
        assert entry.tuned is not None
        new = {name: value for name, value in entry.tuned.items() if name not in settled}
        settled = settled | new.keys()
        made = with_settings(made, new)
        made = replace(made, spelled=(*made.spelled, *(name for name in entry.tuned if name not in made.spelled)))
        if new:
            values = ", ".join(f"{name}={write_value(getattr(made.options, name))}" for name in new)
            words.append(f"{values} tuned for {game.name}" + (f", {entry.why}" if entry.why else ""))
    return replace(made, why="; ".join([made.why, *words])) if words else made


def _agrees(made: Request, entry: Entry) -> bool:
    """Whether a request is of the engine that an entry is about."""
    return with_settings(made, entry.settings).options == made.options


def _of_family(options: Options, method: Method) -> Options:
    """Options of another family as far as this one has them."""
    if isinstance(options, type(method.options)):
        return options
    known = {field.name for field in fields(method.options)}
    shared = {field.name: getattr(options, field.name) for field in fields(options) if field.name in known}
    return replace(method.options, **shared)
