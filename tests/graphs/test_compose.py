"""Compositions: as complex as asked for, joined by what fits, doable in every admitted order, all different."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.errors import SpecError, UnknownName
from proctor.graphs.compose.compose import compose
from proctor.graphs.compose.composition import Composition
from proctor.graphs.compose.pool import SubtaskPool, category_of
from proctor.graphs.compose.record import from_json, to_json
from proctor.graphs.compose.resource import Resource, is_a, kind_of
from proctor.graphs.compose.sameness import digest
from proctor.graphs.compose.subtask import Bound
from proctor.graphs.compose.theme import Theme
from proctor.graphs.goals.goal import Goal, GoalPart, Start
from proctor.graphs.mathematics.capabilities import PROFILES, Capability
from proctor.graphs.mathematics.complexity import UNIT, Dimension, Level, measure
from proctor.graphs.mathematics.constraints import Constraint, conflict
from proctor.graphs.mathematics.orders import Orders
from proctor.tasks.draw import Draw
from tests.graphs.synthetic import SUBTASKS, Synthetic, goals_of

POOL = SubtaskPool(SUBTASKS, goals=goals_of(SUBTASKS))
ALL_HARD = [Constraint.level(dimension, Level.HARD) for dimension in Dimension]


def complexity_of(composition: Composition):
    return measure(composition.dag, {node.id: category_of(POOL[node.subtask]) for node in composition.nodes})


def thing(resource: Resource) -> str:
    """Say what there is one of only: a path, or a title among things of its kind."""
    return resource.value if is_a(resource.kind, "file") else f"{resource.kind}: {resource.value}"


def play(composition: Composition, order: tuple[str, ...]) -> dict[str, str]:
    """Do the subtasks in this order in a world of names; return what is left in the slots."""
    handed = {(binding.consumer, binding.takes) for binding in composition.bindings}
    world, slots = set(), {}
    for node in composition.nodes:
        world |= {thing(taken) for port, taken in node.bound.takes.items() if (node.id, port) not in handed}
    for id in order:
        bound = composition.node(id).bound
        for taken in bound.takes.values():
            if kind_of(taken.kind).slot:
                assert slots[taken.kind] == taken.value, f"{id} finds something else"
            else:
                assert thing(taken) in world, f"{id} finds nothing"
        for made in bound.gives.values():
            if kind_of(made.kind).slot:
                slots[made.kind] = made.value
            else:
                assert thing(made) not in world, f"{id} replaces something"
                world.add(thing(made))
    return slots


def some_orders(composition: Composition) -> list[tuple[str, ...]]:
    orders = Orders(composition.gates)
    if len(composition.nodes) <= 5:
        return list(islice(orders, 200))
    random = Random(0)
    return [orders.sample(random) for _ in range(12)]


def assert_sound(composition: Composition, constraints: list[Constraint] | tuple[Constraint, ...]) -> None:
    complexity = complexity_of(composition)
    assert all(constraint.allows(complexity) for constraint in constraints)
    nodes = {node.id: node for node in composition.nodes}
    for binding in composition.bindings:
        given_, taken = nodes[binding.producer].bound.gives[binding.gives], nodes[binding.consumer].bound.takes
        assert taken[binding.takes] is given_
        assert is_a(given_.kind, POOL[nodes[binding.consumer].subtask].takes[binding.takes])
    for node in composition.nodes:
        subtask = POOL[node.subtask]
        assert set(node.bound.takes) == set(subtask.takes)
        assert set(node.bound.gives) == set(subtask.gives)
        subtask.asks[0].format(**{**node.bound.takes, **node.bound.gives, **node.bound.params})
    used = {(binding.producer, binding.gives) for binding in composition.bindings}
    for order in some_orders(composition):
        left = play(composition, order)
        for node in composition.nodes:
            for port, made in node.bound.gives.items():
                assert (node.id, port) in used or left.get(made.kind, made.value) == made.value


@st.composite
def possible(draw: st.DrawFn) -> list[Constraint]:
    chosen = draw(st.lists(st.sampled_from(list(Dimension)), unique=True, max_size=3))
    constraints = [Constraint.level(one, draw(st.sampled_from(list(Level)))) for one in chosen]
    while conflict(constraints):
        constraints.pop()
    return constraints


def met_or_nearest(constraints: list[Constraint], **wishes: Any) -> tuple[list[Constraint], list[Composition]]:
    """Return compositions; where no goal reaches what is asked for, of what is said to come nearest."""
    try:
        return constraints, list(compose(POOL, constraints=constraints, **wishes))
    except SpecError as error:
        assert str(error).startswith("no goal of the pool gives a task that has"), error
        nearest = [re.fullmatch(r"(\w+) (\d+)", each) for each in error.remedy.partition(": ")[2].split(", or ")]
    assert nearest, "nothing comes near"
    changed: list[list[Constraint]] = []
    for unit, count in (each.groups() for each in nearest if each):
        place = next(at for at, one in enumerate(constraints) if UNIT[one.dimension] == unit)
        instead = Constraint(constraints[place].dimension, int(count), int(count))
        assert not constraints[place].least <= int(count) <= (constraints[place].most or int(count))
        changed.append([*constraints[:place], instead, *constraints[place + 1 :]])
    assert len(changed) == len(nearest)
    # Each of them is met, and what is composed of the first is looked at.
    found = [list(compose(POOL, constraints=each, **wishes)) for each in changed]
    return changed[0], found[0]


@settings(max_examples=20)
@given(possible(), st.integers(0, 10**6))
def test_whatever_is_asked_for_or_said_to_be_nearest_is_met_and_can_be_done_in_every_order(
    constraints: list[Constraint], seed: int
) -> None:
    met, found = met_or_nearest(constraints, count=2, seed=seed)
    assert len(found) == 2
    for composition in found:
        assert_sound(composition, met)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("capability", Capability)
def test_every_capability_can_be_examined(profile: str, capability: Capability) -> None:
    for composition in compose(POOL, count=3, seed=1, capability=capability.value, profile=profile):
        assert_sound(composition, PROFILES[profile][capability])


def test_all_five_can_be_hard_at_once() -> None:
    for composition in compose(POOL, count=10, seed=3, constraints=ALL_HARD):
        assert_sound(composition, ALL_HARD)


def parse_all(**wish: str) -> list[Constraint]:
    return [Constraint.parse(name, text) for name, text in wish.items()]


def test_exact_numbers_are_met() -> None:
    wish = parse_all(dependency="6", instruction="8", knowledge="5", hierarchy="4", branch="4")
    for composition in compose(POOL, count=5, seed=2, constraints=wish):
        complexity = complexity_of(composition)
        assert (complexity.edges, complexity.nodes, complexity.categories) == (6, 8, 5)
        assert (complexity.depth, complexity.width) == (4, 4)


def test_exact_numbers_that_no_goal_reaches_are_refused_with_numbers_that_are_met() -> None:
    wish = parse_all(dependency="9", instruction="8", knowledge="3", hierarchy="4", branch="4")
    met, found = met_or_nearest(wish, count=5, seed=2)
    assert met != wish
    assert len(found) == 5
    for composition in found:
        assert_sound(composition, met)


def test_the_choice_of_applications_and_categories_is_kept() -> None:
    for composition in compose(POOL, count=10, apps=["mousepad", "lxterminal"], categories=["Programming"]):
        assert {POOL[node.subtask].app for node in composition.nodes} == {"lxterminal"}
        assert_sound(composition, [])


def test_goals_are_served_in_part_by_the_applications_that_are_chosen() -> None:
    apps = {"mousepad", "gedit", "lxterminal", "thunar"}
    sizes = Counter[int]()
    for composition in compose(POOL, count=30, apps=apps):
        used = {binding.producer for binding in composition.bindings}
        wanted = POOL.goals[composition.goal].wanted
        assert {POOL[node.subtask].app for node in composition.nodes} <= apps
        assert all(node.id in used or f"new {node.subtask}" in wanted for node in composition.nodes)
        assert_sound(composition, [])
        sizes[len(composition.nodes)] += 1
    assert min(sizes) > 1


def test_slots_are_kept_from_being_overwritten() -> None:
    found = list(compose(POOL, count=150, seed=4, constraints=[Constraint.parse("instruction", "5..8")]))
    ordered = [composition for composition in found if composition.ordering]
    assert ordered
    for composition in ordered:
        assert_sound(composition, [])
        assert composition.ordering.isdisjoint(composition.dag.closure().edges)


def test_without_ordering_such_compositions_would_break() -> None:
    found = compose(POOL, count=150, seed=4, constraints=[Constraint.parse("instruction", "5..8")])
    composition = next(one for one in found if one.ordering)
    outcomes = set()
    for order in islice(Orders(composition.dag), 5000):
        try:
            outcomes.add(repr(sorted(play(composition, order).items())))
        except AssertionError:
            outcomes.add("broken")
    assert len(outcomes) > 1


def test_coherent_tasks_do_nothing_twice() -> None:
    for composition in compose(POOL, count=100, seed=5):
        done = [
            (node.subtask, frozenset(taken.value for taken in node.bound.takes.values())) for node in composition.nodes
        ]
        assert len(set(done)) == len(done)


def test_one_theme_runs_through_everything() -> None:
    for composition in compose(POOL, count=30, seed=6):
        theme = composition.theme
        for node in composition.nodes:
            for thing in (*node.bound.takes.values(), *node.bound.gives.values()):
                # Files go by the short name, what has a title by the name, and the pool's own things by the occasion.
                named = theme.slug if is_a(thing.kind, "file") or thing.kind == "folder" else theme.name
                assert named in thing.value or (not is_a(thing.kind, "file") and theme.occasion in thing.value)


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.sampled_from(["parameters", "graph"]))
def test_all_are_different(seed: int, distinct: str) -> None:
    found = list(compose(POOL, count=40, seed=seed, distinct=distinct))  # type: ignore[arg-type]
    assert len({digest(composition, distinct) for composition in found}) == 40  # type: ignore[arg-type]


def test_same_means_whatever_the_nodes_are_called() -> None:
    for composition in compose(POOL, count=20, seed=8):
        data = to_json(composition)
        names = {node["id"]: f"x{place}" for place, node in enumerate(reversed(data["nodes"]))}
        for node in data["nodes"]:
            node["id"] = names[node["id"]]
        for binding in data["bindings"]:
            binding |= {end: names[binding[end]] for end in ("producer", "consumer")}
        data["ordering"] = [[names[first], names[later]] for first, later in data["ordering"]]
        data["nodes"].reverse()
        renamed = from_json(data)
        assert digest(renamed) == digest(composition)
        assert digest(renamed, "graph") == digest(composition, "graph")


def test_plain_data_says_it_all() -> None:
    for composition in compose(POOL, count=30, seed=9):
        again = from_json(to_json(composition))
        assert again == composition
        for before, after in zip(composition.nodes, again.nodes, strict=True):
            contents = [{port: thing.content for port, thing in one.bound.takes.items()} for one in (before, after)]
            assert contents[0] == contents[1]


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_same_seed_gives_the_same_in_another_process(hash_seed: str, project: Path) -> None:
    code = (
        "from tests.graphs.test_compose import *\n"
        "print([digest(one).hex() for one in compose(POOL, count=12, seed='again', constraints=ALL_HARD[:2])])\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": f"{project}{os.pathsep}{project / 'src'}"}
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    here = [digest(one).hex() for one in compose(POOL, count=12, seed="again", constraints=ALL_HARD[:2])]
    assert told.stdout.strip() == str(here)


def test_several_processes_give_the_same_as_one() -> None:
    alone = list(compose(POOL, count=70, seed=10))
    together = list(compose(POOL, count=70, seed=10, workers=2))
    assert together == alone


def test_a_pool_that_cannot_be_handed_over_is_refused() -> None:
    class Local(Refuse):
        pass

    with pytest.raises(SpecError, match="cannot be handed to other processes"):
        next(compose(SubtaskPool([Local()], goals=goals_of([Local()], count=1)), workers=2))


def test_numbers_of_nodes_vary_when_nothing_is_asked() -> None:
    sizes = Counter(len(composition.nodes) for composition in compose(POOL, count=200, seed=11))
    assert set(sizes) >= set(range(2, 11))
    assert 1 not in sizes


def test_a_single_subtask_is_a_task_where_one_is_asked_for() -> None:
    for composition in compose(POOL, count=20, seed=11, constraints=parse_all(instruction="1")):
        assert len(composition.nodes) == 1
        assert_sound(composition, [])


# What cannot be done.


def test_impossible_constraints_are_named_with_the_nearest_possible() -> None:
    wish = [Constraint.parse("instruction", "3"), Constraint.parse("hierarchy", "5")]
    with pytest.raises(SpecError, match=r"no graph has instruction \(nodes: 3\) with hierarchy") as caught:
        compose(POOL, count=1, constraints=wish)
    assert "nearest possible: nodes 5, or depth 3" in caught.value.remedy


def test_a_pool_without_goals_says_how_to_give_it_some() -> None:
    with pytest.raises(SpecError, match="the pool has no goals") as caught:
        compose(SubtaskPool(SUBTASKS))
    assert "SubtaskPool(subtasks, goals=" in caught.value.remedy


def test_a_pool_with_too_few_categories_says_so() -> None:
    with pytest.raises(SpecError, match=r"no goal of the pool gives a task that has .*knowledge") as caught:
        compose(POOL, count=1, constraints=ALL_HARD, categories=["Office", "Programming"])
    assert "categories 2" in caught.value.remedy or "widen" in caught.value.remedy


class Refuse(Synthetic):
    """Refuses whatever another has written."""

    app, demand = "mousepad", "Office/Documentation/Writing"
    takes, gives = {"source": "text_file"}, {"text": "text_file"}
    asks, steps = ("polish {source} as {text}",), ("Polish {source}.",)

    def plan(self, draw: Draw, theme: Theme, takes: dict[str, Resource]) -> Bound:
        if "polish" in str(takes["source"].content) or "refuse" in str(takes["source"].content):
            raise SpecError("nothing is left to polish")
        return super().plan(draw, theme, takes)


class Polish(Refuse):
    asks = ("polish {source} once more as {text}",)


ONE_AFTER_THE_OTHER = Goal(
    "polish", ("fair",), "places", "Office/Documentation", ("somebody",), "Polish {title}.", ("See you",), "stock",
    False, {"draft": Start("draft", "text_file", "minutes")},
    (GoalPart("clean", "refuse", (("draft",),), "not clean"), GoalPart("shine", "polish", (("clean",),), "it is dull")),
    frozenset({"shine"}),
)  # fmt: skip


def test_parameters_that_cannot_be_unified_are_told() -> None:
    with pytest.raises(SpecError, match="subtask 'polish': nothing is left to polish"):
        compose(SubtaskPool([Refuse(), Polish()], goals=[ONE_AFTER_THE_OTHER]))


class Stubborn(Refuse):
    """Always gives the same file."""

    asks = ("polish {source} stubbornly as {text}",)

    def plan(self, draw: Draw, theme: Theme, takes: dict[str, Resource]) -> Bound:
        return Bound(takes=takes, gives={"text": Resource("text_file", "Documents/always.txt")})


TWO_DRAFTS = replace(
    ONE_AFTER_THE_OTHER,
    several=True,
    parts=(
        GoalPart("clean", "stubborn", (("draft",),), "it is not clean"),
        GoalPart("shine", "stubborn", (("draft",),), "it is dull"),
    ),
    wanted=frozenset({"clean", "shine"}),
)


def test_names_that_collide_are_told() -> None:
    with pytest.raises(SpecError, match=r"gives 'Documents/always.txt' again and again"):
        compose(SubtaskPool([Refuse(), Stubborn()], goals=[TWO_DRAFTS]), constraints=parse_all(instruction="2"))


def test_unknown_names_are_refused_at_once() -> None:
    with pytest.raises(UnknownName, match="unknown capability"):
        compose(POOL, count=1, capability="juggling")
    with pytest.raises(UnknownName, match="unknown application"):
        compose(POOL, count=1, apps=["mosepad"])
    with pytest.raises(SpecError, match="0 workers"):
        compose(POOL, count=1, workers=0)


RECORD = json.dumps(to_json(next(compose(POOL, seed=12, constraints=[Constraint.parse("instruction", "4")]))))


@settings(max_examples=200)
@given(
    st.recursive(st.none() | st.integers() | st.text(max_size=3), lambda inner: st.lists(inner, max_size=3)), st.data()
)
def test_damaged_data_is_refused_not_crashed_on(junk: object, data: st.DataObject) -> None:
    record = json.loads(RECORD)
    part: object = record
    for _ in range(data.draw(st.integers(1, 4))):
        if not isinstance(part, dict | list) or not part:
            break
        key = data.draw(st.sampled_from(list(part) if isinstance(part, dict) else list(range(len(part)))))
        parent, part = part, part[key]  # type: ignore[index]
    parent[key] = junk  # type: ignore[index]
    try:
        from_json(record)
    except SpecError as error:
        assert error.message
