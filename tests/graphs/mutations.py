"""Planted errors: instructions that do not say what their compositions mean, one way or another.

`python -m tests.graphs.mutations 1000` plants that many, and prints how many of each sort the validator catches and how
many sound instructions it passes.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from proctor.errors import SpecError
from proctor.graphs.compose.composition import Binding, Composition, NodePlan
from proctor.graphs.compose.resource import is_a, kind_of
from proctor.graphs.compose.subtask import Subtask
from proctor.graphs.language.connectives import IN_ANY_ORDER, IN_ORDER
from proctor.graphs.language.phrases import needed_slots
from proctor.graphs.language.realise import Style, realise
from proctor.graphs.language.validate import validate
from proctor.tasks.draw import Draw
from tests.graphs.synthetic import SUBTASKS
from tests.graphs.wordings import WORDED, composed, initial, ordered

Mutation = Callable[[Draw, Composition, dict[str, Subtask], str, Style], str | None]
"""Makes a wrong instruction from a composition and its sound instruction; None where there is nothing to spoil."""


def with_node(composition: Composition, node: NodePlan, **changes: object) -> Composition:
    nodes = tuple(node if one.id == node.id else one for one in composition.nodes)
    return replace(composition, nodes=nodes, **changes)  # type: ignore[arg-type]


def said(composition: Composition, pool: dict[str, Subtask], style: Style) -> str | None:
    try:
        return realise(composition, pool, style=style)
    except SpecError:
        return None


# Texts of other graphs.


def edge_dropped(draw: Draw, composition: Composition, pool: dict[str, Subtask], text: str, style: Style) -> str | None:
    """Let a node take something from the beginning in the place of what another gives."""
    lasting = [
        binding
        for binding in composition.bindings
        if not kind_of(composition.node(binding.consumer).bound.takes[binding.takes].kind).slot
    ]
    if not lasting:
        return None
    gone = draw.choice(lasting)
    node = composition.node(gone.consumer)
    other = initial(draw, composition.theme, node.bound.takes[gone.takes].kind)
    bound = replace(node.bound, takes={**node.bound.takes, gone.takes: other})
    bindings = tuple(binding for binding in composition.bindings if binding != gone)
    return said(with_node(composition, replace(node, bound=bound), bindings=bindings), pool, style)


def edge_added(draw: Draw, composition: Composition, pool: dict[str, Subtask], text: str, style: Style) -> str | None:
    """Let a node take what another gives in the place of something from the beginning."""
    bound_ports = {(binding.consumer, binding.takes) for binding in composition.bindings}
    dag = composition.gates
    choices = [
        Binding(giver.id, port, node.id, slot)
        for node in composition.nodes
        for slot, kind in pool[node.subtask].takes.items()
        if (node.id, slot) not in bound_ports and not kind_of(kind).slot
        for giver in composition.nodes
        if giver.id != node.id and giver.id not in dag.names(dag.descendants[dag.position(node.id)])
        for port, given in giver.bound.gives.items()
        if is_a(given.kind, kind) and given not in node.bound.takes.values()
    ]
    if not choices:
        return None
    new = draw.choice(choices)
    node = composition.node(new.consumer)
    given = composition.node(new.producer).bound.gives[new.gives]
    bound = replace(node.bound, takes={**node.bound.takes, new.takes: given})
    mutant = with_node(composition, replace(node, bound=bound), bindings=(*composition.bindings, new))
    try:
        return said(replace(mutant, ordering=ordered(mutant)), pool, style)
    except SpecError:
        return None


def order_imposed(
    draw: Draw, composition: Composition, pool: dict[str, Subtask], text: str, style: Style
) -> str | None:
    """Put one of two parallel nodes first."""
    dag = composition.gates
    free = [
        (one, other)
        for one in dag.nodes
        for other in dag.nodes
        if one != other
        and not (dag.ancestors[dag.position(one)] | dag.descendants[dag.position(one)]) >> dag.position(other) & 1
    ]
    if not free:
        return None
    return said(replace(composition, ordering=composition.ordering | {draw.choice(free)}), pool, style)


def order_dropped(
    draw: Draw, composition: Composition, pool: dict[str, Subtask], text: str, style: Style
) -> str | None:
    """Say nothing of what has to wait for a single slot."""
    if not composition.ordering:
        return None
    gone = draw.choice(sorted(composition.ordering))
    mutant = replace(composition, ordering=composition.ordering - {gone})
    if mutant.gates.closure() == composition.gates.closure():
        return None
    return said(mutant, pool, style)


def value_of_another(
    draw: Draw, composition: Composition, pool: dict[str, Subtask], text: str, style: Style
) -> str | None:
    """Change a parameter, or the name of what is given, before the text is written."""
    node = draw.choice(composition.nodes)
    params = [name for name in node.bound.params if name in needed_slots(pool[node.subtask])]
    gives = [port for port, given in node.bound.gives.items() if not kind_of(given.kind).slot]
    if params and (not gives or draw.random() < 0.6):
        bound = replace(
            node.bound, params={**node.bound.params, draw.choice(params): draw.choice(("Other", "some other"))}
        )
    elif gives and not any(binding.producer == node.id for binding in composition.bindings):
        port = draw.choice(gives)
        given = node.bound.gives[port]
        bound = replace(node.bound, gives={**node.bound.gives, port: replace(given, value=f"{given.value}x")})
    else:
        return None
    return said(with_node(composition, replace(node, bound=bound)), pool, style)


# Texts spoilt by hand.


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=\.) (?=[A-Z])", text)


def then_for_also(
    draw: Draw, composition: Composition, pool: dict[str, Subtask], text: str, style: Style
) -> str | None:
    """Turn a word that leaves the order open into one that does not."""
    if style == "low":
        head, rest = text.split("\n", 1)
        return f"{draw.choice(IN_ORDER)}\n{rest}" if head in IN_ANY_ORDER else None
    loose = re.compile(
        r"(?<=\. )(Also |Besides that, |In addition, |Separately, |Apart from that, |I also need you to )"
    )
    tight = [match for match in re.finditer(r"; also, |; in addition, |, and separately ", text)]
    found = [*loose.finditer(text), *tight]
    if not found:
        return None
    match = draw.choice(found)
    word = draw.choice(("Then ", "After that, ", "Next, ") if match not in tight else (", then ", " and then "))
    return text[: match.start()] + word + text[match.end() :]


def passage_lost(draw: Draw, composition: Composition, pool: dict[str, Subtask], text: str, style: Style) -> str | None:
    """Leave out a sentence that asks for something."""
    parts = text.split("\n") if style == "low" else sentences(text)
    named = [node.bound for node in composition.nodes]
    values = {given.value for bound in named for given in bound.gives.values()}
    asking = [number for number, part in enumerate(parts) if any(value in part for value in values)]
    if not asking:
        return None
    del parts[draw.choice(asking)]
    return ("\n" if style == "low" else " ").join(parts)


def _values(composition: Composition, pool: dict[str, Subtask], text: str) -> list[str]:
    found = []
    for node in composition.nodes:
        things = {**node.bound.takes, **node.bound.gives}
        found += [thing.value for slot, thing in things.items() if not kind_of(thing.kind).slot]
        found += [value for name, value in node.bound.params.items() if name in needed_slots(pool[node.subtask])]
    return sorted({value for value in found if value in text})


def name_swapped(draw: Draw, composition: Composition, pool: dict[str, Subtask], text: str, style: Style) -> str | None:
    """Put the name of one thing where another was named."""
    paths = [value for value in _values(composition, pool, text) if "/" in value]
    if len(paths) < 2:
        return None
    old, new = draw.some(paths, 2)
    place = draw.choice([match.start() for match in re.finditer(re.escape(old), text)])
    return text[:place] + new + text[place + len(old) :]


def value_spoilt(draw: Draw, composition: Composition, pool: dict[str, Subtask], text: str, style: Style) -> str | None:
    """Change a value wherever it stands."""
    values = _values(composition, pool, text)
    if not values:
        return None
    old = draw.choice(values)
    return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", f"{old[:-1]}{'z' if old[-1] != 'z' else 'y'}", text)


def value_lost(draw: Draw, composition: Composition, pool: dict[str, Subtask], text: str, style: Style) -> str | None:
    """Leave a value out wherever it stands."""
    values = _values(composition, pool, text)
    return text.replace(draw.choice(values), "") if values else None


def wait_lost(draw: Draw, composition: Composition, pool: dict[str, Subtask], text: str, style: Style) -> str | None:
    """Leave out what has to be done before."""
    match = re.search(r'Only after you (?:[^".]|"[^"]*"|\.(?=\S))*, (?=\w)', text) if style == "high" else None
    return f"{text[: match.start()]}{text[match.end()].upper()}{text[match.end() + 1 :]}" if match else None


def reference_blurred(
    draw: Draw, composition: Composition, pool: dict[str, Subtask], text: str, style: Style
) -> str | None:
    """Call something by a noun that nothing before it goes by."""
    found = list(
        re.finditer(
            r"\b(?:the|that) (?:picture|archive|document|CSV file|PDF|text file)(?= (?:into|to|as|on|and|by)\b)", text
        )
    )
    if not found:
        return None
    match = draw.choice(found)
    return f"{text[: match.start()]}the timetable{text[match.end() :]}"


MUTATIONS: tuple[Mutation, ...] = (
    edge_dropped, edge_added, order_imposed, order_dropped, value_of_another, then_for_also, passage_lost, name_swapped,
    value_spoilt, value_lost, wait_lost, reference_blurred,
)  # fmt: skip


def cases(seed: str) -> Iterator[tuple[Composition, dict[str, Subtask], Style, str]]:
    """Yield compositions of all sizes with their instructions, without end."""
    pools: tuple[Sequence[Subtask], ...] = (WORDED, SUBTASKS)
    number = 0
    while True:
        pool = pools[number % 2]
        by_name = {subtask.name: subtask for subtask in pool}
        composition = composed(f"{seed}/{number}", pool, 1 + number % 14, reuse=0.9)
        style: Style = "low" if number % 5 == 4 else "high"
        yield composition, by_name, style, realise(composition, by_name, style=style, variant=number % 3)
        number += 1


def planted(count: int, seed: str = "planted") -> Iterator[tuple[str, Composition, dict[str, Subtask], str, str]]:
    """Yield errors: which sort, the composition, the pool, the sound text and the wrong one."""
    draw, made = Draw(seed), Counter[str]()
    for composition, pool, style, text in cases(seed):
        for mutation in sorted(MUTATIONS, key=lambda one: made[one.__name__])[:4]:
            wrong = mutation(draw, composition, pool, text, style)
            if wrong is not None and wrong != text:
                made[mutation.__name__] += 1
                yield mutation.__name__, composition, pool, text, wrong
            if made.total() >= count:
                return


def main(count: int) -> None:
    made, caught = Counter[str](), Counter[str]()
    for sort, composition, pool, text, wrong in planted(count):
        made[sort] += 1
        if validate(composition, pool, wrong):
            caught[sort] += 1
        else:
            sys.stdout.write(f"--- {sort}\n{text}\n{wrong}\n")
    for sort, total in sorted(made.items()):
        sys.stdout.write(f"{sort:20} {caught[sort]:5} of {total}\n")
    sys.stdout.write(f"{'caught':20} {caught.total():5} of {made.total()}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
