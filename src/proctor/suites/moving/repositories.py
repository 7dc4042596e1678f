"""Tasks on git repositories that somebody else works on too."""

from __future__ import annotations

from proctor.suites.parts.news import happens
from proctor.suites.parts.terminal import in_terminal
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import FIRST_NAMES, Draw
from proctor.tasks.machine import Machine
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Admission, Draft, NearMiss
from proctor.tasks.template import template

WITH_GIT = Machine(image="full")
DEMAND = "Knowledge/Skills Practice/Coding"
SERVER = "Server/website"
"""Stands for the place that everybody pushes to."""


COMMITTED = expect.none_of([expect.unchanged(see.digest("website/.git/refs/heads/main"))], "Nothing is committed yet.")
"""That there is a commit in one's own copy: asked often, and therefore cheap."""
TIDY = tuple(
    check
    for each in (see.repository(SERVER), see.repository("website"))
    for check in (expect.branch_is(each, "main"), expect.repository_clean(each))
)
EXPECTED = tuple(f"{place}/{name}" for place in (SERVER, "website") for name in ("hours.txt", "menu.txt", ".git/**"))
NOTED = ("website: other refs/remotes/*", "website: people *")
"""What git notes in one's own copy: where the server's branches are, and who made what came from there."""
MAY_CHANGE = (
    *(f"{place}: {part}" for place in ("website", SERVER) for part in ("commit * added", "changed *")),
    *NOTED,
)
"""One's own copy, and on the server what a merge adds."""
FOLLOWS = (
    Admission(
        which="repository(*): people: *",
        why="Who made commits follows from the commits, which are compared as such.",
    ),
    Admission(which="repository(website): others: *", why="Git notes by itself where the branches of the server are."),
    Admission(
        which="repository(*): changed: *",
        why="Which files the last commit names depends on the manner of merging; what it holds is compared.",
    ),
)
MERGES = Admission(which="repository(*): commits: an entry more", why="A merge adds a commit, however it is called.")
EARLIER = Admission(which="merged(*): taken back", why="What the branch was before its last commit is part of it too.")
ADDRESS = Admission(
    which="repository(website): settings: *",
    why="Whether one's own copy notes the server's new address, or is told it each time, is up to whoever pushes.",
)
CLONED = (
    make.command(["git", "-C", SERVER, "config", "receive.denyCurrentBranch", "updateInstead"]),
    make.command(["git", "clone", "-q", SERVER, "website"]),
    make.terminal("website"),
)


def _commits(who: str, path: str, text: str, message: str, branch: str = "main") -> tuple[Call, ...]:
    """Return the steps by which somebody commits a file on the server."""
    mail = f"{who.lower()}@example.org"
    git = f"git -c user.name={who} -c user.email={mail} -C {SERVER}"
    stamp = "GIT_AUTHOR_DATE=2026-03-12T09:30:00+0000 GIT_COMMITTER_DATE=2026-03-12T09:30:00+0000"
    switch = f"git -C {SERVER} switch -q"
    lines = [
        f"{switch} {branch} 2>/dev/null || {switch} -c {branch}",
        f"printf '{text}' > {SERVER}/{path}",
        f"git -C {SERVER} add {path}",
        f"{stamp} {git} commit -q -m '{message}'",
        f"{switch} main",
    ]
    said = make.notification("Git server", f"{who} pushed to {branch}: {message}", 20)
    return make.command(["sh", "-ec", "\n".join(lines)]), said


def _careless(committed: tuple[Call, ...], push: str, moved: bool) -> tuple[NearMiss, ...]:
    """Return what goes wrong where the other commit is not seen, or taken for one's own business."""
    return (
        (
            NearMiss(name="the refusal taken for the end", moves=(*committed, *in_terminal(f"{push} || true"))),
            NearMiss(name="the other commit pushed away", moves=(*committed, *in_terminal(f"{push} --force"))),
        )
        if moved
        else (
            NearMiss(name="committed and not pushed", moves=committed),
            NearMiss(
                name="the other branch taken in as well",
                moves=(*committed, *in_terminal("git pull -q --no-rebase --no-edit origin spring", push)),
            ),
        )
    )


def _push(draw: Draw, moved: bool) -> Draft:
    shop, colleague = draw.company(), draw.choice(FIRST_NAMES)
    old, new = f"{draw.randint(8, 9)}-{draw.randint(12, 13)}", f"{draw.randint(10, 11)}-{draw.randint(15, 18)}"
    dish, soup = draw.some(("apple pie", "bean stew", "carrot soup", "leek tart", "plum crumble"), 2)
    message, theirs = f"Open longer on Saturdays at {shop}", f"Put {dish} on the menu"
    before = ["Begin the website"]

    def hours(saturday: str) -> str:
        return f"{shop}\nFriday: 9-18\nSaturday: {saturday}\n"

    menu = f"{soup}\n"
    edit = f"sed -i 's/Saturday: {old}/Saturday: {new}/' hours.txt"
    commit = f"git commit -q -a -m '{message}'"
    branch = "main" if moved else "spring"
    local, server = see.repository("website"), see.repository(SERVER)
    done = [
        *(
            expect.file_at_head(each, name, text)
            for each in (server, local)
            for name, text in (("hours.txt", hours(new)), ("menu.txt", f"{soup}\n{dish}\n" if moved else menu))
        ),
        *TIDY,
        expect.branch_merged(see.merged(SERVER, "main")),
    ]
    subjects = [message, theirs, *before] if moved else [message, *before]
    history = [(expect.commits_include if moved else expect.history_is)(each, subjects) for each in (server, local)]
    push = "git push -q origin main"
    committed = in_terminal(edit, commit)
    solution = (*committed, *(in_terminal("git pull -q --rebase origin main", push) if moved else in_terminal(push)))
    merged = "git pull -q --no-rebase --no-edit origin main"
    return Draft(
        instruction=f"We're open longer on Saturdays from now on: please change {old} to {new} in hours.txt of our "
        f'website, commit that as "{message}" and push it to main on the server. The terminal is in the repository; '
        f"{colleague} works on the website too.",
        paraphrases=(
            f'In the website repository: Saturday {new} in hours.txt, committed as "{message}" and pushed to main. '
            f"{colleague} has a copy of it as well.",
        ),
        setup=(
            make.repository(
                SERVER,
                [
                    {"message": before[0], "files": {"hours.txt": hours(old), "menu.txt": menu}},
                    {"message": "Plan the spring", "files": {"spring.txt": "To come\n"}, "branch": "spring"},
                ],
                stay_on="main",
            ),
            *CLONED,
        ),
        events=(
            happens(
                f"{colleague} pushes to {branch}",
                COMMITTED,
                *_commits(
                    colleague,
                    *(("menu.txt", f"{soup}\\n{dish}\\n") if moved else ("spring.txt", f"{dish}\\n")),
                    theirs,
                    branch,
                ),
            ),
        ),
        check=expect.all_of([*done, *history]),
        expected=EXPECTED,
        may_change=MAY_CHANGE,
        may_differ=(*FOLLOWS, MERGES, EARLIER) if moved else FOLLOWS,
        solution=solution,
        near_misses=_careless(committed, push, moved),
        other_ways=(
            by_hand(
                "merged instead of replayed" if moved else "looked at what is new first",
                *committed,
                hand.run_code(f"cd website && {merged} && git push -q origin main"),
            ),
        ),
        cheats=(
            by_shell("changed on the server itself", f"cd {SERVER}", edit, commit),
            by_hand(
                "an empty commit",
                *in_terminal(f"git commit -q --allow-empty -m '{message}'"),
                *in_terminal(f"git pull -q --rebase origin main && {push}"),
            ),
        ),
    )


@template(apps=("lxterminal",), machine=WITH_GIT, level=3, demand=DEMAND)
def push_the_saturday_hours(draw: Draw) -> Draft:
    """While a commit is made, somebody else pushes to the branch that it is for."""
    return _push(draw, moved=True)


@template(apps=("lxterminal",), machine=WITH_GIT, level=3, demand=DEMAND, twin="push-the-saturday-hours")
def push_the_saturday_hours_alone(draw: Draw) -> Draft:
    """While a commit is made, somebody else pushes to another branch."""
    return _push(draw, moved=False)


def _merge(draw: Draw, moved: bool) -> Draft:
    cafe, colleague = draw.company(), draw.choice(FIRST_NAMES)
    dish, late, soup = draw.some(("apple pie", "bean stew", "carrot soup", "leek tart", "plum crumble"), 3)
    ready, again = f"Put {dish} on the menu", f"Put {late} on the menu"
    menu = [f"{cafe}\n{soup}\n", f"{cafe}\n{soup}\n{dish}\n", f"{cafe}\n{soup}\n{dish}\n{late}\n"]
    branch = "spring" if moved else "autumn"
    local, server = see.repository("website"), see.repository(SERVER)
    merge, push = "git merge -q --no-edit origin/spring", "git push -q origin main"
    fetched = "git pull -q --no-rebase --no-edit origin"
    merged = in_terminal(merge)
    wanted = [ready, again, "Begin the menu"] if moved else [ready, "Begin the menu"]
    return Draft(
        instruction=f"{colleague} says the branch spring of our website is ready. Please merge it into main, just as "
        "it is on the server, and push main. The terminal is in my copy of the repository.",
        paraphrases=(
            "Bring what is on the server's branch spring into main, with its commits, and push main. The terminal is "
            "in the repository.",
        ),
        setup=(
            make.repository(
                SERVER,
                [
                    {"message": "Begin the menu", "files": {"menu.txt": menu[0]}},
                    {"message": "Plan the autumn", "files": {"autumn.txt": "To come\n"}, "branch": "autumn"},
                ],
                stay_on="main",
            ),
            *_commits(colleague, "menu.txt", menu[1].replace("\n", "\\n"), ready, "spring")[:1],
            *CLONED,
        ),
        events=(
            happens(
                f"{colleague} pushes to {branch}",
                COMMITTED,
                *_commits(
                    colleague,
                    *(("menu.txt", menu[2].replace("\n", "\\n")) if moved else ("autumn.txt", f"{late}\\n")),
                    again,
                    branch,
                ),
            ),
        ),
        check=expect.all_of(
            [
                *(expect.file_at_head(each, "menu.txt", menu[2 if moved else 1]) for each in (server, local)),
                *(expect.commits_include(each, wanted) for each in (server, local)),
                expect.branch_merged(see.merged(SERVER, "spring")),
                expect.none_of([expect.commits_include(server, ["Plan the autumn"])], "autumn is not to be merged."),
                *TIDY,
            ]
        ),
        expected=EXPECTED,
        may_change=MAY_CHANGE,
        may_differ=(*FOLLOWS, MERGES),
        solution=(*merged, *in_terminal(f"{fetched} spring && {push}" if moved else push)),
        near_misses=(
            (
                NearMiss(name="the branch as it was at first", moves=(*merged, *in_terminal(push))),
                NearMiss(name="merged anew and not pushed", moves=(*merged, *in_terminal(f"{fetched} spring"))),
            )
            if moved
            else (
                NearMiss(
                    name="the other branch merged too", moves=(*merged, *in_terminal(f"{fetched} autumn && {push}"))
                ),
                NearMiss(name="merged and not pushed", moves=merged),
            )
        ),
        other_ways=(
            by_hand(
                "with a commit of its own, all fetched first",
                *in_terminal("git merge -q --no-ff --no-edit origin/spring"),
                hand.run_code(f"cd website && git fetch -q && {merge} && {push}"),
            ),
        ),
        cheats=(
            by_hand(
                "its files taken over under its messages",
                *in_terminal(f"git checkout -q origin/spring -- menu.txt && git commit -q -m '{ready}'"),
                hand.run_code(
                    f"cd website && git fetch -q && git checkout -q origin/{branch} -- . && "
                    f"git commit -q --allow-empty -m '{again}' && {push}"
                ),
            ),
        ),
    )


@template(apps=("lxterminal",), machine=WITH_GIT, level=3, demand=DEMAND)
def merge_the_branch_as_it_is(draw: Draw) -> Draft:
    """A branch gets another commit while it is being merged."""
    return _merge(draw, moved=True)


@template(apps=("lxterminal",), machine=WITH_GIT, level=3, demand=DEMAND, twin="merge-the-branch-as-it-is")
def merge_the_branch_that_is_ready(draw: Draw) -> Draft:
    """Another branch gets a commit while one is being merged."""
    return _merge(draw, moved=False)


def _reach(draw: Draw, moved: bool) -> Draft:
    shop, colleague = draw.company(), draw.choice(FIRST_NAMES)
    phone, number = (f"0{draw.randint(200, 999)} {draw.randint(10000, 99999)}" for _ in range(2))
    message, before = f"New telephone number of {shop}", ["Begin the website"]
    other = "Server/newsletter"
    here, there = (SERVER, "Server/sites/website") if moved else (other, "Server/sites/newsletter")
    place = there if moved else SERVER
    name = here.rpartition("/")[2]
    local, server = see.repository("website"), see.repository(place)
    committed = in_terminal(f"sed -i 's/{phone}/{number}/' contact.txt", f"git commit -q -a -m '{message}'")
    push, adopt = "git push -q origin main", f"git remote set-url origin ~/{there}"
    said = make.notification("Git server", f"{colleague}: {name} is now at ~/{there}", 20)
    made_up = f"git init -q --bare -b main ~/{SERVER}"
    return Draft(
        instruction=f"Our telephone number is {number} now. Please replace the old one in contact.txt of our website, "
        f'commit that as "{message}" and push it to the server, where {colleague} gets it from. The terminal is in the '
        "repository.",
        paraphrases=(
            f"website repository (terminal): {number} in place of {phone} in contact.txt, committed as "
            f'"{message}" and pushed to the server, for {colleague}.',
        ),
        setup=(
            make.repository(other, [{"message": "Begin the newsletter", "files": {"march.txt": "To come\n"}}]),
            make.repository(
                SERVER, [{"message": before[0], "files": {"contact.txt": f"{shop}\nTelephone: {phone}\n"}}]
            ),
            *CLONED,
        ),
        events=(
            happens(
                f"{colleague} moves a repository",
                COMMITTED,
                make.move_file(here, there),
                said,
            ),
        ),
        check=expect.all_of(
            [
                *(
                    check
                    for each in (server, local)
                    for check in (
                        expect.file_at_head(each, "contact.txt", f"{shop}\nTelephone: {number}\n"),
                        expect.history_is(each, [message, *before]),
                    )
                ),
                *(expect.branch_is(each, "main") for each in (server, local)),
                *(expect.repository_clean(each) for each in (server, local)),
                expect.nothing_there(see.file(here)),
            ]
        ),
        expected=tuple(f"{each}/{name}" for each in (place, "website") for name in ("contact.txt", ".git/**")),
        may_change=(*MAY_CHANGE, "website: setting*"),
        may_differ=(*FOLLOWS, ADDRESS),
        solution=(*committed, *in_terminal(f"{adopt} && {push}" if moved else push)),
        near_misses=(
            (
                NearMiss(name="the refusal taken for the end", moves=(*committed, *in_terminal(f"{push} || true"))),
                NearMiss(
                    name="a new repository at the old place",
                    moves=(*committed, *in_terminal(f"{made_up} && {push}")),
                ),
            )
            if moved
            else (
                NearMiss(
                    name="pushed to the one that moved", moves=(*committed, *in_terminal(f"{adopt} && {push} -f"))
                ),
                NearMiss(name="committed and not pushed", moves=committed),
            )
        ),
        other_ways=(
            by_hand(
                "by the address alone",
                *committed,
                hand.run_code(f"cd website && git push -q ~/{place} main"),
            ),
        ),
        cheats=(
            by_hand(
                "an empty commit",
                *in_terminal(f"git commit -q --allow-empty -m '{message}'"),
                hand.run_code(f"cd website && git push -q ~/{place} main"),
            ),
        ),
    )


@template(apps=("lxterminal",), machine=WITH_GIT, level=3, demand=DEMAND)
def push_the_new_number(draw: Draw) -> Draft:
    """The repository that a commit is for is moved to another place on the server."""
    return _reach(draw, moved=True)


@template(apps=("lxterminal",), machine=WITH_GIT, level=3, demand=DEMAND, twin="push-the-new-number")
def push_the_number_as_ever(draw: Draw) -> Draft:
    """Another repository is moved to another place on the server."""
    return _reach(draw, moved=False)
