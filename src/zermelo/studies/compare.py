"""Does a rule matter? A game is solved in all its variants, and the answers are put side by side.

The name of a game and the parameters that vary go in, a `Comparison` comes out: for every combination the value, how
sure it is, what it took, and the size of its proof. A combination that the game does not allow says why and stands in
the way of no other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from zermelo import games
from zermelo.certificates.proving import Unproved
from zermelo.compile.watch import Limits, Listener
from zermelo.core.answer import Answer
from zermelo.methods.asking import solve
from zermelo.methods.requests import request
from zermelo.rules import Game, UnknownName, Unsuitable, ZermeloError, build
from zermelo.studies.difficulty import proof_size


@dataclass(frozen=True)
class Variant:
    """One combination: its answer, or the reason why there is none."""

    settings: dict[str, Any]
    answer: Answer | None = None
    proof: int | None = None
    reason: str | None = None

    def as_dict(self) -> dict[str, Any]:
        shown = ("value", "status", "bounds", "best", "nodes", "seconds", "method", "stopped")
        told = self.answer.as_dict() if self.answer else {}
        return {"settings": self.settings, **{name: told.get(name) for name in shown}, "proof": self.proof,
                "reason": self.reason}  # fmt: skip


@dataclass(frozen=True)
class Comparison:
    """The variants that were looked at, all of them unless `stopped`."""

    variants: list[Variant]
    stopped: str | None = None


def compare(
    game: str | Callable[..., Game],
    vary: Mapping[str, Sequence[Any]],
    *,
    settings: Mapping[str, Any] | None = None,
    position: str = "",
    method: str | None = None,
    limits: Limits | None = None,
    proof: bool = True,
    listener: Listener | None = None,
    begin: Callable[[Variant], None] | None = None,
    **asked: Any,
) -> Comparison:
    """Solve a game for every combination of the parameters in `vary`. Limits hold for each of them; without `proof`
    none is looked for. `begin` is told of each variant before it is solved. `asked` are settings of requests: memory,
    threads and mode."""
    settings = dict(settings or {})
    _check(vary, settings)
    solving = {"method": method and request(method), "threads": asked.pop("threads", 1)}
    done: list[Variant] = []
    how: dict[str, Any] = {"limits": limits, "listener": listener, **asked}
    for chosen in combinations(vary):
        variant = Variant(chosen)
        try:
            if begin is not None:
                begin(variant)
            variant = _examine(game, settings, chosen, position, proof, solving, how)
        except KeyboardInterrupt:  # between two searches
            return Comparison(done, "interrupt")
        done.append(variant)
        if variant.answer is not None and variant.answer.stopped == "interrupt":
            return Comparison(done, "interrupt")
    return Comparison(done)


def combinations(vary: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Every combination, the last parameter varying fastest."""
    for values in product(*vary.values()):
        yield dict(zip(vary, values))


def _check(vary: Mapping[str, Sequence[Any]], settings: Mapping[str, Any]) -> None:
    if not vary:
        raise Unsuitable("compare needs at least one parameter to vary, such as --vary empty_capture=on,off")
    for name, values in vary.items():
        if not values:
            raise Unsuitable(f"compare needs at least one value for {name}")
        if name in settings:
            raise Unsuitable(f"{name} is both set and varied; leave one of them out")


def _examine(
    game: str | Callable[..., Game],
    settings: dict[str, Any],
    chosen: dict[str, Any],
    position: str,
    proof: bool,
    solving: dict[str, Any],
    how: dict[str, Any],
) -> Variant:
    """Solve one variant. An unknown parameter is unknown to all variants, so that it ends the comparison."""
    try:
        given = {**settings, **chosen}
        built = games.load(game, given) if isinstance(game, str) else build(game, given)
        answer = solve(built.position(position), **solving, **how)
    except UnknownName:
        raise
    except ZermeloError as impossible:
        return Variant(chosen, reason=" ".join(str(impossible).split()))
    size = None
    if proof and answer.stopped is None and answer.position.result is None:
        try:
            size = proof_size(answer, **how)
        except Unproved as cut:
            if cut.stopped == "interrupt":
                raise KeyboardInterrupt from None
        except ZermeloError as refused:
            return Variant(chosen, answer, reason=f"no proof: {' '.join(str(refused).split())}")
    return Variant(chosen, answer, size)
