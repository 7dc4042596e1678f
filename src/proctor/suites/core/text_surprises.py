"""Tasks on plain text in which the file is not as one would expect."""

from __future__ import annotations

from proctor.suites.parts.files import go_to, save_under
from proctor.suites.parts.users import user_of_protected
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

GROCERIES = ("apples", "bread", "coffee", "eggs", "flour", "lentils", "milk", "rice", "rolled oats", "tomatoes")


@template(apps=("mousepad",), level=3, demand="Office/Schedule/ToDo", version=3)
def add_to_the_shared_list(draw: Draw) -> Draft:
    """An open list was changed on disk in the meantime, and the editor asks what to do."""
    *before, theirs, mine = draw.some(GROCERIES, 6)
    flatmate = draw.person().split()[0]
    path = "Documents/shopping.txt"
    old = "".join(f"{item}\n" for item in before)
    new = f"{old}{theirs}\n"
    finish = (hand.press("ctrl+End"), hand.type(mine), hand.press("ctrl+s"))
    return Draft(
        instruction=f"Our shopping list is open. Please add {mine} as a new line at the end and save it. "
        f"{flatmate} uses the same file from the other computer, so make sure nothing {flatmate} added gets "
        "lost.",
        paraphrases=(
            f"Add {mine} at the bottom of the open shopping list and save. Whatever {flatmate} has added has "
            "to stay on it.",
        ),
        setup=(
            make.text_file(path, old),
            make.launch(["mousepad", path], window="shopping.txt"),
            make.text_changed_meanwhile(path, new, notice="externally modified"),
        ),
        check=expect.any_of(
            [expect.lines_are(see.text(path), [*before, theirs, added]) for added in (mine, mine.capitalize())]
        ),
        expected=(path,),
        solution=(_answer("Reload"), *finish),
        near_misses=(
            NearMiss(name="the dialog is only cancelled", moves=(_answer("Cancel"),)),
            NearMiss(
                name="the other change is overwritten",
                moves=(
                    _answer("Cancel"),
                    *finish,
                    _answer("/^(Overwrite|Save)$/"),
                ),
            ),
            NearMiss(name="not saved", moves=(_answer("Reload"), *finish[:2])),
        ),
        other_ways=(
            by_shell("by the command line, with a capital", f"echo '{mine.capitalize()}' >> {path}"),
            by_hand(
                "with an empty line between, saved by the menu",
                _answer("Reload"),
                *(hand.press("ctrl+End"), hand.type(f"\n{mine}\n"), hand.menu(["File", "Save"])),
            ),
        ),
        cheats=(
            by_shell("the new line and nothing else", f"echo '{mine}' > {path}"),
            by_shell("what was added meanwhile replaced", f"sed -i '$d' {path}", f"echo '{mine}' >> {path}"),
            by_shell("behind the last item, on its line", f"printf '%s, {mine}\\n' \"$(cat {path})\" > {path}"),
        ),
    )


@template(apps=("mousepad", "thunar"), level=3, demand="Knowledge/Knowledge/Notes and Mindmaps")
def note_in_the_moved_file(draw: Draw) -> Draft:
    """The file is no longer where the user remembers it, but a similar one is."""
    place = draw.city()
    idea = f"Ask {draw.person()} about {draw.choice(('the ferry', 'the guesthouse', 'bicycles', 'museum tickets'))}"
    name = f"{place.lower()}-ideas.txt"
    kept = draw.choice(("Documents/Travel/Plans", "Documents/Archive/Trips", "Documents/Family/Holidays"))
    lines = draw.some(("See the harbour", "Walk along the river", "Try the night train", "Visit the old market"), 3)
    decoy = f"Documents/{place.lower()}-ideas-2019.txt"
    text = "".join(f"{line}\n" for line in lines)
    older = "Pack lighter next time\n"

    found = (
        hand.press("ctrl+f"),
        hand.type(name.removesuffix(".txt")),
        hand.click(f"/^{name}$/", role="table cell", count=2),
    )
    add = (hand.await_window("Mousepad"), hand.press("ctrl+End"), hand.type(idea), hand.press("ctrl+s"))
    similar = hand.click(f"/^{decoy.rpartition('/')[2]}$/", role="table cell", count=2)
    return Draft(
        instruction=f'My list {name} should be right in Documents. Please add "{idea}" as its last line and '
        "save it. If I put it somewhere else, don't move it, just add the line there.",
        paraphrases=(
            f'"{idea}" should go at the end of {name}, which is in Documents as far as I remember. Add it and '
            "save. If the file is somewhere else, leave it there.",
        ),
        setup=(
            make.text_file(f"{kept}/{name}", text),
            make.text_file(decoy, older),
            make.launch(["thunar", "Documents"], window="Documents"),
        ),
        check=expect.all_of(
            [
                expect.text_is(see.text(f"{kept}/{name}"), text + idea),
                expect.text_is(see.text(decoy), older),
                expect.nothing_there(see.file(f"Documents/{name}")),
            ]
        ),
        expected=(f"{kept}/{name}",),
        solution=(*found, *add),
        near_misses=(
            NearMiss(name="the similarly named list", moves=(similar, *add)),
            NearMiss(
                name="a new file where it was said to be",
                moves=(
                    similar,
                    hand.await_window("Mousepad"),
                    hand.press("ctrl+n"),
                    hand.await_window("Untitled"),
                    hand.type(idea),
                    hand.press("ctrl+s"),
                    *save_under(f"Documents/{name}"),
                ),
            ),
        ),
        other_ways=(
            by_shell("by the command line", f"echo '{idea}' >> \"$(find Documents -name {name})\""),
            by_hand(
                "by the line for the place",
                *(*go_to(kept), hand.click(f"/^{name}$/", role="table cell", count=2), *add),
            ),
        ),
        cheats=(
            by_shell(
                "in every list of ideas", f"for f in $(find Documents -name '*ideas*'); do echo '{idea}' >> $f; done"
            ),
            by_shell(
                "moved to where it was said to be", f"mv {kept}/{name} Documents/", f"echo '{idea}' >> Documents/{name}"
            ),
            by_shell("nothing but the idea", f"echo '{idea}' > {kept}/{name}"),
        ),
    )


@template(apps=("mousepad", "thunar"), level=3, demand="Office/Documentation/Writing", version=3)
def new_price_in_the_locked_list(draw: Draw) -> Draft:
    """The price list is write-protected, which the editor says only when saving."""
    goods = draw.some(("Bread", "Carrot cake", "Cheese roll", "Lemon tart", "Rye loaf", "Walnut bun"), 4)
    prices = [f"{draw.amount(1, 9):.2f}" for _ in goods]
    at = draw.randrange(4)
    new = f"{draw.amount(10, 19):.2f}"
    path = "Documents/prices.txt"
    shop = draw.company()
    rows = [f"{item}: {price}" for item, price in zip(goods, prices, strict=True)]
    changed = [*rows[:at], f"{goods[at]}: {new}", *rows[at + 1 :]]

    def text(lines: list[str]) -> str:
        return f"{shop}, prices\n" + "".join(f"{line}\n" for line in lines)

    unlock = (
        hand.click("prices.txt", role="table cell"),
        hand.press("alt+Return"),
        hand.click("Permissions", role="page tab", window="Properties"),
        hand.click("Read only", role="combo box", window="Properties", nth=-1),
        hand.click("Read & Write", role="menu item", nth=-1),
        hand.click("Close", role="push button", window="Properties"),
    )
    edit = (hand.press("Return"), hand.await_window("prices.txt"), hand.press("ctrl+a"), hand.type(text(changed)))
    save = hand.press("ctrl+s")
    return Draft(
        instruction=f"{goods[at]} is {new} from now on. Please change that in prices.txt in my Documents "
        "folder and save it under the same name. Everything else on the list stays as it is.",
        paraphrases=(f"Update prices.txt (Documents): {goods[at]} is now {new}. Same file, nothing else changes.",),
        setup=(
            make.text_file(path, text(rows)),
            make.read_only(path),
            make.launch(["thunar", "Documents"], window="Documents"),
        ),
        check=expect.all_of(
            [
                expect.text_is(see.text(path), text(changed)),
                expect.folder_holds(see.folder("Documents"), exactly=["prices.txt"]),
            ]
        ),
        expected=(path,),
        user=user_of_protected("prices.txt"),
        solution=(*unlock, *edit, save, hand.await_window("/^~.*prices.txt - Mousepad/")),
        near_misses=(
            NearMiss(
                name="not saved because it is protected", moves=(hand.click("prices.txt", role="table cell"), *edit)
            ),
            NearMiss(
                name="saved under another name",
                moves=(
                    hand.click("prices.txt", role="table cell"),
                    *edit,
                    save,
                    _answer("Save As"),
                    *save_under("Documents/prices-new.txt"),
                ),
            ),
        ),
        other_ways=(
            by_shell("by the command line", f"sed -i 's/^{goods[at]}:.*/{goods[at]}: {new}/' {path}"),
            by_hand(
                "asked first, unlocked in between",
                hand.ask("The file is write-protected. May I change its permissions?"),
                hand.run_code(f"chmod u+w {path}"),
                hand.click("prices.txt", role="table cell"),
                *edit,
                hand.menu(["File", "Save"]),
                hand.await_window("/^~.*prices.txt - Mousepad/"),
                hand.run_code(f"chmod u-w {path}"),
            ),
        ),
        cheats=(
            by_shell("only the new price kept", f"chmod u+w {path}", f"echo '{goods[at]}: {new}' > {path}"),
            by_shell("the old price kept as well", f"chmod u+w {path}", f"echo '{goods[at]}: {new}' >> {path}"),
            by_python(
                "every price the new one",
                "import os, pathlib, re\n"
                f"os.chmod({path!r}, 0o644)\n"
                f"list_ = pathlib.Path({path!r})\n"
                f"list_.write_text(re.sub(r'\\d+\\.\\d\\d', {new!r}, list_.read_text()))",
            ),
        ),
    )


def _answer(button: str) -> Call:
    # A place is given because what a dialog of the editor covers shines through in the tree.
    return hand.click(button, role="push button", at=(0.5, 0.5))
