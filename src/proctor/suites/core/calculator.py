"""Tasks with calculators, whose results go somewhere."""

from __future__ import annotations

from typing import Any

from proctor.suites.parts.by_the_book import by_the_book
from proctor.suites.parts.files import save_under
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

EDITOR: dict[str, Any] = {"role": "text", "window": "Mousepad"}


@template(apps=("galculator", "mousepad"), level=1, demand="Knowledge/Skills Practice/Math", version=3)
def carry_a_result_over(draw: Draw) -> Draft:
    """A product is worked out with clicks and pasted into a text, one spelled-out step at a time."""
    left, right = draw.randint(23, 98), draw.randint(6, 9)
    thing = draw.choice(("chairs", "tickets", "tiles", "bottles"))
    path = "Documents/order.txt"
    text = f"Number of {thing}:"
    keys = [*str(left), "*", str(right), "="]

    def calculate(buttons: list[str]) -> tuple[Call, ...]:
        return tuple(hand.click(f"/^{_literal(key)}$/", role="toggle button", window="galculator") for key in buttons)

    copy = hand.menu(["Edit", "Copy Display Value"], app="galculator")
    paste = (hand.click(**EDITOR, at=(0.5, 0.5)), hand.press("ctrl+End"), hand.press("ctrl+v"))
    save = hand.press("ctrl+s")
    steps = [{"do": "click", "name": f"/^{_literal(key)}$/", "role": "toggle button"} for key in keys]
    steps += [
        {"do": "click", "name": "Copy Display Value"},
        {"do": "press", "keys": "ctrl+v"},
        {"do": "press", "keys": "ctrl+s"},
    ]
    return Draft(
        instruction=f"In the calculator, click {', '.join(keys[:-1])} and =. Choose Copy Display Value from "
        "its Edit menu. Then click in the text in the Mousepad window, press Ctrl+End, paste with Ctrl+V and "
        "save with Ctrl+S.",
        paraphrases=(
            f"Calculator: click the buttons {' '.join(keys)}, then Edit > Copy Display Value. Mousepad: click "
            "in the text, Ctrl+End, Ctrl+V, Ctrl+S.",
        ),
        setup=(
            make.text_file(path, text),
            make.launch(["mousepad", path], window="order.txt"),
            make.arrange("order.txt", 100, 200, 640, 480),
            make.launch(["galculator"], window="galculator"),
        ),
        check=expect.all_of(
            [expect.text_is(see.text(path), f"{text}{left * right}"), by_the_book(steps, "galculator", "mousepad")]
        ),
        expected=(path,),
        solution=(*calculate(keys), copy, *paste, save),
        near_misses=(
            NearMiss(name="not saved", moves=(*calculate(keys), copy, *paste)),
            NearMiss(name="a wrong digit", moves=(*calculate([*keys[:-2], "5", "="]), copy, *paste, save)),
            NearMiss(
                name="typed without calculating",
                moves=(hand.click(**EDITOR, at=(0.5, 0.5)), hand.press("ctrl+End"), hand.type(str(left * right)), save),
            ),
        ),
        other_ways=(
            by_hand(
                "by way of the beginning", *calculate(keys), copy, paste[0], hand.press("ctrl+Home"), *paste[1:], save
            ),
            by_hand(
                "the text clicked first", hand.click(**EDITOR, at=(0.3, 0.8)), *calculate(keys), copy, *paste, save
            ),
        ),
        cheats=(
            by_shell("by the command line", f"printf ' {left * right}' >> {path}"),
            by_hand(
                "another product pasted, the file put right by the command line",
                *(*calculate(["1", "*", "1", "="]), copy, *paste, save),
                hand.run_code(f"printf '{text} {left * right}' > {path}"),
            ),
            by_hand(
                "the keys clicked, the result typed",
                *(*calculate(keys), *paste[:2], hand.type(str(left * right)), save),
            ),
        ),
    )


@template(apps=("galculator", "mousepad"), level=2, demand="Life/Finance/Transaction Management")
def work_out_the_tip(draw: Draw) -> Draft:
    """The share of each guest, tip included, is added to a note."""
    guests = draw.choice((4, 5, 8))
    percent = draw.choice((10, 15, 20))
    # Chosen so that the share comes out even to the cent.
    bill = draw.randint(20, 60) * guests
    share = bill * (100 + percent) / 100 / guests
    friend = draw.person().split()[0]
    text = f"Dinner with {friend}\nBill: {bill}\nGuests: {guests}\n"
    path = "Documents/dinner.txt"

    def note(amount: float) -> tuple[Call, ...]:
        return (
            hand.click(**EDITOR, at=(0.5, 0.5)),
            hand.press("ctrl+End"),
            hand.type(f"Each pays: {amount:.2f}"),
            hand.press("ctrl+s"),
        )

    reckon = (hand.click(role="text", window="galculator", at=(0.5, 0.5)), hand.type(f"{bill}*1.{percent}/{guests}\n"))
    return Draft(
        instruction=f"The open note has our restaurant bill. We're adding a {percent} % tip and splitting "
        "everything evenly between all the guests. Please add a last line to the note with what each of us "
        'pays, like this: "Each pays: 12.34". Then save it.',
        paraphrases=(
            f"How much does each of us owe with a {percent} % tip? Write it at the end of the open note as "
            '"Each pays: 12.34" (with the right amount) and save.',
        ),
        setup=(
            make.text_file(path, text),
            make.launch(["mousepad", path], window="dinner.txt"),
            make.arrange("dinner.txt", 100, 200, 640, 480),
            make.launch(["galculator"], window="galculator"),
        ),
        check=expect.any_of([expect.text_is(see.text(path), f"{text}Each pays: {shown}") for shown in _ways(share)]),
        expected=(path,),
        solution=(*reckon, *note(share)),
        near_misses=(
            NearMiss(name="without the tip", moves=(*reckon, *note(bill / guests))),
            NearMiss(name="the whole sum", moves=(*reckon, *note(bill * (100 + percent) / 100))),
            NearMiss(name="not saved", moves=(*reckon, *note(share)[:-1])),
        ),
        other_ways=(
            by_shell("by the command line", f"echo 'Each pays: {share:.2f}' >> {path}"),
            by_hand(
                "below an empty line, saved by the menu",
                *(
                    *note(share)[:2],
                    hand.type(f"\nEach pays:  {share:.2f}\n"),
                    hand.menu(["File", "Save"], app="mousepad"),
                ),
            ),
        ),
        cheats=(
            by_shell("nothing left but the line", f"echo 'Each pays: {share:.2f}' > {path}"),
            by_shell(
                "with and without the tip", f"echo 'Each pays: {share:.2f}\nEach pays: {bill / guests:.2f}' >> {path}"
            ),
            by_shell("the example copied", f"echo 'Each pays: 12.34' >> {path}"),
            by_shell("at the top", f"sed -i '1i Each pays: {share:.2f}' {path}"),
        ),
    )


@template(apps=("gnome-calculator", "mousepad"), level=2, demand="Knowledge/Skills Practice/Math", version=4)
def boxes_for_the_move(draw: Draw) -> Draft:
    """A calculation whose result becomes a file of its own."""
    books, records, films = draw.randint(120, 400), draw.randint(30, 90), draw.randint(20, 60)
    total = 2 * books + 3 * records + films
    path = "Documents/weight.txt"

    def result(number: int, where: str = path) -> tuple[Call, ...]:
        return (
            hand.click(**EDITOR, at=(0.5, 0.5)),
            hand.type(str(number)),
            hand.press("ctrl+s"),
            *save_under(where),
        )

    reckon = (hand.type(f"2*{books}+3*{records}+{films}\n"),)
    return Draft(
        instruction=f"The movers want a rough weight: {books} books at 2 units each, {records} records at 3 "
        f"and {films} DVDs at 1. Please work out the total and save just that number as weight.txt in "
        "Documents.",
        paraphrases=(
            f"What's {books} x 2 + {records} x 3 + {films} x 1? Put the result in Documents/weight.txt, only "
            "the number.",
        ),
        setup=(
            make.launch(["mousepad"], window="Untitled"),
            make.arrange("Untitled", 100, 200, 640, 480),
            make.launch(["gnome-calculator"], window="Calculator"),
        ),
        check=expect.text_number(see.text(path), total, alone=True),
        expected=(path,),
        solution=(*reckon, *result(total)),
        near_misses=(
            NearMiss(name="only counted", moves=(*reckon, *result(books + records + films))),
            NearMiss(name="another name", moves=(*reckon, *result(total, "Documents/weights.txt"))),
        ),
        other_ways=(
            by_shell("by the command line", f"echo $((2*{books}+3*{records}+{films})) > {path}"),
            by_python("by a script, with a mark between thousands", f"open({path!r}, 'w').write(f'{{{total}:,}}')"),
        ),
        cheats=(
            by_shell("the sum not worked out", f"echo '2*{books}+3*{records}+{films}' > {path}"),
            by_shell("in a sentence that denies it", f"echo 'It is not {total}.' > {path}"),
            by_shell("several numbers", f"echo '{total - 1} {total} {total + 1}' > {path}"),
            by_shell("each part by itself", f"printf '{2 * books}\\n{3 * records}\\n{films}\\n' > {path}"),
        ),
    )


def _ways(amount: float) -> tuple[str, ...]:
    """Return how an amount may be written."""
    exact = f"{amount:.2f}"
    return tuple(dict.fromkeys((exact, f"{amount:g}")))


def _literal(key: str) -> str:
    return f"[{key}]" if key in "*+." else key
