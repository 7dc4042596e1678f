"""Tasks on lists that somebody else writes on too."""

from __future__ import annotations

from proctor.suites.parts.news import happens, is_edited, shared_notice
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import FIRST_NAMES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

GROCERIES = ("apples", "bread", "coffee", "eggs", "flour", "lentils", "milk", "rice", "rolled oats", "tomatoes")


def _revert() -> Call:
    # A place is given because what a dialog of the editor covers shines through in the tree.
    return hand.click("Revert", role="push button", at=(0.5, 0.5))


def _add_item(draw: Draw, moved: bool) -> Draft:
    *before, theirs, mine = draw.some(GROCERIES, 6)
    flatmate = draw.choice(FIRST_NAMES)
    path, other = "Documents/shopping.txt", "Documents/packing.txt"
    text, packing = "".join(f"{item}\n" for item in before), "tent\nstove\n"
    changed = path if moved else other
    add = (hand.press("ctrl+End"), hand.type(mine))
    typed = (*add, hand.await_element(f"/{flatmate}/", role="label", timeout_sec=15))
    saved = (hand.press("ctrl+s"), hand.await_saved(path))
    orders = ([theirs, mine], [mine, theirs]) if moved else ([mine],)
    return Draft(
        instruction=f"Please put {mine} at the end of our shopping list, which is open in the text editor, and save "
        f"it. {flatmate} writes on the same list from the other computer.",
        paraphrases=(
            f"Our shopping list (open) lacks {mine}: add it as the last line and save. {flatmate} uses it too.",
        ),
        setup=(
            make.text_file(path, text),
            make.text_file(other, packing),
            make.launch(["mousepad", path], window="shopping.txt"),
        ),
        events=(
            happens(
                f"{flatmate} adds a line",
                is_edited(path, text),
                make.command(["sh", "-c", f"echo '{theirs}' >> {changed}"]),
                shared_notice(f"{flatmate} changed {changed.rpartition('/')[2]}"),
            ),
        ),
        check=expect.all_of(
            [
                expect.any_of([expect.text_is(see.text(path), text + "\n".join(order)) for order in orders]),
                expect.text_is(see.text(other), packing if moved else f"{packing}{theirs}\n"),
            ]
        ),
        expected=(path,),
        solution=(*typed, _revert(), *add, *saved) if moved else (*typed, *saved),
        near_misses=(
            (
                NearMiss(
                    name="the other line written over",
                    moves=(
                        *typed,
                        hand.click("Cancel", role="push button", at=(0.5, 0.5)),
                        hand.press("ctrl+s"),
                        hand.click("/^(Overwrite|Save)$/", role="push button", at=(0.5, 0.5)),
                    ),
                ),
                NearMiss(name="loaded again, and left at that", moves=(*typed, _revert())),
            )
            if moved
            else (
                NearMiss(name="the line of the other list as well", moves=(*typed, hand.type(f"\n{theirs}"), *saved)),
                NearMiss(name="not saved", moves=typed),
            )
        ),
        other_ways=(by_shell("by the command line", f"echo '{mine}' >> {path}"),),
        cheats=(
            by_hand("nothing but the two lines", hand.run_code(f"printf '{theirs}\\n{mine}\\n' > {path}")),
            by_shell("at the top", f"sed -i '1i {mine}' {path}"),
        ),
    )


@template(apps=("mousepad",), level=3, demand="Life/Shopping/Searching")
def one_more_for_the_list(draw: Draw) -> Draft:
    """Somebody adds a line to the list that is being edited."""
    return _add_item(draw, moved=True)


@template(apps=("mousepad",), level=3, demand="Life/Shopping/Searching", twin="one-more-for-the-list")
def one_more_for_our_list(draw: Draw) -> Draft:
    """Somebody adds a line to another list while one is being edited."""
    return _add_item(draw, moved=False)
