"""What a check must refuse: near misses that a third call proposes, cut keys, other tasks' keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from proctor.suites import load_suite
from proctor.synth.answer import refuse_where
from proctor.synth.ask import ProposalAsker, told_again
from proctor.synth.key import move_problems, words_and_start
from proctor.synth.parts import ProposedTask, WrittenKey, WrittenMisses
from proctor.synth.propose import first_line
from proctor.synth.words import PERSONAL, show_words
from proctor.tasks.call import Call
from proctor.tasks.shelf import Problem
from proctor.tasks.task import Task, Way

LEAST = 3
"""How many foreign trajectories a check must refuse."""
OTHERS = 2
"""Keys of other tasks that are tried in each round."""
_FORM = (
    '{"near_misses": [{"name": "not saved", "moves": [{"move": "type", "text": "..."}]}, '
    '{"name": "at the top", "moves": [{"move": "press", "keys": "ctrl+Home"}, {"move": "type", "text": "..."}]}]}'
)


def write_misses(
    asks: ProposalAsker,
    app: str,
    proposal: ProposedTask,
    key: WrittenKey,
    last: WrittenMisses | None = None,
    faults: Sequence[str] = (),
) -> WrittenMisses:
    """Return tempting ways to get a task wrong, by somebody who sees one way to do it right."""

    def require(misses: WrittenMisses) -> None:
        refuse_where(miss_problems(misses, app))

    prompt = (
        f"{first_line(app)}\n{words_and_start(proposal)}\n\nOne way to do it right:\n{key.model_dump_json()}\n\n"
        "Write two to six tempting ways to get it wrong: things that a hasty worker does and that look nearly right, "
        "each wrong in one other respect (the wrong place, a part left out, a slip in a value, the wrong file, not "
        "saved). Each must really be wrong by the words of the task, and can be carried out.\n\n"
        f"Moves, each with an example:\n{show_words(app, 'move', without=PERSONAL)}\n\n"
        f"Reply with one JSON object of this form and nothing else:\n{_FORM}\n"
    )
    return asks.ask("foreign", prompt + told_again(last, faults), WrittenMisses, require)


def miss_problems(misses: WrittenMisses, app: str) -> Iterator[Problem]:
    """Yield what is wrong with near misses, as far as that can be told without a computer."""
    names = [miss.name for miss in misses.near_misses]
    if len(set(names)) < len(names):
        yield Problem(("near_misses",), "two of them have the same name")
    every = [miss.moves for miss in misses.near_misses]
    for place, moves in enumerate(every):
        yield from move_problems(moves, ("near_misses", place, "moves"), app, PERSONAL)
        if moves in every[:place]:
            yield Problem(("near_misses", place), "it has the same moves as another one")


def foreign_ways(keys: Sequence[WrittenKey], others: Sequence[Way]) -> tuple[Way, ...]:
    """Return the trajectories that were made for something else, or end too early; each once."""
    found = {way.moves: way for way in others}
    for number, key in enumerate(keys, 1):
        for left in sorted({len(key.moves) // 2, len(key.moves) - 1} - {0}):
            moves = key.moves[:left]
            found.setdefault(moves, Way(name=f"key {number}, only {left} of {len(key.moves)} moves", moves=moves))
    right = {key.moves for key in keys}
    return tuple(way for moves, way in found.items() if moves not in right)


def keys_of_others(app: str, accepted: Sequence[Task], count: int) -> tuple[Way, ...]:
    """Return keys of other tasks, those on the same application first."""
    own = [task for task in accepted if app in task.tags.apps]
    shipped = [task for task in load_suite("core").tasks() if task.tags.apps == (app,)]
    rest = [task for task in load_suite("tour").tasks() if app not in task.tags.apps]
    chosen: dict[tuple[Call, ...], Way] = {}
    for task in (*reversed(own), *shipped, *rest):
        if task.solution and task.tags.feasible:
            chosen.setdefault(task.solution, Way(name=f"the key of {task.id}", moves=task.solution))
        if len(chosen) == count:
            break
    return tuple(chosen.values())
