"""Clauses: one subtask of a composition said in one wording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from proctor.graphs.compose.composition import Composition, NodePlan
from proctor.graphs.compose.resource import Resource, is_a, kind_of
from proctor.graphs.compose.subtask import Subtask
from proctor.graphs.language.phrases import Placeholder, Wording
from proctor.graphs.language.references import Discourse, Thing, parameter_words, resource_words


class Speaker:
    """Says one clause after another, and remembers what it has app_name of."""

    def __init__(self, composition: Composition, subtasks: Mapping[str, Subtask], random: Random) -> None:
        self.subtasks, self.random = subtasks, random
        self.bare = False
        """Whether files may be called by their paths alone."""
        self.discourse = Discourse()
        self._sources = {
            (binding.consumer, binding.takes): (binding.producer, binding.gives) for binding in composition.bindings
        }
        self._made: dict[tuple[str, str], Thing] = {}
        """What each node gives, by port."""

    def say(self, node: NodePlan, wording: Wording, *, by_name: bool = False) -> str:
        """Return the next clause; `by_name` calls all by name, however clear a shorter phrase would be."""
        self.discourse.begin()
        together = ""
        fillers: list[str] = []
        for number, part in enumerate(wording.parts):
            if number == wording.pair and not by_name:
                together = self._together(node, wording)
            if together and number in (wording.pair, (wording.pair or 0) + 1):
                thing = self._thing_meant(node, part.slot, node.bound.takes[part.slot])
                self.discourse.mention(thing, f"the first of {together}")
                fillers.append(together)
                continue
            if part.role == "take":
                fillers.append(self._phrase_for_taken(node, part, by_name=by_name, no_it=part.slot != wording.it))
                continue
            if part.role == "give" and (node.id, part.slot) not in self._made:
                value = None if part.single else node.bound.gives[part.slot].value
                self._made[node.id, part.slot] = self.discourse.give(part.kind, value)
            fillers.append(_name_or_value(node, part))
        for slot, kind in self.subtasks[node.subtask].gives.items():
            if (node.id, slot) not in self._made:
                self._made[node.id, slot] = self.discourse.give(kind, None)
        said = wording.fill(fillers)
        # The phrase for both was put in for each.
        return said.replace(f"{together} and {together}", together) if together else said

    def _together(self, node: NodePlan, wording: Wording) -> str:
        one, other = wording.parts[wording.pair or 0 :][:2]
        first, second = (self._thing_meant(node, part.slot, node.bound.takes[part.slot]) for part in (one, other))
        return self.discourse.together(first, second, one.kind) if one.kind == other.kind else ""

    def _phrase_for_taken(self, node: NodePlan, part: Placeholder, *, by_name: bool, no_it: bool) -> str:
        resource = node.bound.takes[part.slot]
        thing = self._thing_meant(node, part.slot, resource)
        phrases = [
            phrase
            for phrase in self.discourse.phrases(thing, resource.word)
            if phrase != "it" or not (by_name or no_it)
        ]
        chosen = self._choose_phrase(phrases, thing, part, resource, by_name) or _name_or_value(node, part)
        self.discourse.mention(self.discourse.denotation(chosen, part.kind) or thing, chosen)
        return chosen

    def _choose_phrase(
        self, phrases: list[str], thing: Thing, part: Placeholder, resource: Resource, by_name: bool
    ) -> str:
        """Choose a clear phrase that fits what stands around it, rather a short one; empty if none does."""
        if part.quoted or part.article:
            return ""
        name = resource_words(resource.value, resource.kind)
        if part.titled and not part.single:
            return name if name in phrases and self.discourse.is_clear(name, thing, part.kind) else ""
        if by_name and not part.single:
            phrases = [phrase for phrase in phrases if resource.value in phrase]
        clear: list[str] = []
        if self.bare and is_a(resource.kind, "file"):
            phrases = [phrase for phrase in phrases if phrase in ("it", name)]
            return next((one for one in phrases if self.discourse.is_clear(one, thing, part.kind)), "")
        for phrase in phrases:
            # A bare name does not say what it is the name of, and `new` is needed only where there is an old one.
            if phrase == name or phrase.replace("the new ", "the ") in clear:
                continue
            if self.discourse.is_clear(phrase, thing, part.kind):
                if self.random.random() < 0.65:
                    return phrase
                clear.append(phrase)
        return clear[0] if clear else ""

    def _thing_meant(self, node: NodePlan, slot: str, resource: Resource) -> Thing:
        source = self._sources.get((node.id, slot))
        if source is not None:
            return self._made[source]
        if kind_of(resource.kind).slot:
            return self.discourse.single(resource.kind)
        return self.discourse.find_named(resource.value, resource.kind) or Thing(resource.kind, resource.value)


def lone_clause(node: NodePlan, wording: Wording, *, hide_taken: bool = False) -> str:
    """Return a clause that calls all by name; `hide_taken` says only the kinds of what it takes."""
    return wording.fill(
        [
            f"some {kind_of(part.kind).noun}" if hide_taken and part.role == "take" else _name_or_value(node, part)
            for part in wording.parts
        ]
    )


def open_clause(wording: Wording) -> str:
    """Return a clause for any parameters, whose names stand in braces."""
    fixed = [part.replace("{", "{{").replace("}", "}}") for part in wording.fixed]
    return replace(wording, fixed=tuple(fixed)).fill([_name_in_braces(part) for part in wording.parts])


def _name_in_braces(part: Placeholder) -> str:
    name = f"{{{part.slot}}}"
    if part.role == "param" or part.quoted:
        return name
    noun = kind_of(part.kind).noun
    if part.single:
        return noun if part.article else f"the {noun}"
    quoted = name if is_a(part.kind, "file") or part.kind == "folder" else f'"{name}"'
    return quoted if part.titled else f"the {noun} {quoted}"


def _name_or_value(node: NodePlan, part: Placeholder) -> str:
    if part.role == "param":
        value = node.bound.params.get(part.slot, "")
        return value if part.quoted else parameter_words(value)
    resource = node.bound.takes[part.slot] if part.role == "take" else node.bound.gives[part.slot]
    if part.quoted:
        return resource.value
    noun = kind_of(part.kind if part.role == "give" else resource.kind).noun
    if part.single:
        return noun if part.article else f"the {noun}"
    name = resource_words(resource.value, resource.kind)
    return name if part.titled else f"the {noun} {name}"
