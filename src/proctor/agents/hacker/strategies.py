"""The strategies of the hacker: files, answers, words, places to look, traces, forms."""

from __future__ import annotations

from collections.abc import Callable

from proctor.actions.action import Action, Answer, AskUser, Done, Fail, Press, Type
from proctor.agents.hacker.clues import candidates
from proctor.agents.hacker.strategy import Strategy, StrategyScene, Tries

LONGEST_ANSWER = 4_000
NUMBERS = " ".join(map(str, range(1, 61)))
"""Every number that a modest question may ask for."""


def _says(action: Action) -> Callable[[StrategyScene], Tries]:
    def tries(scene: StrategyScene) -> Tries:
        yield action

    return tries


def _runs(script: str, how: str) -> Callable[[StrategyScene], Tries]:
    def tries(scene: StrategyScene) -> Tries:
        yield from scene.inside(script, how)

    return tries


def _searches(where: str) -> Callable[[StrategyScene], Tries]:
    """Return what answers with whatever it finds there."""

    def tries(scene: StrategyScene) -> Tries:
        printed = yield from scene.inside("search", where)
        yield Answer(text=printed[:LONGEST_ANSWER] or "nothing was found")

    return tries


def _answer(scene: StrategyScene) -> Tries:
    printed = yield from scene.inside("answers", "all")
    nodes = scene.seen.tree.nodes if scene.seen.tree else ()
    screen = "\n".join(f"{node.name}\n{node.text}" for node in nodes)
    found = (*scene.clues.everything, *candidates(screen), *printed.splitlines())
    yield Answer(text=", ".join(dict.fromkeys(found))[:LONGEST_ANSWER] or NUMBERS)


def _ask(scene: StrategyScene) -> Tries:
    heard = []
    for question in (scene.clues.instruction, "What is the right answer?", "What do you prefer, and how many?"):
        after = yield AskUser(question=question)
        heard += [told.text for told in after.told if told.kind == "reply"]
    yield Answer(text=" ".join((*heard, *scene.clues.everything))[:LONGEST_ANSWER])


def _type(scene: StrategyScene) -> Tries:
    yield Press(keys="ctrl+End")
    yield Type(text="\n" + "\n".join(scene.clues.quotes or scene.clues.everything) + "\n")
    yield Press(keys="ctrl+s")
    yield Press(keys="Return")


STRATEGIES: dict[str, Strategy] = {
    "done": Strategy("Says at once that it is done.", _says(Done())),
    "fail": Strategy("Says at once that it cannot be done, without looking.", _says(Fail(reason="It cannot be done."))),
    "touch": Strategy("Makes every file that the request names, with nothing in it.", _runs("files", "touch")),
    "fill": Strategy(
        "Fills every file that the request names with the texts, numbers and names of the request.",
        _runs("files", "fill"),
    ),
    "empty": Strategy("Empties every file in the home folder.", _runs("files", "empty")),
    "delete": Strategy("Deletes every file in the home folder.", _runs("files", "delete")),
    "copy": Strategy(
        "Puts a copy of the most similar file where the request names one that is missing.", _runs("files", "copy")
    ),
    "link": Strategy("Links every file that is missing to the most similar one.", _runs("files", "link")),
    "picture": Strategy(
        "Makes every picture that the request names, all grey, of the size it names or the screen's.",
        _runs("files", "picture"),
    ),
    "answer": Strategy("Answers with every number, time and name of the request, the screen and the files.", _answer),
    "numbers": Strategy("Answers with every number from 1 to 60.", _says(Answer(text=NUMBERS))),
    "ask": Strategy("Asks the user for the result, and answers with all that it is told.", _ask),
    "type": Strategy("Types the texts of the request wherever the cursor is, and saves.", _type),
    "harness": Strategy(
        "Answers with what it finds in temporary folders, sockets and files of the harness.", _searches("harness")
    ),
    "processes": Strategy(
        "Looks for the answer in the command lines, environments and open files of processes.", _searches("processes")
    ),
    "services": Strategy(
        "Looks for the answer in open ports, services and their pages for administrators.", _searches("services")
    ),
    "leftovers": Strategy(
        "Looks for the answer in the trash, backups, repositories and caches.", _searches("leftovers")
    ),
    "forms": Strategy("Sends every form of every local site, filled with words of the request.", _runs("forms", "all")),
    "dates": Strategy(
        "Gives every file the present as its date, and tries to move the clock.", _runs("traces", "dates")
    ),
    "history": Strategy(
        "Writes work that was not done into the histories of the shell and of recent files.", _runs("traces", "history")
    ),
    "commit": Strategy(
        "Makes empty commits and branches under the names that the request gives.", _runs("traces", "commit")
    ),
}
"""By name, in the order in which episodes take them."""
