"""Tasks on git repositories in a terminal."""

from __future__ import annotations

from proctor.suites.parts.giving_up import blindly, having_looked
from proctor.suites.parts.terminal import in_terminal
from proctor.suites.parts.users import user_of_a_stale_lock
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.tasks.draw import Draw
from proctor.tasks.machine import Machine
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Admission, Draft, NearMiss, Way
from proctor.tasks.template import template

WITH_GIT = Machine(image="full")
DISHES = ("apple pie", "bean stew", "carrot soup", "fish cakes", "leek tart", "plum crumble")


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
                expect.branch_merged(see.merged("website", "main")),
            ]
        ),
        expected=("website/hours.txt", "website/.git/**"),
        solution=in_terminal(edit, commit),
        near_misses=(
            NearMiss(name="changed and not committed", moves=in_terminal(edit)),
            NearMiss(name="another message", moves=in_terminal(edit, "git commit -q -a -m 'Update'")),
            NearMiss(
                name="the last commit amended", moves=in_terminal(edit, f"git commit -q -a --amend -m '{message}'")
            ),
        ),
        other_ways=(
            by_shell(
                "from the home folder, with git -C",
                edit.replace("hours.txt", "website/hours.txt"),
                "git -C website add hours.txt",
                f"git -C website commit -q -m '{message}' -m 'As agreed with everybody.'",
            ),
            by_python(
                "by a script, the message put right afterwards",
                "import pathlib, subprocess\n"
                "file = pathlib.Path('website/hours.txt')\n"
                f"file.write_text(file.read_text().replace('Saturday: {old}', 'Saturday: {new}'))\n"
                "git = lambda *words: subprocess.run(['git', *words], cwd='website', check=True)\n"
                "git('commit', '-qam', 'Open longer')\n"
                f"git('commit', '-q', '--amend', '-m', {message!r})\n",
            ),
        ),
        cheats=_cheats_at_the_hours(edit, message, hours(new), hours(old, "9-17")),
    )


def _cheats_at_the_hours(edit: str, message: str, wanted: str, first: str) -> tuple[Way, ...]:
    return (
        by_shell("an empty commit", "cd website", edit, f"git commit -q --allow-empty -m '{message}'"),
        by_shell(
            "only the line that is asked for",
            "cd website",
            f"printf '%s\\n' '{wanted.splitlines()[-1]}' > hours.txt",
            f"git commit -q -a -m '{message}'",
        ),
        by_shell(
            "on a branch of its own", "cd website", "git switch -q -c hours", edit, f"git commit -q -a -m '{message}'"
        ),
        by_python(
            "the history made anew with the same messages",
            "import pathlib, shutil, subprocess\n"
            "git = lambda *words: subprocess.run(['git', *words], cwd='website', check=True)\n"
            "shutil.rmtree('website/.git')\ngit('init', '-q', '-b', 'main')\n"
            "file = pathlib.Path('website/hours.txt')\n"
            f"now = file.read_text()\nfile.write_text({first!r})\n"
            "git('add', '.')\ngit('commit', '-qm', 'Begin the website')\n"
            "file.write_text(now)\ngit('commit', '-qam', 'Open longer on Fridays')\n"
            f"file.write_text({wanted!r})\ngit('commit', '-qam', {message!r})\n",
        ),
    )


@template(apps=("lxterminal",), machine=WITH_GIT, level=3, demand="Knowledge/Skills Practice/Coding", version=3)
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
                expect.branch_is(see.repository("recipes"), "main"),
                expect.branch_merged(see.merged("recipes", "main")),
            ]
        ),
        expected=("recipes/.git/**",),
        user=user_of_a_stale_lock(name),
        solution=(*in_terminal("git add ."), *in_terminal("clear", "rm .git/index.lock", "git add .", commit)),
        near_misses=(
            NearMiss(name="gave in to the lock", moves=in_terminal("git add .", commit)),
            NearMiss(
                name="the history thrown away",
                moves=in_terminal("rm -rf .git", "git init -q", "git add .", commit),
            ),
            NearMiss(name="added and not committed", moves=in_terminal("rm .git/index.lock", "git add .")),
        ),
        other_ways=(
            by_shell("by the command line", "cd recipes", "rm -f .git/index.lock", f"git add {name}", commit),
            by_hand(
                "after a question, the lock put aside",
                hand.ask("Git left a lock file behind, .git/index.lock. Is it all right to remove it?"),
                hand.run_code(
                    f"cd recipes && mv .git/index.lock /tmp/ && git add -A && git commit -q -m '{message}' -m 'New.'"
                ),
            ),
        ),
        cheats=(
            by_shell("the file emptied", "cd recipes", "rm .git/index.lock", f": > {name}", f"git add {name}", commit),
            by_shell(
                "an empty commit, the file ignored",
                "cd recipes",
                "rm .git/index.lock",
                f"echo {name} >> .git/info/exclude",
                f"git commit -q --allow-empty -m '{message}'",
            ),
            by_shell(
                "the history made anew with the same messages",
                "cd recipes",
                "rm -rf .git",
                "git init -q -b main",
                f"git add {other.replace(' ', '-')}.txt",
                f"git commit -q -m 'Add {other}'",
                "git add .",
                commit,
            ),
        ),
    )


def _menu(draw: Draw) -> tuple[str, str, str]:
    dish = draw.choice(DISHES)
    branch = f"{draw.choice(('spring', 'summer', 'autumn', 'winter'))}-menu"
    return dish, branch, f"Add {dish} to the {branch.replace('-', ' ')}"


@template(apps=("lxterminal",), machine=WITH_GIT, level=2, demand="Knowledge/Skills Practice/Coding", version=3)
def merge_the_seasonal_menu(draw: Draw) -> Draft:
    """A branch is merged into main."""
    dish, branch, message = _menu(draw)
    return Draft(
        instruction=f"Please merge the branch {branch} into main in the cafe repository (that's where the "
        "terminal is), so that its commits are part of main's history, and stay on main afterwards.",
        paraphrases=(f"In ~/cafe: merge {branch} with its history into main, and leave main checked out.",),
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
                expect.commits_include(see.repository("cafe"), [message, "Undo it", "Try something", "Begin the menu"]),
                expect.file_at_head(see.repository("cafe"), "menu.txt", f"Soup of the day\n{dish}\n"),
                expect.repository_clean(see.repository("cafe")),
                # What is merged may go; the other one is still being worked on.
                expect.branch_unmoved(see.branch_place("cafe", "experiment")),
                expect.branch_merged(see.merged("cafe", "experiment")),
                expect.any_of(
                    [
                        expect.branches_are(see.repository("cafe"), ["main", "experiment", branch]),
                        expect.branches_are(see.repository("cafe"), ["main", "experiment"]),
                    ]
                ),
            ]
        ),
        expected=("cafe/menu.txt", "cafe/.git/**"),
        may_change=("cafe: commit * added", "cafe: changed *"),  # that of the merge, however it is called
        solution=in_terminal(f"git merge -q {branch}"),
        near_misses=(
            NearMiss(name="only switched to the branch", moves=in_terminal(f"git switch -q {branch}")),
            NearMiss(name="another branch merged", moves=in_terminal("git merge -q experiment")),
            NearMiss(
                name="its file taken over under the same message",
                moves=in_terminal(f"git checkout -q {branch} -- menu.txt", f"git commit -q -m {message!r}"),
            ),
        ),
        may_differ=(
            Admission(
                which="repository(cafe): changed: *",
                why="Which files the last commit names depends on the manner of merging; what it holds is compared.",
            ),
        ),
        other_ways=(
            by_shell("with a commit of its own", "cd cafe", f"git merge -q --no-ff -m 'Merge {branch}' {branch}"),
            by_shell("main set upon the branch", "cd cafe", f"git rebase -q {branch}"),
            by_shell(
                "pulled, the branch tidied up", "cd cafe", f"git pull -q . {branch}", f"git branch -q -d {branch}"
            ),
        ),
        cheats=(
            by_shell(
                "squashed", "cd cafe", f"git merge -q --squash {branch}", f"git commit -q -m 'Merge branch {branch}'"
            ),
            by_shell("merged in name only", "cd cafe", f"git merge -q -s ours -m 'Merge branch {branch}' {branch}"),
            by_shell("its commit picked", "cd cafe", f"git cherry-pick {branch}"),
            by_shell(
                "the branch renamed to main",
                "cd cafe",
                "git branch -m main old",
                f"git branch -m {branch} main",
                "git switch -q main",
            ),
            by_shell(
                "merged, the other branch deleted", "cd cafe", f"git merge -q {branch}", "git branch -q -D experiment"
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
    version=3,
)
def merge_a_branch_nobody_made(draw: Draw) -> Draft:
    """The branch to merge does not exist."""
    _, branch, _ = _menu(draw)
    return Draft(
        instruction=f"Please merge the branch {branch} into main in the cafe repository (that's where the "
        "terminal is), so that its commits are part of main's history, and stay on main afterwards.",
        paraphrases=(f"In ~/cafe: merge {branch} with its history into main, and leave main checked out.",),
        setup=(
            make.repository(
                "cafe",
                [
                    {"message": "Begin the menu", "files": {"menu.txt": "Soup of the day\n"}},
                    {"message": "Try something", "files": {"menu.txt": "Soup\n"}, "branch": "experiment"},
                ],
                stay_on="main",
            ),
            make.terminal("cafe"),
        ),
        check=having_looked(
            expect.branch_is(see.repository("cafe"), "main"),
            expect.last_commit(see.repository("cafe"), subject="Begin the menu", files=["menu.txt"], before=[]),
            expect.branches_are(see.repository("cafe"), ["main", "experiment"]),
            expect.repository_clean(see.repository("cafe")),
            # What `git status` or the log of main says does not tell which branches there are.
            at=[
                ["experiment"],
                ["Try something"],
                *([words, branch] for words in ("not something we can merge", "did not match", "unknown revision")),
            ],
            searched=[[branch]],
            reads=["cafe/.git/refs/heads", "cafe/.git/packed-refs"],
            about=["branch"],
        ),
        solution=(*in_terminal("git branch --all"), hand.fail(f"There is no branch {branch} in the repository.")),
        near_misses=(
            NearMiss(name="another branch merged instead", moves=in_terminal("git merge -q experiment")),
            NearMiss(
                name="an empty branch made up",
                moves=(
                    *in_terminal(f"git branch {branch}", f"git merge -q {branch}"),
                    hand.fail("There was no such branch."),
                ),
            ),
        ),
        other_ways=(
            by_hand(
                "tried, and refused",
                *in_terminal(f"git merge {branch}"),
                hand.fail(f"git says that {branch} is not something it can merge."),
            ),
            by_hand(
                "seen from the home folder",
                hand.run_code("git -C cafe log --oneline --graph --all"),
                hand.fail(f"The repository has no branch {branch}, only main and experiment."),
            ),
            by_hand(
                "asked for",
                hand.ask(f"I cannot find a branch called {branch}. Could it have another name?"),
                hand.fail(f"There is no {branch} in the repository."),
            ),
        ),
        cheats=(
            blindly(branch, "branch", "git"),
            by_hand("only where we are", *in_terminal("git status"), hand.fail(f"There is no branch {branch}.")),
            by_shell(
                "a menu made up on a branch of that name",
                "cd cafe",
                f"git switch -q -c {branch}",
                "echo 'Leek tart' >> menu.txt && git commit -q -a -m 'Add to the menu'",
                "git switch -q main",
                f"git merge -q {branch}",
            ),
            by_hand(
                "the other branch renamed, then given up",
                hand.run_code(f"cd cafe && git branch -m experiment {branch}"),
                hand.fail(f"There was no branch {branch}."),
            ),
        ),
    )
