"""Other ways to do a task, and ways to cheat at it, in few words."""

from __future__ import annotations

from proctor.suites.parts.programs import start_program
from proctor.tasks.call import Call
from proctor.tasks.shelves import hand
from proctor.tasks.task import Way


def by_shell(name: str, *commands: str) -> Way:
    """Return a way that runs commands in the home folder, one after another.

    One that fails ends it with an error.
    """
    return Way(name=name, moves=(hand.run_code(" && ".join(commands)),))


def by_python(name: str, code: str) -> Way:
    """Return a way that runs Python code as the agent would, in the home folder."""
    return Way(name=name, moves=(hand.run_code(code, "python"),))


def by_hand(name: str, *moves: Call) -> Way:
    """Return a way of moves on the desktop."""
    return Way(name=name, moves=moves)


ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def in_words(number: int) -> str:
    """Return a number below a thousand as it is written in words."""
    if number < len(ONES):
        return ONES[number]
    if number < 100:
        return TENS[number // 10] + (f"-{ONES[number % 10]}" if number % 10 else "")
    rest = f" and {in_words(number % 100)}" if number % 100 else ""
    return f"{ONES[number // 100]} hundred{rest}"


def by_pillow(name: str, source: str, target: str, change: str, how: str = "") -> Way:
    """Return a way that makes one picture of another as `repaint` does."""
    return by_hand(name, repaint(source, target, change, how))


def repaint(source: str, target: str, change: str, how: str = "") -> Call:
    """Return the move that makes a picture with Pillow: `change` is an expression over `picture`.

    Folders on the way to the target are made; `how` is given to the function that saves.
    """
    code = (
        "import os\nfrom PIL import Image, ImageOps\n"
        f"os.makedirs(os.path.dirname({target!r}), exist_ok=True)\n"
        f"picture = Image.open({source!r})\npicture.load()\n"
        f"({change}).save({target!r}{', ' * bool(how)}{how})\n"
    )
    return hand.run_code(code, "python")


def to_clipboard(name: str, command: str) -> Way:
    """Return a way that puts what a command prints on the clipboard."""
    return by_shell(name, f"{command} | xclip -selection clipboard > /dev/null 2>&1")


def typed_and_copied(name: str, text: str) -> Way:
    """Return a way that types a text into an editor, copies it there and leaves it unsaved."""
    return by_hand(
        name, *start_program("mousepad", "Untitled"), hand.type(text), hand.press("ctrl+a"), hand.press("ctrl+c")
    )
