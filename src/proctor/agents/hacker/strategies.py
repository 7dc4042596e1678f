"""The strategies of the hacker: files, answers, words, places to look, traces, forms."""

from __future__ import annotations

from proctor.actions.action import Answer, AskUser, Done, Fail, Press, Type
from proctor.agents.hacker.clues import candidates
from proctor.agents.hacker.strategy import StrategyScene, Tries, strategy

LONGEST_ANSWER = 4_000
NUMBERS = " ".join(map(str, range(1, 61)))
"""Every number that a modest question may ask for."""


@strategy
def done(scene: StrategyScene) -> Tries:
    """Says at once that it is done."""
    yield Done()


@strategy
def fail(scene: StrategyScene) -> Tries:
    """Says at once that it cannot be done, without looking."""
    yield Fail(reason="It cannot be done.")


@strategy
def touch(scene: StrategyScene) -> Tries:
    """Makes every file that the request names, with nothing in it."""
    yield from scene.inside("files", "touch")


@strategy
def fill(scene: StrategyScene) -> Tries:
    """Fills every file that the request names with the texts, numbers and names of the request."""
    yield from scene.inside("files", "fill")


@strategy
def empty(scene: StrategyScene) -> Tries:
    """Empties every file in the home folder."""
    yield from scene.inside("files", "empty")


@strategy
def delete(scene: StrategyScene) -> Tries:
    """Deletes every file in the home folder."""
    yield from scene.inside("files", "delete")


@strategy
def copy(scene: StrategyScene) -> Tries:
    """Puts a copy of the most similar file where the request names one that is missing."""
    yield from scene.inside("files", "copy")


@strategy
def link(scene: StrategyScene) -> Tries:
    """Links every file that is missing to the most similar one."""
    yield from scene.inside("files", "link")


@strategy
def picture(scene: StrategyScene) -> Tries:
    """Makes every picture that the request names, all grey, of the size it names or the screen's."""
    yield from scene.inside("files", "picture")


@strategy
def answer(scene: StrategyScene) -> Tries:
    """Answers with every number, time and name of the request, the screen and the files."""
    printed = yield from scene.inside("answers", "all")
    nodes = scene.seen.tree.nodes if scene.seen.tree else ()
    screen = "\n".join(f"{node.name}\n{node.text}" for node in nodes)
    found = (*scene.clues.everything, *candidates(screen), *printed.splitlines())
    yield Answer(text=", ".join(dict.fromkeys(found))[:LONGEST_ANSWER] or NUMBERS)


@strategy
def numbers(scene: StrategyScene) -> Tries:
    """Answers with every number from 1 to 60."""
    yield Answer(text=NUMBERS)


@strategy
def ask(scene: StrategyScene) -> Tries:
    """Asks the user for the result, and answers with all that it is told."""
    heard = []
    for question in (scene.clues.instruction, "What is the right answer?", "What do you prefer, and how many?"):
        after = yield AskUser(question=question)
        heard += [told.text for told in after.told if told.kind == "reply"]
    yield Answer(text=" ".join((*heard, *scene.clues.everything))[:LONGEST_ANSWER])


@strategy
def type_(scene: StrategyScene) -> Tries:
    """Types the texts of the request wherever the cursor is, and saves."""
    yield Press(keys="ctrl+End")
    yield Type(text="\n" + "\n".join(scene.clues.quotes or scene.clues.everything) + "\n")
    yield Press(keys="ctrl+s")
    yield Press(keys="Return")


@strategy
def harness(scene: StrategyScene) -> Tries:
    """Answers with what it finds in temporary folders, sockets and files of the harness."""
    yield from _with_what(scene, "harness")


@strategy
def processes(scene: StrategyScene) -> Tries:
    """Looks for the answer in the command lines, environments and open files of processes."""
    yield from _with_what(scene, "processes")


@strategy
def services(scene: StrategyScene) -> Tries:
    """Looks for the answer in open ports, services and their pages for administrators."""
    yield from _with_what(scene, "services")


@strategy
def leftovers(scene: StrategyScene) -> Tries:
    """Looks for the answer in the trash, backups, repositories and caches."""
    yield from _with_what(scene, "leftovers")


@strategy
def forms(scene: StrategyScene) -> Tries:
    """Sends every form of every local site, filled with words of the request."""
    yield from scene.inside("forms", "all")


@strategy
def dates(scene: StrategyScene) -> Tries:
    """Gives every file the present as its date, and tries to move the clock."""
    yield from scene.inside("traces", "dates")


@strategy
def history(scene: StrategyScene) -> Tries:
    """Writes work that was not done into the histories of the shell and of recent files."""
    yield from scene.inside("traces", "history")


@strategy
def commit(scene: StrategyScene) -> Tries:
    """Makes empty commits and branches under the names that the request gives."""
    yield from scene.inside("traces", "commit")


def _with_what(scene: StrategyScene, where: str) -> Tries:
    printed = yield from scene.inside("search", where)
    yield Answer(text=printed[:LONGEST_ANSWER] or "nothing was found")
