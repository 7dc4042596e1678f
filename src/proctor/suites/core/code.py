"""Tasks on code and plain text in Geany and gedit."""

from __future__ import annotations

import re
from dataclasses import dataclass

from proctor.suites.parts.by_the_book import by_the_book
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Admission, Draft, NearMiss, Way
from proctor.tasks.template import template

SOURCE = "Projects/till/till.py"
WORDS_FILE = "Documents/words.txt"


@dataclass(frozen=True)
class Bug:
    """A function with a mistake: where it is, how it would be right, how it would still be wrong."""

    function: str
    complaint: str
    lines: tuple[str, ...]
    line: int
    """Number of the wrong line, from 1."""
    right: str
    wrong: str
    anew: str
    """All of the function in another manner."""
    cases: tuple[tuple[list[object], object], ...]
    never: tuple[tuple[list[object], object], ...] = ()
    """What it must not return."""


BUGS = (
    Bug(
        "total",
        "total() should add up all prices, but it returns only the last one",
        (
            "def total(prices):",
            "    result = 0",
            "    for price in prices:",
            "        result = price",
            "    return result",
        ),
        4,
        "        result = result + price",
        "        result = result - price",
        "def total(prices):\n    return sum(prices)",
        (([[1, 2, 3]], 6), ([[]], 0), ([[2.5, 2.5]], 5), ([[3, 10, 4.5, 4.5]], 22), ([[0.1, 0.2]], 0.3)),
    ),
    Bug(
        "change",
        "change() should say how much the customer gets back, but the result is always negative",
        ("def change(price, given):", "    # What the customer gets back.", "    return price - given"),
        3,
        "    return given - price",
        "    return price + given",
        "def change(price, given):\n    back = given\n    back -= price\n    return back",
        (([3, 10], 7), ([5, 5], 0), ([12.5, 20], 7.5)),
        # Whoever gave too little gets nothing back.
        (([10, 3], 7),),
    ),
    Bug(
        "dearest",
        "dearest() should return the highest price, but it gives me the lowest",
        ("def dearest(prices):", "    ordered = sorted(prices)", "    return ordered[0]"),
        3,
        "    return ordered[-1]",
        "    return ordered[1]",
        "def dearest(prices):\n    return max(prices)",
        (([[3, 9, 4]], 9), ([[7]], 7), ([[2, 1, 5, 8]], 8), ([[2.5, 1.25]], 2.5)),
    ),
    Bug(
        "with_discount",
        "with_discount() should take the percentage off the price, but it adds it",
        ("def with_discount(price, percent):", "    part = price * percent / 100", "    return price + part"),
        3,
        "    return price - part",
        "    return part",
        "def with_discount(price, percent):\n    return price * (100 - percent) / 100",
        (([100, 20], 80), ([50, 10], 45), ([80, 0], 80), ([12.5, 10], 11.25)),
    ),
    Bug(
        "count_cheap",
        "count_cheap() should count prices below the limit, but it also counts those that are equal to it",
        (
            "def count_cheap(prices, limit):",
            "    cheap = [price for price in prices",
            "             if price <= limit]",
            "    return len(cheap)",
        ),
        3,
        "             if price < limit]",
        "             if price > limit]",
        "def count_cheap(prices, limit):\n    return sum(1 for price in prices if price < limit)",
        (([[1, 2, 3], 3], 2), ([[5], 5], 0), ([[1, 1, 9], 4], 2), ([[2.5, 3.0], 3], 1)),
    ),
)
BEFORE = '"""The till of the shop."""\n\n\ndef greeting(name):\n    return f"Good morning, {name}!"\n\n\n'
FIRST_LINE = BEFORE.count("\n")


@template(apps=("geany",), level=2, demand="Knowledge/Skills Practice/Coding", version=4)
def fix_the_till(draw: Draw) -> Draft:
    """A small bug in a Python function is fixed."""
    bug = draw.choice(BUGS)
    other = draw.choice([each for each in BUGS if each is not bug])
    code = BEFORE + "\n".join(bug.lines) + "\n\n\n" + "\n".join(other.lines) + "\n"
    person = draw.person().split()[0]

    def rewrite(text: str, line: int = FIRST_LINE + bug.line) -> tuple[Call, ...]:
        return (
            hand.press("ctrl+l"),
            hand.await_window("Go to Line"),
            hand.type(f"{line}\n"),
            hand.await_window("Go to Line", gone=True),
            hand.press("End"),
            # Back to where the indentation ends.
            hand.press("shift+Home"),
            hand.type(text.lstrip()),
        )

    save = hand.press("ctrl+s")
    arguments = [case for case, _ in bug.cases]
    return Draft(
        instruction=f"There's a bug in {SOURCE} (open in Geany): {bug.complaint}. Can you fix that function and save? "
        "Leave the other functions alone, I'm still working on them.",
        paraphrases=(f"Please fix {bug.function}() in {SOURCE} and save the file: {bug.complaint}.",),
        setup=(make.text_file(SOURCE, code), make.launch(["geany", SOURCE], window="till.py")),
        check=expect.all_of(
            [
                expect.returns(see.python_results(SOURCE, bug.function, arguments), [value for _, value in bug.cases]),
                expect.returns(see.python_results(SOURCE, "greeting", [[person]]), [f"Good morning, {person}!"]),
                expect.code_kept(see.text(SOURCE), see.before(SOURCE), [bug.function]),
                *_unspoilt(bug),
            ]
        ),
        expected=(SOURCE,),
        may_differ=(Admission(which="*: a comment at its end", why="Nobody asked for remarks in the code."),),
        solution=(*rewrite(bug.right), save),
        near_misses=(
            NearMiss(name="not saved", moves=rewrite(bug.right)),
            NearMiss(name="still wrong", moves=(*rewrite(bug.wrong), save)),
            NearMiss(
                name="another function as well",
                moves=(
                    *rewrite(bug.right),
                    *rewrite(other.right, FIRST_LINE + len(bug.lines) + 2 + other.line),
                    save,
                ),
            ),
        ),
        other_ways=_ways_to_fix(bug),
        cheats=_cheats_at_the_till(bug, other),
    )


def _unspoilt(bug: Bug) -> list[Call]:
    """Check that nothing was fixed by halves: no wrong line is left, and no mistake replaces it."""
    left = expect.text_matches(see.text(SOURCE), re.escape("\n".join(bug.lines)) + "$")
    returned = [expect.returns(see.python_results(SOURCE, bug.function, [case]), [value]) for case, value in bug.never]
    return [
        expect.none_of([left], f"{SOURCE} still has the wrong {bug.function}() in it."),
        *(expect.none_of([each], f"{bug.function}() is still wrong in other cases.") for each in returned),
    ]


def _replace_by_script(old: str, new: str) -> Call:
    """Return the move that replaces a piece of the source by a script."""
    return hand.run_code(
        f"import pathlib\nfile = pathlib.Path({SOURCE!r})\n"
        f"file.write_text(file.read_text().replace({old!r}, {new!r}))\n",
        "python",
    )


def _ways_to_fix(bug: Bug) -> tuple[Way, ...]:
    lines = "\n".join(bug.lines)
    return (
        by_shell("by the command line", f"sed -i '{FIRST_LINE + bug.line}s/.*/{bug.right}/' {SOURCE}"),
        by_hand("written in another manner", _replace_by_script(lines, bug.anew)),
    )


def _cheats_at_the_till(bug: Bug, other: Bug) -> tuple[Way, ...]:
    head, lines = bug.lines[0], "\n".join(bug.lines)
    fixed = lines.replace(bug.lines[bug.line - 1], bug.right)
    return (
        by_hand("one answer for everything", _replace_by_script(lines, f"{head}\n    return {bug.cases[0][1]}")),
        by_python("nothing else left", f"open({SOURCE!r}, 'w').write({fixed + chr(10)!r})\n"),
        by_hand(
            "fixed, the other function thrown out",
            *(
                _replace_by_script(lines, fixed),
                _replace_by_script("\n".join(other.lines), f"{other.lines[0]}\n    pass"),
            ),
        ),
        by_hand(
            "fixed, another function doubled", _replace_by_script(lines, f"{fixed}\n\n\n" + "\n".join(other.lines))
        ),
        by_python(
            "a right one below the wrong one", f"open({SOURCE!r}, 'a').write({chr(10) * 2 + fixed + chr(10)!r})\n"
        ),
        by_hand("only the complaint written beside it", _replace_by_script(lines, f"# {bug.complaint}\n{lines}")),
    )


@template(apps=("geany",), level=1, demand="Knowledge/Skills Practice/Coding", version=2)
def replace_step_by_step(draw: Draw) -> Draft:
    """A name is replaced throughout a file in Geany, one spelled-out step at a time."""
    old, new = draw.some(("amount", "price", "value", "total", "figure", "charge"), 2)
    places = draw.randint(3, 5)
    body = [f"def step_{number}({old}):\n    return {old} * {draw.randint(2, 9)}\n" for number in range(places)]
    code = "\n\n".join(body)

    def steps(*chosen: Call) -> tuple[Call, ...]:
        return (
            hand.menu(["Search", "Replace..."]),
            hand.await_window("Replace"),
            hand.type_into(old, role="text", window="/^Replace$/", nth=0),
            hand.type_into(new, role="text", window="/^Replace$/", nth=1),
            *chosen,
            hand.press("ctrl+s"),
        )

    # Unfolded by its arrow; the dialog closes itself after it has replaced everything.
    everywhere = (
        hand.click("Replace All", role="toggle button", at=(0.02, 0.5)),
        hand.click("In Document", role="push button"),
        hand.await_window("/^Replace$/", gone=True),
    )
    once = (hand.click("Replace & Find", role="push button", window="/^Replace$/"), hand.press("Escape"))
    return Draft(
        instruction=f'In Geany, open the Search menu and choose "Replace...". Type "{old}" into "Search for" '
        f'and "{new}" into "Replace with". Click "Replace All" to unfold it, then click "In Document". '
        "Finally, press Ctrl+S.",
        paraphrases=(
            f'Geany: Search > Replace..., search for "{old}", replace with "{new}", unfold "Replace All", '
            'click "In Document", press Ctrl+S.',
        ),
        setup=(make.text_file(SOURCE, code), make.launch(["geany", SOURCE], window="till.py")),
        check=expect.all_of(
            [
                expect.text_is(see.text(SOURCE), code.replace(old, new)),
                by_the_book(
                    [
                        {"do": "click", "name": "Replace...", "menu": "Search"},
                        {"do": "type", "text": old},
                        {"do": "type", "text": new},
                        {"do": "click", "name": "In Document"},
                        {"do": "press", "keys": "ctrl+s"},
                    ],
                    "geany",
                ),
            ]
        ),
        expected=(SOURCE,),
        solution=steps(*everywhere),
        may_differ=(
            Admission(
                which=f"{SOURCE}: a comment at its end", why="The steps say all that is to be typed; a comment is not."
            ),
        ),
        near_misses=(
            NearMiss(name="only the first one", moves=steps(*once)),
            NearMiss(name="not saved", moves=steps(*everywhere)[:-1]),
        ),
        other_ways=(
            by_hand(
                "from field to field by the Tab key",
                *(*steps()[:3], hand.press("Tab"), hand.type(new), *everywhere, hand.press("ctrl+s")),
            ),
            by_hand(
                "the dialog closed and opened once more",
                *(*steps()[:2], hand.press("Escape"), *steps(*everywhere)),
            ),
        ),
        cheats=(
            by_shell("by the command line", f"sed -i 's/{old}/{new}/g' {SOURCE}"),
            by_hand(
                "the dialog filled in and left, the file changed by the command line",
                *(*steps()[:4], hand.press("Escape"), hand.run_code(f"sed -i 's/{old}/{new}/g' {SOURCE}")),
            ),
        ),
    )


WORDS = (
    ("house", "casa"), ("bread", "pane"), ("window", "finestra"), ("road", "strada"), ("evening", "sera"),
    ("apple", "mela"), ("bridge", "ponte"), ("letter", "lettera"), ("winter", "inverno"), ("key", "chiave"),
)  # fmt: skip
WALKED_OVER = ("qqqwwws", "ll;;;kk", "zzxxcvb", "0099iiu", "ghghghh")


@template(apps=("gedit",), level=3, demand="Knowledge/Skills Practice/Languages")
def after_the_cat(draw: Draw) -> Draft:
    """A word is corrected in a file whose open, unsaved copy has been spoilt by a cat."""
    chosen = draw.some(WORDS, 7)
    place = draw.randrange(7)
    english, italian = chosen[place]
    confused = chosen[(place + 3) % 7][1]
    listed = [f"{one} = {confused if number == place else other}" for number, (one, other) in enumerate(chosen)]
    text = "\n".join(listed) + "\n"
    after = "\n".join(f"{one} = {other}" for one, other in chosen) + "\n"
    noise = draw.choice(WALKED_OVER)
    down = draw.randint(1, 5)

    correct = (
        hand.press("ctrl+Home"),
        *((hand.press("Down", times=place),) if place else ()),
        hand.press("End"),
        hand.press("shift+Home"),
        hand.type(f"{english} = {italian}"),
    )
    save = hand.press("ctrl+s")
    undone = hand.press("ctrl+z", times=5)
    return Draft(
        instruction=f"The cat just walked across my keyboard while my Italian word list, {WORDS_FILE}, was "
        f'open in gedit. None of what it typed should end up in the file. Also, one word is wrong: "{english}" '
        f'is "{italian}" in Italian. Please correct that and save the list.',
        paraphrases=(
            f'Change the Italian for "{english}" to "{italian}" in {WORDS_FILE} and save it. The copy '
            "that's open in gedit has some rubbish in it that my cat typed since I last saved. Make sure that "
            "doesn't end up in the file.",
        ),
        setup=(
            make.text_file(WORDS_FILE, text),
            make.launch(["gedit", WORDS_FILE], window="words.txt"),
            make.unsaved_typing("words.txt", noise, ["Down"] * down + ["End"]),
        ),
        check=expect.text_is(see.text(WORDS_FILE), after),
        expected=(WORDS_FILE,),
        solution=(undone, *correct, save),
        near_misses=(
            NearMiss(name="saved with what the cat typed", moves=(*correct, save)),
            NearMiss(name="the word left wrong", moves=(undone, save)),
            NearMiss(name="not saved", moves=(undone, *correct)),
        ),
        other_ways=(
            by_shell("by the command line", f"sed -i 's/^{english} = .*/{english} = {italian}/' {WORDS_FILE}"),
            by_hand("all of it typed anew", hand.press("ctrl+a"), hand.type(after.strip()), save),
        ),
        cheats=(
            by_shell("nothing but the word", f"echo '{english} = {italian}' > {WORDS_FILE}"),
            by_shell("the right word at the end", f"echo '{english} = {italian}' >> {WORDS_FILE}"),
            by_shell("the word everywhere", f"sed -i 's/= .*/= {italian}/' {WORDS_FILE}"),
            by_hand("the cat's text left", *correct, save),
        ),
    )
