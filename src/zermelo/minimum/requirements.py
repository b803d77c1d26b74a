"""Proof graphs as a system of requirements: what is in the proof, and what must then be in it too.

A game graph and a goal go in; a `System` comes out. Its items are numbered so that requirements lead to higher
numbers. An item that is taken demands *all* of some items and, where it has a choice, *one* of some others; items cost
0 or 1. The cheapest set that contains the roots and is closed under demands is a smallest proof graph:

    target    an item for every node that satisfies the target, cost 1. Nodes of the claimant demand one child, those
              of the opponent all of them.
    minimax   for every node whose value is the root's or better an item "shown to be at least that", for every node
              whose value is the root's or worse an item "shown to be at most that". Where a node has both, they demand
              a third, of cost 1, which is the node itself, so that it is paid for once.

Then the system is made smaller without changing its cheapest sets' cost:

    forced      what the roots demand, also by way of the only choice that there is, is part of every set
    satisfied   a choice of which one item is forced is no choice
    dominated   an item that only one choice can call for is not worth more than another of the same choice, if
                whatever it costs by itself (counting only what nothing else calls for) is no less than what the
                other costs as a tree, where nothing is shared
    components  what is left falls into parts that have nothing in common: each can be solved by itself
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from zermelo.minimum.membership import Goal
from zermelo.minimum.written_game import WrittenGame

Items = list[tuple[int, ...]]


@dataclass
class System:
    """every[i]: the items that item i demands; any[i]: those of which it demands one, if there are such. nodes[i]: the
    node of the graph that item i stands for."""

    every: Items
    any: Items
    costs: list[int]
    nodes: list[int]
    roots: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.costs)

    def cost(self, items: Iterable[int]) -> int:
        return sum(self.costs[item] for item in items)

    def proof(self, items: Iterable[int]) -> set[int]:
        """The nodes that a set of items stands for."""
        return {self.nodes[item] for item in items if self.costs[item]}


def system_of(graph: WrittenGame, goal: Goal) -> System:
    """All requirements that can matter for a proof of the goal."""
    return _of_target(graph, goal) if goal.target is not None else _of_value(graph)


def _of_target(graph: WrittenGame, goal: Goal) -> System:
    nodes = _relevant(graph, goal.allows)
    number = {node: item for item, node in enumerate(nodes)}
    system = System([], [], [1] * len(nodes), nodes, (0,))
    for node in nodes:
        below = tuple(number[child] for child in graph.children[node] if child in number)
        choice = graph.turns[node] == goal.claimant
        system.every.append(() if choice else below)
        system.any.append(below if choice else ())
    return system


def _of_value(graph: WrittenGame) -> System:
    value = graph.values[0]
    shown = _relevant(graph, lambda worth: worth >= value), _relevant(graph, lambda worth: worth <= value)
    sides = [set(nodes) for nodes in shown]
    system = System([], [], [], [], ())
    number: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for node in sorted(sides[0] | sides[1]):
        held = [side for side in (0, 1) if node in sides[side]]
        for side in held:
            number[side][node] = len(system)
            system.costs.append(1 if len(held) == 1 else 0)
            system.nodes.append(node)
        if len(held) == 2:
            system.costs.append(1)
            system.nodes.append(node)
    for item, node in enumerate(system.nodes):
        if item not in (number[0].get(node), number[1].get(node)):  # the node itself
            system.every.append(())
            system.any.append(())
            continue
        side = 0 if number[0].get(node) == item else 1
        below = tuple(number[side][child] for child in graph.children[node] if child in sides[side])
        choice = graph.turns[node] == side
        itself = () if system.costs[item] else (item + 2 - side,)
        system.every.append(itself + (() if choice else below))
        system.any.append(below if choice else ())
    system.roots = (number[0][0], number[1][0])
    return system


def _relevant(graph: WrittenGame, allows: Callable[[float], bool]) -> list[int]:
    """The nodes whose value is allowed and that can be met without leaving such nodes, in order."""
    met = [False] * len(graph)
    met[0] = True
    for node in range(len(graph)):
        if met[node]:
            for child in graph.children[node]:
                met[child] = met[child] or allows(graph.values[child])
    return [node for node in range(len(graph)) if met[node]]


@dataclass
class Reduced:
    """A system of which much is decided. forced: the items in every set. any: the choices as they are left, also of
    forced items. parts: what is still open, those items together that have to do with each other."""

    system: System
    forced: set[int]
    any: Items
    parts: list[Part]


@dataclass(frozen=True)
class Part:
    """A part of a system as a system of its own, its items numbered from 0 on. The first `roots` of them cost nothing,
    stand for forced items that still have a choice, and must be taken. `items` are the numbers that the others have in
    the whole."""

    roots: int
    items: list[int]
    every: Items
    any: Items
    costs: list[int]

    def __len__(self) -> int:
        return len(self.costs)

    def whole(self, taken: Iterable[int]) -> set[int]:
        """Items of the part by the numbers that they have in the whole."""
        return {self.items[item - self.roots] for item in taken if item >= self.roots}

    def own(self, taken: set[int]) -> set[int]:
        """The items of the part among those of the whole, by their own numbers, and the roots."""
        return {*range(self.roots), *(n for n, item in enumerate(self.items, self.roots) if item in taken)}

    def cost(self, taken: Iterable[int]) -> int:
        return sum(self.costs[item] for item in taken)


def reduce(system: System) -> Reduced:
    """Decide what can be decided, again and again until nothing changes."""
    choices = list(system.any)
    trees = _tree_costs(system)
    forced = set(system.roots)
    while True:
        _force(system, choices, forced)
        for item in range(len(system)):
            if choices[item] and (item in forced or len(choices[item]) > 1):
                met = [one for one in choices[item] if one in forced]
                if met:
                    choices[item] = () if item in forced else (met[0],)
        open_items = _open(system, choices, forced)
        if not _drop_dominated(system, choices, forced, open_items, trees):
            return Reduced(system, forced, choices, _parts(system, choices, forced, open_items))


def _force(system: System, choices: Items, forced: set[int]) -> None:
    """Add what forced items demand, and what is the only choice that they have."""
    waiting = list(forced)
    while waiting:
        item = waiting.pop()
        for other in system.every[item] + (choices[item] if len(choices[item]) == 1 else ()):
            if other not in forced:
                forced.add(other)
                waiting.append(other)


def _open(system: System, choices: Items, forced: set[int]) -> list[int]:
    """The items that are not forced but can still be called for, in order."""
    found: set[int] = set()
    waiting = [other for item in forced for other in choices[item] if other not in forced]
    while waiting:
        item = waiting.pop()
        if item not in found:
            found.add(item)
            waiting.extend(other for other in system.every[item] + choices[item] if other not in forced)
    return sorted(found)


def _tree_costs(system: System) -> list[int]:
    """What an item costs at the most: everything that it demands, counted as often as it is demanded."""
    costs = list(system.costs)
    for item in reversed(range(len(system))):
        costs[item] += sum(costs[other] for other in system.every[item])
        if system.any[item]:
            costs[item] += min(costs[other] for other in system.any[item])
    return costs


def _drop_dominated(
    system: System, choices: Items, forced: set[int], open_items: Sequence[int], trees: Sequence[int]
) -> bool:
    """Take items from choices that have a better one; whether there were any."""
    callers = dict.fromkeys(open_items, 0)
    for item in (*open_items, *(one for one in forced if choices[one])):
        demanded = choices[item] if item in forced else system.every[item] + choices[item]
        for other in set(demanded):
            if other in callers:
                callers[other] += 1
    own: dict[int, int] = {}
    dropped = False
    for item in reversed(open_items):

        def alone(other: int) -> int:
            return own[other] if callers.get(other) == 1 else 0

        own[item] = system.costs[item] + sum(alone(other) for other in set(system.every[item]))
        if choices[item]:
            own[item] += min(alone(other) for other in choices[item])
    for item in (*open_items, *(one for one in forced if choices[one])):
        offered = choices[item]
        if len(offered) < 2:
            continue
        best = min(offered, key=lambda one: (trees[one], -own.get(one, 0)))
        kept = tuple(
            one for one in offered if one == best or one in forced or callers[one] > 1 or own[one] < trees[best]
        )
        if len(kept) < len(offered):
            choices[item], dropped = kept, True
    return dropped


def _parts(system: System, choices: Items, forced: set[int], open_items: Sequence[int]) -> list[Part]:
    """The open items, those together that some demand connects."""
    leader = {item: item for item in open_items}

    def find(item: int) -> int:
        while leader[item] != item:
            leader[item] = leader[leader[item]]
            item = leader[item]
        return item

    choosing = [item for item in sorted(forced) if choices[item]]
    for item in choosing:
        for other in choices[item][1:]:
            leader[find(other)] = find(choices[item][0])
    for item in open_items:
        for other in system.every[item] + choices[item]:
            if other not in forced:
                leader[find(other)] = find(item)
    together: dict[int, tuple[list[int], list[int]]] = {}
    for item in choosing:
        together.setdefault(find(choices[item][0]), ([], []))[0].append(item)
    for item in open_items:
        together[find(item)][1].append(item)
    return [_part(system, choices, forced, roots, items) for roots, items in together.values()]


def _part(system: System, choices: Items, forced: set[int], roots: list[int], items: list[int]) -> Part:
    number = {item: place for place, item in enumerate([*roots, *items])}

    def renumbered(demanded: Iterable[int]) -> tuple[int, ...]:
        return tuple(dict.fromkeys(number[item] for item in demanded if item not in forced))

    met = [any(other in forced for other in choices[item]) for item in items]
    return Part(
        roots=len(roots),
        items=items,
        every=[*(() for _ in roots), *(renumbered(system.every[item]) for item in items)],
        any=[
            *(renumbered(choices[item]) for item in roots),
            *(() if is_met else renumbered(choices[item]) for item, is_met in zip(items, met)),
        ],
        costs=[*(0 for _ in roots), *(system.costs[item] for item in items)],
    )
