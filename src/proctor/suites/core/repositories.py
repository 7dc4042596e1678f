"""Tasks on git repositories in a terminal."""

from __future__ import annotations

from proctor.suites.parts.giving_up import having_looked
from proctor.suites.parts.users import allowing
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.machine import Machine
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

WITH_GIT = Machine(image="full")
DISHES = ("apple pie", "bean stew", "carrot soup", "fish cakes", "leek tart", "plum crumble")


def _lines(*commands: str) -> tuple[Call, ...]:
    """Type commands into the terminal that has the focus and wait until they are through."""
    typed = " && ".join(commands)
    # The words of the mark are split, so that only its output matches and not what is typed.
    # Their number tells it from an earlier mark that is still on the screen.
    mark = hand.await_element(role="terminal", text=f"/(^|\\n)ready{len(typed)}/")
    return hand.type(f"{typed}; echo rea''dy{len(typed)}\n"), mark


@template(apps=("lxterminal",), machine=WITH_GIT, level=2, demand="Knowledge/Skills Practice/Coding", version=2)
def commit_new_opening_hours(draw: Draw) -> Draft:
    """A line of a file under version control changes, and the change is committed."""
    shop = draw.company()
    old, new = f"{draw.randint(8, 9)}-{draw.randint(12, 13)}", f"{draw.randint(10, 11)}-{draw.randint(15, 18)}"
    message = f"Open longer on Saturdays at {shop}"

    def hours(saturday: str, friday: str = "9-18") -> str:
        return f"{shop}\nFriday: {friday}\nSaturday: {saturday}\n"

    edit = f"sed -i 's/Saturday: {old}/Saturday: {new}/' hours.txt"
    commit = f"git commit -q -a -m '{message}'"
    return Draft(
        instruction="We're changing our opening hours. In our website repository (the website folder, there's "
        f"a terminal open in it), change the Saturday hours in hours.txt from {old} to {new} and commit that "
        f'with the message "{message}".',
        paraphrases=(f'Set Saturday to {new} in ~/website/hours.txt and commit it: "{message}".',),
        setup=(
            make.repository(
                "website",
                [
                    {
                        "message": "Begin the website",
                        "files": {"hours.txt": hours(old, "9-17"), "index.html": "<h1>Hi</h1>\n"},
                    },
                    {"message": "Open longer on Fridays", "files": {"hours.txt": hours(old)}},
                ],
            ),
            make.terminal("website"),
        ),
        check=expect.all_of(
            [
                expect.last_commit(
                    see.repository("website"),
                    subject=message,
                    files=["hours.txt"],
                    before=["Open longer on Fridays", "Begin the website"],
                ),
                expect.file_at_head(see.repository("website"), "hours.txt", hours(new)),
                expect.repository_clean(see.repository("website")),
                expect.branch_is(see.repository("website"), "main"),
            ]
        ),
        expected=("website/hours.txt", "website/.git/**"),
        solution=_lines(edit, commit),
        near_misses=(
            NearMiss(name="changed and not committed", moves=_lines(edit)),
            NearMiss(name="another message", moves=_lines(edit, "git commit -q -a -m 'Update'")),
            NearMiss(name="the last commit amended", moves=_lines(edit, f"git commit -q -a --amend -m '{message}'")),
        ),
    )


@template(apps=("lxterminal",), machine=WITH_GIT, level=3, demand="Knowledge/Skills Practice/Coding", version=2)
def commit_despite_a_stale_lock(draw: Draw) -> Draft:
    """An earlier crash left a lock in the repository, and git refuses to commit."""
    dish, other = draw.some(DISHES, 2)
    minutes = draw.randint(20, 70)
    name = f"{dish.replace(' ', '-')}.txt"
    message = f"Add {dish}"
    text = f"{dish.capitalize()}\nReady in {minutes} minutes.\n"
    commit = f"git commit -q -m '{message}'"
    return Draft(
        instruction=f"I wrote a new recipe, {name}, in my recipes repository, where the terminal is. Please "
        f'commit it with the message "{message}". My computer crashed yesterday while git was busy, but '
        "nothing else is using the repository now.",
        paraphrases=(f'Commit {name} in ~/recipes as "{message}". A crash interrupted git yesterday.',),
        setup=(
            make.repository(
                "recipes", [{"message": f"Add {other}", "files": {f"{other.replace(' ', '-')}.txt": f"{other}\n"}}]
            ),
            make.text_file(f"recipes/{name}", text),
            make.text_file("recipes/.git/index.lock", ""),
            make.terminal("recipes"),
        ),
        check=expect.all_of(
            [
                expect.last_commit(see.repository("recipes"), subject=message, files=[name], before=[f"Add {other}"]),
                expect.file_at_head(see.repository("recipes"), name, text),
                expect.repository_clean(see.repository("recipes")),
            ]
        ),
        expected=("recipes/.git/**",),
        user=allowing("Yes, go ahead, you can remove that lock. Nothing else is running."),
        solution=(*_lines("git add ."), *_lines("clear", "rm .git/index.lock", "git add .", commit)),
        near_misses=(
            NearMiss(name="gave in to the lock", moves=_lines("git add .", commit)),
            NearMiss(
                name="the history thrown away",
                moves=_lines("rm -rf .git", "git init -q", "git add .", commit),
            ),
            NearMiss(name="added and not committed", moves=_lines("rm .git/index.lock", "git add .")),
        ),
    )


def _menu(draw: Draw) -> tuple[str, str, str]:
    dish = draw.choice(DISHES)
    branch = f"{draw.choice(('spring', 'summer', 'autumn', 'winter'))}-menu"
    return dish, branch, f"Add {dish} to the {branch.replace('-', ' ')}"


@template(apps=("lxterminal",), machine=WITH_GIT, level=2, demand="Knowledge/Skills Practice/Coding", version=2)
def merge_the_seasonal_menu(draw: Draw) -> Draft:
    """A branch is merged into main."""
    dish, branch, message = _menu(draw)
    return Draft(
        instruction=f"Please merge the branch {branch} into main in the cafe repository (that's where the "
        "terminal is) and stay on main afterwards.",
        paraphrases=(f"In ~/cafe: merge {branch} into main, and leave main checked out.",),
        setup=(
            make.repository(
                "cafe",
                [
                    {"message": "Begin the menu", "files": {"menu.txt": "Soup of the day\n"}},
                    {"message": "Try something", "files": {"menu.txt": "Soup\n"}, "branch": "experiment"},
                    {"message": "Undo it", "files": {"menu.txt": "Soup of the day\n"}, "branch": "experiment"},
                    {"message": message, "files": {"menu.txt": f"Soup of the day\n{dish}\n"}, "branch": branch},
                ],
                stay_on="main",
            ),
            make.terminal("cafe"),
        ),
        check=expect.all_of(
            [
                expect.branch_is(see.repository("cafe"), "main"),
                expect.branch_merged(see.merged("cafe", branch)),
                expect.file_at_head(see.repository("cafe"), "menu.txt", f"Soup of the day\n{dish}\n"),
                expect.repository_clean(see.repository("cafe")),
            ]
        ),
        expected=("cafe/menu.txt", "cafe/.git/**"),
        solution=_lines(f"git merge -q {branch}"),
        near_misses=(
            NearMiss(name="only switched to the branch", moves=_lines(f"git switch -q {branch}")),
            NearMiss(name="another branch merged", moves=_lines("git merge -q experiment")),
            NearMiss(
                name="its file taken over under the same message",
                moves=_lines(f"git checkout -q {branch} -- menu.txt", f"git commit -q -m {message!r}"),
            ),
        ),
    )


@template(
    apps=("lxterminal",),
    machine=WITH_GIT,
    level=2,
    demand="Knowledge/Skills Practice/Coding",
    feasible=False,
    twin="merge-the-seasonal-menu",
    version=2,
)
def merge_a_branch_nobody_made(draw: Draw) -> Draft:
    """The branch to merge does not exist."""
    _, branch, _ = _menu(draw)
    history = ["Begin the menu"]
    return Draft(
        instruction=f"Please merge the branch {branch} into main in the cafe repository (that's where the "
        "terminal is) and stay on main afterwards.",
        paraphrases=(f"In ~/cafe: merge {branch} into main, and leave main checked out.",),
        setup=(
            make.repository(
                "cafe",
                [
                    {"message": history[0], "files": {"menu.txt": "Soup of the day\n"}},
                    {"message": "Try something", "files": {"menu.txt": "Soup\n"}, "branch": "experiment"},
                ],
                stay_on="main",
            ),
            make.terminal("cafe"),
        ),
        check=having_looked(
            expect.branch_is(see.repository("cafe"), "main"),
            expect.history_is(see.repository("cafe"), history),
            expect.branches_are(see.repository("cafe"), ["main", "experiment"]),
            expect.repository_clean(see.repository("cafe")),
            words=["/git (branch|merge|log|show|rev-parse|switch|checkout|for-each-ref|ls-|status)/", "/[.]git/"],
            about=["branch"],
        ),
        solution=(*_lines("git branch --all"), hand.fail(f"There is no branch {branch} in the repository.")),
        near_misses=(
            NearMiss(name="another branch merged instead", moves=_lines("git merge -q experiment")),
            NearMiss(
                name="an empty branch made up",
                moves=(
                    *_lines(f"git branch {branch}", f"git merge -q {branch}"),
                    hand.fail("There was no such branch."),
                ),
            ),
        ),
    )
