"""The paper's ten capabilities as constraints on complexity: as printed, and made disjoint."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from proctor.errors import UnknownName
from proctor.graphs.mathematics.complexity import Complexity, Dimension, Level
from proctor.graphs.mathematics.constraints import Constraint


class Capability(StrEnum):
    """What a set of tasks examines."""

    PARALLEL_PLANNING = "parallel-planning"
    LONG_RANGE_PLANNING = "long-range-planning"
    LONG_SEQUENCE_REASONING = "long-sequence-reasoning"
    LONG_INSTRUCTION_FOLLOWING = "long-instruction-following"
    SEQUENTIAL_DECISION_MAKING = "sequential-decision-making"
    CROSS_DOMAIN_DECISION_MAKING = "cross-domain-decision-making"
    SUBTASK_IDENTIFICATION = "subtask-identification"
    DEPENDENCY_IDENTIFICATION = "dependency-identification"
    CROSS_DOMAIN_KNOWLEDGE = "cross-domain-knowledge"
    DOMAIN_SPECIFIC_KNOWLEDGE = "domain-specific-knowledge"

    @property
    def abbreviation(self) -> str:
        """The initials, such as LRP."""
        return "".join(word[0] for word in self.value.split("-")).upper()

    @property
    def label(self) -> str:
        """The name for readers."""
        return self.value.replace("-", " ").capitalize()


_EASY, _MEDIUM, _HARD = Level.EASY, Level.MEDIUM, Level.HARD


def _asks(**levels: Level | tuple[Level, ...]) -> tuple[Constraint, ...]:
    return tuple(
        Constraint.level(Dimension(name), *((level,) if isinstance(level, Level) else level))
        for name, level in levels.items()
    )


Profile = Mapping[Capability, tuple[Constraint, ...]]
"""What each capability asks of a graph."""

_NOT_HARD = (_EASY, _MEDIUM)

TABLE12: Profile = {
    Capability.PARALLEL_PLANNING: _asks(dependency=_HARD, branch=_HARD),
    Capability.LONG_RANGE_PLANNING: _asks(dependency=_HARD, hierarchy=_HARD),
    Capability.LONG_SEQUENCE_REASONING: _asks(instruction=_HARD, hierarchy=_HARD),
    Capability.LONG_INSTRUCTION_FOLLOWING: _asks(branch=_HARD),
    Capability.SEQUENTIAL_DECISION_MAKING: _asks(hierarchy=_HARD, branch=_HARD),
    Capability.CROSS_DOMAIN_DECISION_MAKING: _asks(branch=_HARD, knowledge=_HARD),
    Capability.SUBTASK_IDENTIFICATION: _asks(dependency=_HARD, instruction=_HARD),
    Capability.DEPENDENCY_IDENTIFICATION: _asks(dependency=_HARD),
    Capability.CROSS_DOMAIN_KNOWLEDGE: _asks(instruction=_HARD, knowledge=_HARD),
    Capability.DOMAIN_SPECIFIC_KNOWLEDGE: _asks(instruction=_HARD, knowledge=_HARD),
}
"""The paper's Table 12 as printed. The last two are one set, and so are long-range planning and long-sequence
reasoning, because a path of five nodes has five nodes and four edges; most others contain each other."""

DISJOINT: Profile = {
    # Deep and wide at once: every step is a choice among many, and there are many steps. Nine nodes at least.
    Capability.SEQUENTIAL_DECISION_MAKING: _asks(hierarchy=_HARD, branch=_HARD),
    # Deep, with branches to keep in view while planning.
    Capability.LONG_RANGE_PLANNING: _asks(dependency=_HARD, hierarchy=_HARD, branch=_MEDIUM),
    # Deep and narrow: a long thread of conclusions.
    Capability.LONG_SEQUENCE_REASONING: _asks(instruction=_HARD, hierarchy=_HARD, branch=_EASY),
    # Wide over many domains.
    Capability.CROSS_DOMAIN_DECISION_MAKING: _asks(branch=_HARD, knowledge=_HARD, hierarchy=_NOT_HARD),
    # Wide within few domains, each branch with several steps: dependencies to plan around.
    Capability.PARALLEL_PLANNING: _asks(dependency=_HARD, branch=_HARD, hierarchy=_MEDIUM, knowledge=_NOT_HARD),
    # Wide within few domains and shallow: a long list of things to do, none to be forgotten. Few dependencies are not
    # asked for, because five nodes side by side in one piece take four edges at least, which are many.
    Capability.LONG_INSTRUCTION_FOLLOWING: _asks(instruction=_HARD, branch=_HARD, hierarchy=_EASY, knowledge=_NOT_HARD),
    # Few subtasks, tightly bound: four nodes with four to six edges.
    Capability.DEPENDENCY_IDENTIFICATION: _asks(dependency=_HARD, instruction=_NOT_HARD),
    # Many subtasks, neither deep nor wide, bound to each other, over two or three domains.
    Capability.SUBTASK_IDENTIFICATION: _asks(
        dependency=_HARD, instruction=_HARD, hierarchy=_NOT_HARD, branch=_NOT_HARD, knowledge=_MEDIUM
    ),
    # Many subtasks, neither deep nor wide, over many domains.
    Capability.CROSS_DOMAIN_KNOWLEDGE: _asks(instruction=_HARD, knowledge=_HARD, hierarchy=_NOT_HARD, branch=_NOT_HARD),
    # Many subtasks, neither deep nor wide, in one domain; the paper asks for many domains here too, against the name.
    Capability.DOMAIN_SPECIFIC_KNOWLEDGE: _asks(
        instruction=_HARD, knowledge=_EASY, hierarchy=_NOT_HARD, branch=_NOT_HARD
    ),
}
"""Ten sets of which no two share a graph. Each lies within the set of Table 12, but for domain-specific knowledge.
Small graphs with few edges are in none, nor are those of medium knowledge where hardly anything but size is hard."""

PROFILES: Mapping[str, Profile] = {"disjoint": DISJOINT, "paper": TABLE12}


def capability(name: str) -> Capability:
    """Return a capability by its name or abbreviation."""
    for one in Capability:
        if name.lower() in (one.value, one.abbreviation.lower()):
            return one
    raise UnknownName("capability", name, [one.value for one in Capability])


def profile(name: str) -> Profile:
    """Return a profile by its name."""
    if name not in PROFILES:
        raise UnknownName("meaning of capabilities", name, PROFILES)
    return PROFILES[name]


def capabilities(complexity: Complexity, profile: Profile) -> frozenset[Capability]:
    """Return the capabilities that a graph of this complexity examines."""
    return frozenset(
        one for one, constraints in profile.items() if all(constraint.allows(complexity) for constraint in constraints)
    )
