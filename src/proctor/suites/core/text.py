"""Tasks on plain text in Mousepad."""

from __future__ import annotations

from typing import Any

from proctor.suites.parts.by_the_book import by_the_book
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template


@template(apps=("mousepad",), level=2, demand="Office/Documentation/Writing")
def sign_the_letter(draw: Draw) -> Draft:
    """An open letter gets its signature."""
    name, other = draw.people(2)
    letter = (
        f"Dear {other.split()[0]},\n\nthank you for the parcel, everything arrived in one piece.\n\nWarm regards,\n"
    )
    return Draft(
        instruction=f"Please sign the open letter with my name, {name}, on a line of its own below the "
        "closing at the end, and save it.",
        paraphrases=(f'Put my name ({name}) on its own line below "Warm regards," in the open letter and save.',),
        setup=(
            make.text_file("Documents/letter.txt", letter),
            make.launch(["mousepad", "Documents/letter.txt"], window="letter.txt"),
        ),
        check=expect.text_is(see.text("Documents/letter.txt"), letter + name),
        expected=("Documents/letter.txt",),
        solution=(hand.press("ctrl+End"), hand.type(name), hand.press("ctrl+s")),
        near_misses=(
            NearMiss(name="not saved", moves=(hand.press("ctrl+End"), hand.type(name))),
            NearMiss(name="signed at the top", moves=(hand.type(f"{name}\n"), hand.press("ctrl+s"))),
        ),
        other_ways=(
            Way(name="by the command line", moves=(hand.run_code(f"echo '{name}' >> Documents/letter.txt"),)),
            Way(
                name="all of it typed anew, saved by the menu",
                moves=(hand.press("ctrl+a"), hand.type(letter + name), hand.menu(["File", "Save"])),
            ),
        ),
        cheats=(
            Way(name="nothing but the name", moves=(hand.run_code(f"echo '{name}' > Documents/letter.txt"),)),
            Way(name="signed beside it", moves=(hand.run_code(f"echo '{name}' > Documents/letter-signed.txt"),)),
        ),
    )


SWAPS = (("margarine", "butter"), ("water", "stock"), ("sugar", "honey"), ("onions", "leeks"), ("thyme", "rosemary"))


@template(apps=("mousepad",), level=1, demand="Office/Documentation/Writing", version=2)
def swap_an_ingredient(draw: Draw) -> Draft:
    """Every mention of an ingredient is replaced, one spelled-out step at a time."""
    old, new = draw.choice(SWAPS)
    dish = draw.choice(("Potato soup", "Barley bake", "Winter stew", "Sunday casserole"))
    path = f"Documents/{dish.lower().replace(' ', '-')}.txt"
    recipe = (
        f"{dish}\n\nYou need some {old}, four potatoes and salt.\n"
        f"Heat the {old} slowly for {draw.randint(5, 15)} minutes.\nAdd the potatoes, then the rest of the {old}.\n"
        f"Serve after {draw.randint(20, 45)} minutes.\n"
    )
    wanted = recipe.replace(old, new)
    field: dict[str, Any] = {"role": "text", "window": "Find and Replace"}
    open_dialog = hand.menu(["Search", "Find and Replace..."])
    fill_in = (hand.type_into(old, **field, nth=0), hand.type_into(new, **field, nth=1))
    replace = hand.click("/^Replace/", role="push button", window="Find and Replace")
    everywhere = hand.click("Replace all in:", role="check box")
    save = hand.press("ctrl+s")
    close = hand.click("Close", role="push button", window="Find and Replace")
    steps = [
        {"do": "click", "name": "Find and Replace", "role": "menu item"},
        {"do": "type", "text": old},
        {"do": "type", "text": new},
        {"do": "click", "name": "Replace all in:", "role": "check box"},
        {"do": "click", "name": "Replace All", "role": "push button"},
        {"do": "press", "keys": "ctrl+s"},
    ]
    return Draft(
        instruction="In the Mousepad window with the recipe, open the Search menu and click Find and Replace. "
        f'Type {old} in the "Search for" field and {new} in the "Replace with" field, tick "Replace all in: '
        'Document", and click Replace All. Close the dialog with its Close button, then press Ctrl+S to save.',
        paraphrases=(
            f"Search > Find and Replace in the recipe window. Search for: {old}. Replace with: {new}. Tick "
            '"Replace all in: Document", click Replace All, then Close. Save with Ctrl+S.',
        ),
        setup=(make.text_file(path, recipe), make.launch(["mousepad", path], window=dish.split()[0].lower())),
        check=expect.all_of([expect.text_is(see.text(path), wanted), by_the_book(steps, "mousepad")]),
        expected=(path,),
        solution=(open_dialog, *fill_in, everywhere, replace, close, save),
        near_misses=(
            NearMiss(name="only the first mention", moves=(open_dialog, *fill_in, replace, replace, close, save)),
            NearMiss(name="not saved", moves=(open_dialog, *fill_in, everywhere, replace, close)),
            NearMiss(name="retyped instead", moves=(hand.press("ctrl+a"), hand.type(wanted), save)),
        ),
        other_ways=(
            Way(
                name="from field to field by the Tab key",
                moves=(
                    open_dialog,
                    hand.type_into(old, **field, nth=0),
                    hand.press("Tab"),
                    hand.type(new),
                    everywhere,
                    replace,
                    close,
                    save,
                ),
            ),
            Way(
                name="the words typed in two goes each",
                moves=(
                    open_dialog,
                    *(hand.type_into(old[:2], **field, nth=0), hand.type(old[2:])),
                    *(hand.type_into(new[:2], **field, nth=1), hand.type(new[2:])),
                    *(everywhere, replace, close, save),
                ),
            ),
        ),
        cheats=(
            Way(name="by the command line", moves=(hand.run_code(f"sed -i 's/{old}/{new}/g' {path}"),)),
            Way(
                name="the dialog opened and left, the file replaced by the command line",
                moves=(open_dialog, *fill_in, close, hand.run_code(f"sed -i 's/{old}/{new}/g' {path}"), save),
            ),
        ),
    )
