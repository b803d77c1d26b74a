"""What rules for the depth of chance nodes are worth in Chinese dark chess.

Hsu's lecture notes give hints without figures: at most two flips on a path, none when fewer than three or four plies
are left, three or four moves between two, flips last in the order, less depth behind a flip of many outcomes. Here each
rule (`zermelo.chance.depth_rules`) plays against the same search without any, on a small board and with equal time or
equal nodes for a move. A rule leaves moves out, so that the same budget reaches deeper: both are in the table.
"""

from __future__ import annotations

from zermelo.lab.experiment import Experiment, Result, Say, Settings, Table
from zermelo.lab.meetings import BUDGET, CELLS, Meeting, budget_in_words, listed, play_meetings
from zermelo.lab.plot import whiskers
from zermelo.rules import Unsuitable

SEARCH = "star2.5"
RULES = (
    "max_chance=2",
    "max_chance=1",
    "chance_margin=3",
    "chance_gap=3",
    "chance_last=on",
    "chance_charge=1",
    "max_chance=2, chance_margin=3, chance_gap=3, chance_last=on",
)
BOARD = {"rows": 4, "cols": 4, "pieces": "KGMRNCPPkgmrncpp", "quiet_plies": 40}
HEAD = ("rules", *CELLS, "nodes a move", "depth", "nodes without", "depth without")


def run(settings: Settings, say: Say) -> Result:
    told = settings.parameters
    rules = listed(told["rules"])
    if not rules:
        raise Unsuitable(f"depth-rules compares at least one setting, such as rules={RULES[0]}")
    board = {name: told[name] for name in BOARD}
    meetings = [Meeting("dark-chess", board, f"{SEARCH}({setting})", SEARCH) for setting in rules]
    outcomes = play_meetings(settings, EXPERIMENT.name, meetings, say)
    rows = [
        (setting, *outcome.cells, *(figure for effort in outcome.efforts for figure in (effort.per_move, effort.depth)))
        for setting, outcome in zip(rules, outcomes, strict=True)
    ]
    words = [
        f"Dark chess {told['rows']}×{told['cols']}, {told['pieces']}: {SEARCH} with each of the rules against {SEARCH} "
        f"without, {budget_in_words(told)} a move, {settings.samples} games each, seed {settings.seed}; "
        "Elo with its 95 % interval.",
    ]
    marks = [outcome.whisker(setting) for setting, outcome in zip(rules, outcomes, strict=True)]
    plot = whiskers("Rules for the depth of chance nodes", f"% of the points against {SEARCH}", marks, 50, 100)
    return Result(Table(HEAD, rows), plot, words)


EXPERIMENT = Experiment(
    name="depth-rules",
    summary="strength, nodes and depth of the rules for chance nodes, in dark chess",
    source="Hsu 2022",
    samples=100,
    run=run,
    parameters={**BOARD, **BUDGET, "nodes": 10_000, "rules": "; ".join(RULES)},
)
