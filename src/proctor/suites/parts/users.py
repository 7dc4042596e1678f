"""What users of tasks know and have decided that many of them say alike."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.tasks.call import Call
from proctor.tasks.person import Reply, Ruling, User

BEDS = {
    "Dormitory bed": ("dormitory", "dorm", "bunk"),
    "Shared double": ("double", "twin", "with somebody", "share"),
    "Single room": ("single", "on your own", "private", "by yourself", "room to yourself", "room of your own", "alone"),
}
"""How questions offer each kind of room."""
NOT_ELSEWHERE = Ruling(
    acts=("copy", "rename", "elsewhere", "keep both"),
    allowed=False,
    reply="Please make the change in the file itself, under its own name and where it is, without a copy.",
)
NO_NEED_TO_WAIT = Ruling(
    acts=("wait", "skip", "ask others"),
    allowed=False,
    reply="There's no need to wait or to ask anybody else. Please go ahead now.",
)
IN_PLACE = Reply(
    about=("file name", "name", "under which name", "place to save", "location", "folder"),
    kinds=("what", "place"),
    verbs=("save", "store", "put"),
    reply="Keep its name and leave it where it is.",
)


def user_who_lets_go_on(reply: str, alone: str = "No, nobody else has it open.") -> User:
    """Return a user who lets a lock be ignored that somebody left behind on a document.

    Args:
        reply: What is said to who asks before going on.
        alone: What is said to who asks whether somebody is still at work there.
    """
    return User(
        replies=(
            Reply(
                about=(
                    "anybody using",
                    "somebody else",
                    "in use",
                    "still open",
                    "working on",
                    "has it open",
                    "still editing",
                    "anyone else",
                ),
                kinds=("whether", "person"),
                reply=alone,
            ),
            IN_PLACE,
        ),
        decisions=(
            Ruling(
                acts=("open", "unlock", "go on"), things=("lock", "file", "locked", "it"), allowed=True, reply=reply
            ),
            Ruling(acts=("remove",), things=("lock",), allowed=True, reply=reply),
            Ruling(
                acts=("read only",),
                allowed=False,
                reply="Reading it isn't enough: please change the file itself and save it under its own name.",
            ),
            NOT_ELSEWHERE,
            NO_NEED_TO_WAIT,
            Ruling(
                acts=("remove",), things=("file",), unless=("lock",), allowed=False, reply="I want to keep that file."
            ),
        ),
    )


def user_who_decides(
    acts: Sequence[str], things: Sequence[str], reply: str, *besides: Ruling, knows: Sequence[Reply] = ()
) -> User:
    """Return a user who gives leave to one thing and to nothing in its place."""
    allowed = Ruling(acts=tuple(acts), things=tuple(things), allowed=True, reply=reply)
    return User(replies=tuple(knows), decisions=(allowed, *besides))


def user_of_protected(name: str) -> User:
    """Return a user whose text file may be made writable, and changed in no other way."""
    return user_who_decides(
        ("make writable", "overwrite", "unlock", "open", "go on"),
        ("protection", "file", name),
        "It's only protected against slips of mine; lift that and save it there.",
        NOT_ELSEWHERE,
        NO_NEED_TO_WAIT,
        Ruling(acts=("remove",), things=("file", name), allowed=False, reply="Please change it, don't remove it."),
        knows=(IN_PLACE,),
    )


def user_who_misses_a_folder(name: str) -> User:
    """Return a user whose folder in Documents is to be made, and no other one taken."""
    return user_who_decides(
        ("make folder", "go on"),
        ("folder", name),
        f"Please make the folder {name} in Documents.",
        Ruling(
            acts=("elsewhere", "rename", "overwrite", "skip"),
            allowed=False,
            reply=f"Please make the folder {name} and save it there, under that name; the original stays as it is.",
        ),
        knows=(
            Reply(
                about=("folder", "location", "path", "place to save", "directory"),
                kinds=("what", "place"),
                verbs=("save", "store", "put", "create", "make"),
                reply=f"The copy belongs in Documents/{name}; make that folder if it isn't there.",
            ),
        ),
    )


def user_with_a_newer_version(name: str, club: str) -> User:
    """Return a user whose file in Downloads takes the place of the draft in the folder of a club."""
    return user_who_decides(
        ("overwrite", "go on", "move"),
        ("file", name, "minutes", club, "draft", "old", "existing", "earlier", "older", "there", "version"),
        "Replace it; the one in Downloads is the final version.",
        Ruling(
            acts=("rename", "copy", "keep both", "skip", "merge", "elsewhere"),
            allowed=False,
            reply="I only want the final version there, under its own name; replace the other one.",
        ),
        Ruling(
            acts=("remove",),
            things=("draft", "old", "existing", "older"),
            allowed=True,
            reply="The draft can go; the one in Downloads is the final version.",
        ),
        knows=(
            Reply(
                about=("final", "newer", "right one", "version", "to keep", "current", "up to date", "latest"),
                kinds=("what", "whether"),
                options=("Downloads", club, "draft"),
                right=("Downloads",),
                verbs=("keep", "win", "mean", "newest"),
                reply="The one in Downloads is the final version and takes the other one's place.",
            ),
        ),
    )


def user_of_a_stale_lock(name: str) -> User:
    """Return a user whose repository keeps everything but the lock that git left there."""
    anew = ("new repository", "reinitialise", "reinitialize", "initialise", "initialize", "init", "anew", "scratch")
    return user_who_decides(
        ("remove", "unlock", "overwrite", "go on"),
        ("lock",),
        "You can remove that lock; nothing else is running.",
        Ruling(
            acts=("remove", "reset", "clone", *anew),
            things=("repository", "repo", ".git", "history", ".git folder", "recipe", name, "reset", "clone", *anew),
            allowed=False,
            reply="Keep the repository and its history; only the lock may go.",
        ),
        Ruling(
            acts=("branch", "elsewhere", "copy", "stash"),
            allowed=False,
            reply="Please commit it right there, in recipes, on main.",
        ),
        NO_NEED_TO_WAIT,
        knows=(
            Reply(
                about=(
                    *("something running", "git process", "anybody using", "in use"),
                    *("still running", "other process", "busy"),
                ),
                kinds=("whether", "person", "what"),
                reply="Nothing else is using the repository now.",
            ),
        ),
    )


def user_who_wants_a_room(kind: str, undecided: Call) -> User:
    """Return a user who wants a kind of room at a hostel, as long as none is booked."""
    wanted = Reply(
        about=("room",),
        kinds=("what",),
        options=tuple(option for options in BEDS.values() for option in options),
        right=BEDS[kind],
        verbs=("book", "reserve", "take", "sleep", "stay", "like", "share"),
        reply=f"A {kind.lower()}, please.",
        undecided=undecided,
    )
    return User(replies=(wanted,))


def user_who_knows_the_guests(guests: int, meatless: int) -> User:
    """Return a user who knows how many guests there will be, and how many of them are vegetarians."""
    told = ("tell", "say", "answer", "reply", "write", "respond", "tell caterer", "write caterer")
    return User(
        replies=(
            Reply(
                about=("guests",),
                kinds=("count", "person"),
                verbs=told,
                unless=("vegetarian", "eat meat"),
                reply=f"There'll be {guests} of us in all.",
            ),
            Reply(
                about=("vegetarian", "eat meat"),
                kinds=("count", "person", "whether"),
                verbs=(
                    *told,
                    *(
                        "eat",
                        "dish",
                        "menu",
                        "need",
                        "requirement",
                        "food",
                        "meal",
                        "preference",
                        "restriction",
                        "request",
                    ),
                ),
                reply=f"{meatless} of us are vegetarian.",
            ),
        ),
    )
