"""Instructions written and read by a language model, with the deterministic realiser to fall back on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from proctor.graphs.compose.composition import Composition, NodePlan
from proctor.graphs.compose.subtask import Subtask
from proctor.graphs.language.clauses import said_alone
from proctor.graphs.language.infer import MOST_CHARACTERS
from proctor.graphs.language.phrases import fullest
from proctor.graphs.language.realise import Style, realise
from proctor.graphs.language.validate import Fault, compare, said_values, validate
from proctor.models.model import Message, Model
from proctor.records import ModelCall

TRIES = 3
"""How often a model is asked to write before the realiser does."""

WRITING = """You write requests that somebody sends to an assistant who works at their computer.

You are given the pieces of work that the request has to contain, which of them has to wait for which, and a plain
version of the request. Rewrite it, as one person would ask another, in {style}.

Keep to this:
- Ask for every piece of work once, and for nothing else.
- Copy every name, path, title and value letter by letter.
- Make clear which piece uses what another has made; say that something comes later only where the list says it waits.
- Where nothing waits for something, do not suggest an order: no "first", "then" or numbers there.
- Answer with the request alone, without quotes around it and without remarks."""

STYLES: Mapping[Style, str] = {
    "high": "a few flowing sentences that say what is wanted, not where to click",
    "low": "short steps that say what to do in which application",
}

READING = """You read a request and tell which pieces of work have to wait for which.

You are given the request and a list of the pieces of work it contains, each with an id. Judge by the request alone: a
piece waits for another if the request makes it use something that the other makes, or says that it comes later. That
one is mentioned after the other means nothing.

Answer with one JSON object and nothing else: each id with the list of the ids it waits for directly, for example
{"a": [], "b": ["a"]}."""


@dataclass(frozen=True, slots=True)
class Realisation:
    """An instruction, and who wrote it."""

    text: str
    author: str
    """The model's name; empty when the realiser wrote it."""
    calls: tuple[ModelCall, ...] = ()
    faults: tuple[Fault, ...] = ()
    """What was wrong with the model's last text, where the realiser had to write."""


@dataclass(frozen=True, slots=True)
class ModelInference:
    """What a model took a text to mean."""

    dependencies: frozenset[tuple[str, str]] | None
    """Pairs of ids; None when the model's answer could not be read."""
    call: ModelCall


def realise_with(
    model: Model,
    composition: Composition,
    subtasks: Mapping[str, Subtask],
    *,
    style: Style = "high",
    variant: int = 0,
    judge: Model | None = None,
    tries: int = TRIES,
) -> Realisation:
    """Let a model write the instruction; its text counts only when it is found to mean what the composition means.

    Args:
        model: Who writes.
        composition: What is to be done.
        subtasks: The pool, by name.
        style: `high` for a request, `low` for steps.
        variant: Which of the realiser's texts the model starts from, and which is used when it fails.
        judge: Who reads what the rules cannot; the writer itself when nobody is named.
        tries: How often the model may write.

    Raises:
        ModelError: A model cannot be asked at all.
    """
    plain = realise(composition, subtasks, style=style, variant=variant)
    messages = [
        Message("system", (WRITING.format(style=STYLES[style]),)),
        Message("user", (_assignment(composition, subtasks, plain),)),
    ]
    calls: list[ModelCall] = []
    faults: list[Fault] = []
    for _ in range(tries):
        reply = model.ask(messages)
        calls.append(reply.call)
        text = reply.text.strip()[:MOST_CHARACTERS]
        faults = [Fault("unread", f"the model's answer ended by {reply.finish}")]
        if reply.finish == "stop" and text:
            faults, spent = _judged(judge or model, composition, subtasks, text)
            calls += spent
        if not faults:
            return Realisation(text, model.name, tuple(calls))
        wrong = "\n".join(f"- {fault}" for fault in faults[:10])
        again = f"Read closely, this does not say what is meant:\n{wrong}\nWrite the whole request again."
        messages += [Message("assistant", (text or "(nothing)",)), Message("user", (again,))]
    return Realisation(plain, "", tuple(calls), tuple(faults))


def infer_with(model: Model, text: str, subtasks: Mapping[str, str]) -> ModelInference:
    """Let a model infer from a text alone which subtask depends on which.

    Args:
        model: Who reads.
        text: The instruction.
        subtasks: By id, what each asks for, without saying where it takes things from.

    Raises:
        ModelError: The model cannot be asked.
    """
    listed = "\n".join(f"{id}: {asked}" for id, asked in subtasks.items())
    question = f"The request:\n{text}\n\nThe pieces of work:\n{listed}"
    reply = model.ask([Message("system", (READING,)), Message("user", (question,))], temperature=0.0)
    return ModelInference(_dependencies(reply.text, frozenset(subtasks)), reply.call)


def described(node: NodePlan, subtask: Subtask) -> str:
    """Return what a node asks for, with the kind of what it takes in the place of its name."""
    return said_alone(node, fullest(subtask)[0], hide_taken=True)


def _assignment(composition: Composition, subtasks: Mapping[str, Subtask], plain: str) -> str:
    reduced = composition.admitted.reduction()
    lines = []
    for node in composition.nodes:
        waits = ", ".join(reduced.predecessors(node.id)) or "nothing"
        lines.append(f"{node.id} (waits for {waits}): {said_alone(node, fullest(subtasks[node.subtask])[0])}")
    return f"It is about {composition.theme.title}.\n\nThe pieces of work:\n" + "\n".join(lines) + f"\n\n{plain}"


def _judged(
    judge: Model, composition: Composition, subtasks: Mapping[str, Subtask], text: str
) -> tuple[list[Fault], list[ModelCall]]:
    """Return what is wrong with a text, and what finding out has cost; a text that the rules can read costs nothing."""
    if not validate(composition, subtasks, text):
        return [], []
    faults = [
        Fault("value", f"{node.id}: {value!r} is not in the text")
        for node in composition.nodes
        for value in said_values(node, subtasks[node.subtask]).values()
        if value not in text
    ]
    if faults:
        return faults, []
    read = infer_with(judge, text, {node.id: described(node, subtasks[node.subtask]) for node in composition.nodes})
    if read.dependencies is None:
        return [Fault("unclear", "nobody could tell what depends on what")], [read.call]
    return compare(composition, read.dependencies), [read.call]


def _dependencies(answer: str, ids: frozenset[str]) -> frozenset[tuple[str, str]] | None:
    """Read a model's answer; None unless it is what was asked for."""
    start, end = answer.find("{"), answer.rfind("}")
    try:
        data = json.loads(answer[start : end + 1]) if 0 <= start < end <= MOST_CHARACTERS else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not ids.issuperset(data):
        return None
    pairs = set()
    for later, firsts in data.items():
        if not isinstance(firsts, list) or not all(isinstance(first, str) and first in ids for first in firsts):
            return None
        pairs |= {(first, later) for first in firsts}
    return frozenset(pairs)
