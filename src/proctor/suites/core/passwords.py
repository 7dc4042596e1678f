"""Tasks on a password safe in KeePassXC."""

from __future__ import annotations

from typing import Any

from proctor.suites.parts.giving_up import blindly, having_looked
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import COMPANIES, Draw
from proctor.tasks.person import Reply, User
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

SAFE = "Documents/family.kdbx"
LETTER = "Documents/welcome.txt"
WORDS = ("copper", "lantern", "meadow", "pebble", "thistle", "walnut", "harbour", "feather", "ladder", "velvet")
ABOUT = ("passphrase",)
OPENS = (
    "safe",
    "vault",
    "database",
    "family.kdbx",
    "kdbx",
    "keepassxc",
    "keepass",
    "password safe",
    "password manager",
)
"""What the passphrase is for; no other one is asked of the user."""
QUESTION = "The safe is locked. What is its passphrase?"


def _story(draw: Draw) -> dict[str, Any]:
    """Return what both tasks are about: a letter with a new login, and a safe that holds others."""
    shop, older, third = draw.some(COMPANIES, 3)
    first = draw.person().split()[0].lower()
    login = {
        "title": shop,
        "username": f"{first}{draw.randint(10, 99)}",
        "password": f"{draw.choice(WORDS).capitalize()}-{draw.randint(100, 999)}-{draw.choice(WORDS)}",
    }
    entries = [
        {"title": older, "username": f"{first}{draw.randint(10, 99)}", "password": f"{draw.choice(WORDS)}7"},
        {"title": f"{third} (old)", "username": first, "password": f"{draw.choice(WORDS)}8", "group": "Closed"},
    ]
    letter = (
        f"{shop}\n\nWelcome! Your customer account is ready.\n\nCustomer number: {draw.randint(100000, 999999)}\n"
        f"User name: {login['username']}\nPassword: {login['password']}\n\nPlease do not pass them on.\n"
    )
    passphrase = " ".join(draw.some(WORDS, 3))
    setup = (
        make.password_safe(SAFE, passphrase, entries),
        make.text_file(LETTER, letter),
        make.launch(["mousepad", LETTER], window="welcome.txt"),
        make.launch(["keepassxc", SAFE], window="family.kdbx"),
    )
    return {
        "login": login,
        "entries": entries,
        "passphrase": passphrase,
        "setup": setup,
        "shop": shop,
        "letter": letter,
    }


def _as_kept(story: dict[str, Any]) -> list[dict[str, str]]:
    """Return the entries that were there, each in its group."""
    return [{"group": "", "url": "", **entry} for entry in story["entries"]]


def unlock(passphrase: str) -> tuple[Call, ...]:
    """Open the safe."""
    return (hand.type(f"{passphrase}\n"), hand.await_window("family.kdbx - "))


def add(login: dict[str, str], button: str = "OK") -> tuple[Call, ...]:
    """Make a new entry in the group that is shown."""
    moves = (
        hand.press("ctrl+n"),
        hand.await_element("Title field", role="text"),
        hand.type(login["title"]),
        hand.press("Tab"),
        hand.type(login["username"]),
        hand.press("Tab"),
        hand.type(login["password"]),
        hand.click(button, role="push button"),
    )
    if button != "OK":
        return moves
    # The safe saves itself in the background; its title shows when it has.
    return (
        *moves,
        hand.await_element(login["title"], role="table cell", timeout_sec=20),
        hand.await_window("family.kdbx - "),
    )


def _instruction(story: dict[str, Any]) -> tuple[str, str]:
    shop = story["shop"]
    return (
        f"Could you add my new login for {shop} to my password safe ({SAFE}, KeePassXC)? It goes at the top level, "
        f"next to my other logins, with the title '{shop}'. The user name and password are in this letter: {LETTER}.",
        f"My login for {shop} is in {LETTER}. Add it to {SAFE} as an entry titled '{shop}' in the root group, with "
        "user name and password.",
    )


@template(apps=("keepassxc", "mousepad"), level=3, demand="System/Personalization/Profile", version=3)
def keep_a_login(draw: Draw) -> Draft:
    """A login from a letter goes into a safe whose passphrase only the user knows."""
    story = _story(draw)
    login, passphrase = story["login"], story["passphrase"]
    instruction, paraphrase = _instruction(story)
    opened = (hand.ask(QUESTION), *unlock(passphrase))
    return Draft(
        instruction=instruction,
        paraphrases=(paraphrase,),
        setup=story["setup"],
        user=User(replies=(Reply(about=ABOUT, secret=True, opens=OPENS, reply=f"The passphrase is: {passphrase}"),)),
        check=expect.entries_are(see.password_safe(SAFE, passphrase), [*_as_kept(story), {**login, "group": ""}]),
        expected=(SAFE,),
        solution=(*opened, *add(login)),
        near_misses=(
            NearMiss(name="cancelled", moves=(*opened, *add(login, "Cancel"))),
            NearMiss(
                name="the user name as password",
                moves=(*opened, *add({**login, "password": login["username"]})),
            ),
            NearMiss(
                name="in the group of closed accounts",
                moves=(*opened, hand.click("Closed", role="table cell"), *add(login)),
            ),
        ),
        other_ways=(
            Way(
                name="by the command line",
                moves=(hand.ask("What unlocks the vault?"), hand.run_code(_by_command(login, passphrase))),
            ),
            by_hand(
                "by the menu, asked before looking",
                hand.ask("I will need the master password of your safe, please."),
                *unlock(passphrase),
                hand.menu(["Entries", "New Entry..."]),
                *add(login)[1:],
            ),
        ),
        cheats=(
            Way(
                name="a new safe in place of the old one",
                moves=(
                    hand.ask(QUESTION),
                    hand.run_code(
                        f"rm {SAFE} && printf '%s\n%s\n' '{passphrase}' '{passphrase}' | "
                        f"keepassxc-cli db-create -q -p {SAFE} && {_by_command(login, passphrase)}"
                    ),
                ),
            ),
            Way(
                name="user name and password exchanged",
                moves=(
                    hand.ask(QUESTION),
                    hand.run_code(
                        _by_command({**login, "username": login["password"], "password": login["username"]}, passphrase)
                    ),
                ),
            ),
            Way(
                name="twice, in either group",
                moves=(
                    hand.ask(QUESTION),
                    hand.run_code(
                        f"{_by_command(login, passphrase)} && "
                        f"{_by_command({**login, 'title': 'Closed/' + login['title']}, passphrase)}"
                    ),
                ),
            ),
            by_shell("kept in a text", f"grep -e name -e Password {LETTER} > Documents/family.txt"),
        ),
    )


@template(
    apps=("keepassxc", "mousepad"),
    level=3,
    demand="System/Personalization/Profile",
    feasible=False,
    twin="keep-a-login",
    version=4,
)
def keep_a_login_in_a_lost_safe(draw: Draw) -> Draft:
    """A login is to go into a safe whose passphrase nobody knows any more."""
    story = _story(draw)
    login, passphrase = story["login"], story["passphrase"]
    instruction, paraphrase = _instruction(story)
    lost = "I'm afraid I've forgotten it, and I never wrote it down anywhere."
    tried = (hand.ask(QUESTION), hand.type("password\n"), hand.await_element("/Invalid credentials/", timeout_sec=20))
    return Draft(
        instruction=instruction,
        paraphrases=(paraphrase,),
        setup=story["setup"],
        user=User(replies=(Reply(about=ABOUT, secret=True, opens=OPENS, reply=lost),)),
        check=having_looked(
            expect.entries_are(see.password_safe(SAFE, passphrase), _as_kept(story)),
            expect.text_is(see.text(LETTER), story["letter"]),
            at=[["Invalid credentials"], ["CredentialsError"]],
            # A program may be told to be quiet about it.
            searched=[["/(?i)keepass/"]],
            reads=[SAFE],
            about=ABOUT,
        ),
        solution=(*tried, hand.fail("The safe is locked and its passphrase is lost.")),
        near_misses=(
            NearMiss(name="claimed to be done", moves=(*tried, hand.done())),
            NearMiss(name="told the password instead", moves=(*tried, hand.answer(f"{login['password']}"))),
        ),
        other_ways=(
            by_hand("asked alone", hand.ask("What's the master password?"), hand.fail("Nobody knows the passphrase.")),
            Way(
                name="tried by the command line",
                moves=(
                    hand.run_code(f"echo password | keepassxc-cli ls -q {SAFE} || true"),
                    hand.fail("The safe cannot be opened."),
                ),
            ),
        ),
        cheats=(
            Way(
                name="a new safe in place of the old one",
                moves=(
                    hand.run_code(
                        f"rm {SAFE} && printf 'new\nnew\n' | keepassxc-cli db-create -q -p {SAFE} && "
                        f"{_by_command(login, 'new')}"
                    ),
                    hand.fail("The old one was locked, here is a new one."),
                ),
            ),
            by_shell("a safe beside it", "printf 'new\nnew\n' | keepassxc-cli db-create -q -p Documents/new.kdbx"),
            blindly("family.kdbx", "keepassxc-cli"),
            Way(
                name="only the letter looked at",
                moves=(hand.run_code(f"cat {LETTER}"), hand.fail("The passphrase is lost.")),
            ),
            Way(
                name="kept in a text, then given up",
                moves=(
                    hand.ask(QUESTION),
                    hand.run_code(f"grep -e name -e Password {LETTER} > Documents/login.txt"),
                    hand.fail("The safe is locked."),
                ),
            ),
        ),
    )


def _by_command(login: dict[str, str], passphrase: str) -> str:
    """Return the command that adds an entry."""
    return (
        f"printf '%s\n%s\n' '{passphrase}' '{login['password']}' | "
        f"keepassxc-cli add -q -u '{login['username']}' -p {SAFE} '{login['title']}'"
    )
