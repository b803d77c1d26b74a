"""OM search: against an opponent whose evaluation and depth are known.

    OM(p) = max over our moves of OM(p');    at the opponent's node OM(p'), p' being what it chooses by its own minimax

Where the opponent evaluates as we do and looks as deep, that is minimax. Iida, Uiterwijk, van den Herik and Herschberg
1993, "Potential applications of opponent-model search, part 1: the domain of applicability"; Carmel and Markovitch
1996, "Learning and using opponent models in adversary search", for models that have models. The kernels are in
`probing` and `one_pass`.
"""

from __future__ import annotations

from zermelo.core.method import Method
from zermelo.opponent.options import OmOptions
from zermelo.opponent.worker import ModelWorker

METHOD = Method(
    name="om",
    summary="against an opponent whose evaluation is known: by the moves that it will make",
    source="Iida, Uiterwijk, van den Herik and Herschberg 1993; Carmel and Markovitch 1996",
    kernel=None,
    prunes=False,
    options=OmOptions(),
    chance=True,
    plays=True,
    worker=ModelWorker,
)
