"""How searches with opponent models are built, beyond what every search can be told."""

from __future__ import annotations

from dataclasses import dataclass, replace

from zermelo.core.method import Options
from zermelo.opponent.models import OWN, Model, shares_of, usual_opponent
from zermelo.rules import Game, UnknownName, Unsuitable, nearest

TIES = ("worst", "first", "average")
WAYS = ("probing", "one-pass", "beta")


@dataclass(frozen=True)
class ModelOptions(Options):
    """Options that all searches with models share. All but `risk` is constant to the compiler.

    how: `probing` finds the opponent's move by a search with its eyes and looks into that move only; `one-pass` goes
    through the tree once with the values of both; `beta` does so without what the opponent will not choose. The last
    two look as deep for the opponent as for us. apart: the most by which the evaluations of an opponent and of its own
    model of us differ anywhere; `beta` needs it where an opponent has such a model. ties: of moves that are equal to
    the opponent, it makes the one that is worst for us, the first one, or any (the average). risk: moves are played
    that give up at most so much of the minimax value; None is any.
    """

    how: str = "probing"
    apart: float | None = None
    ties: str = "worst"
    risk: float | None = None

    def __post_init__(self) -> None:
        for name, known in (("how", WAYS), ("ties", TIES)):
            if getattr(self, name) not in known:
                raise UnknownName(f"{name} cannot be {getattr(self, name)}: {nearest(getattr(self, name), known)}")
        if self.apart is not None and not self.apart >= 0:
            raise Unsuitable(f"evaluations are 0 or more apart, not {self.apart:g}")
        if self.risk is not None and not self.risk >= 0:
            raise Unsuitable(f"a risk limit is 0 or more, not {self.risk:g}")

    def models(self, game: Game) -> tuple[Model, ...]:
        """Who may sit opposite."""
        raise NotImplementedError

    def shares(self, game: Game) -> tuple[float, ...]:
        """How likely each of them is."""
        return shares_of((), [str(model) for model in self.models(game)])

    def check(self, game: Game, depth: int | None) -> None:
        """Refuse what makes no sense for this game."""
        models = self.models(game)
        self.shares(game)
        for model in models:
            model.check(game, depth)
            if self.how != "probing" and any(one.depth is not None for one in model.chain):
                raise Unsuitable(f"{self.how} looks as deep for the opponent as for us: leave out the depth in {model}")
            if self.how == "beta" and len(model.chain) > 2:
                raise Unsuitable(f"beta prunes for one model within another, not for {model}: take probing")
            if self.how == "beta" and len(model.chain) == 2 and self.apart is None:
                raise Unsuitable(
                    f"beta prunes for {model} if it is told how far the two evaluations lie apart at most: add "
                    "apart=…, or take probing"
                )

    @property
    def compiled(self) -> ModelOptions:
        """What of the options a compiled kernel depends on, beside the models."""
        return replace(self, risk=None)


@dataclass(frozen=True)
class OmOptions(ModelOptions):
    """Options of OM search. opponent: a model, such as mobility:2 (see `models`); None is the second evaluation that
    the game names, or our own."""

    opponent: str | None = None

    def models(self, game: Game) -> tuple[Model, ...]:
        return (Model.read(self.opponent or usual_opponent(game)).settled(game),)


@dataclass(frozen=True)
class PromOptions(ModelOptions):
    """Options of PrOM search. opponents: models; none are all evaluations that the game names. probabilities: one for
    each of them; none if they are alike."""

    opponents: tuple[str, ...] = ()
    probabilities: tuple[float, ...] = ()

    def models(self, game: Game) -> tuple[Model, ...]:
        named = self.opponents or tuple(game.evaluations) or (OWN,)
        if len(set(named)) < len(named):
            raise Unsuitable(f"{next(one for one in named if named.count(one) > 1)} is named twice among the opponents")
        return tuple(Model.read(text).settled(game) for text in named)

    def shares(self, game: Game) -> tuple[float, ...]:
        return shares_of(self.probabilities, [str(model) for model in self.models(game)])

    @property
    def compiled(self) -> PromOptions:
        return replace(self, risk=None, probabilities=())
