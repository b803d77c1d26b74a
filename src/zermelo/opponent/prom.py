"""PrOM search: against one of several opponents, each with a probability.

    PrOM(p) = max over our moves of PrOM(p');    at the opponent's node the mean of PrOM(p'), p' being what each chooses

weighted by how likely each opponent is. With one of them it is OM search. Donkers, Uiterwijk and van den Herik 2001,
"Probabilistic opponent-model search"; Donkers 2003, "Nosce hostem: searching with opponent models".
"""

from __future__ import annotations

from zermelo.core.method import Method
from zermelo.opponent.options import PromOptions
from zermelo.opponent.worker import ModelWorker

METHOD = Method(
    name="prom",
    summary="against one of several opponents, each with a probability",
    source="Donkers, Uiterwijk and van den Herik 2001; Donkers 2003",
    kernel=None,
    prunes=False,
    options=PromOptions(),
    chance=True,
    plays=True,
    worker=ModelWorker,
)
