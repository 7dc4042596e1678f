"""Tasks on folders whose files somebody else still works on."""

from __future__ import annotations

from proctor.suites.parts.files import copy_to, go_to, select
from proctor.suites.parts.news import happens, shared_notice
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import FIRST_NAMES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template


def _courier(draw: Draw, moved: bool) -> Draft:
    colleague, guest = draw.some(FIRST_NAMES, 2)
    wanted, second, other = (f"{name}.txt" for name in draw.some(("plan", "menu", "rota", "budget", "route"), 3))
    texts = {
        name: f"{name.removesuffix('.txt').capitalize()} of {draw.randint(2, 11)} March\n"
        for name in (wanted, second, other)
    }
    line = f"{guest} comes as well"
    changed = wanted if moved else other
    now = {**texts, changed: f"{texts[changed]}{line}\n"}
    copied = (*copy_to("Outbox", wanted, second), hand.await_element(f"/{colleague}/", role="label", timeout_sec=15))

    def copy_again(name: str) -> tuple[Call, ...]:
        replaced = (hand.click("/^_?Replace$/", role="push button"), hand.await_saved(f"Outbox/{name}"))
        taken = (*go_to("Documents"), *select(name), hand.press("ctrl+c"), *go_to("Outbox"), hand.press("ctrl+v"))
        return (*taken, *(replaced if name == wanted else (hand.await_file(f"Outbox/{name}"),)))

    return Draft(
        instruction=f"Please put copies of {wanted} and {second} from Documents into Outbox, just as {colleague} has "
        "them. The courier picks up the folder tonight.",
        paraphrases=(
            f"Copy Documents/{wanted} and Documents/{second}, in {colleague}'s version, to the folder Outbox for the "
            "courier.",
        ),
        setup=(
            make.folder("Outbox"),
            *(make.text_file(f"Documents/{name}", text) for name, text in texts.items()),
            make.launch(["thunar", "Documents"], window="Documents"),
        ),
        events=(
            happens(
                f"{colleague} adds a line",
                expect.file_exists(see.file(f"Outbox/{wanted}")),
                make.text_file(f"Documents/{changed}", now[changed]),
                shared_notice(f"{colleague} changed {changed}"),
            ),
        ),
        check=expect.all_of(
            [
                *(expect.text_is(see.text(f"Outbox/{name}"), now[name]) for name in (wanted, second)),
                expect.folder_holds(see.folder("Outbox"), exactly=[wanted, second]),
                *(expect.text_is(see.text(f"Documents/{name}"), text) for name, text in now.items()),
            ]
        ),
        expected=(f"Outbox/{wanted}", f"Outbox/{second}"),
        solution=(*copied, *(copy_again(wanted) if moved else ())),
        near_misses=(
            (
                NearMiss(name="the first version left", moves=copied),
                NearMiss(
                    name="both versions side by side",
                    moves=(
                        *copied,
                        *copy_again(wanted)[:-2],
                        hand.click("/^Re_?name$/", role="push button"),
                        hand.await_change(5),
                    ),
                ),
            )
            if moved
            else (
                NearMiss(name="the changed one copied as well", moves=(*copied, *copy_again(other))),
                NearMiss(name="only one of them", moves=copy_to("Outbox", wanted)),
            )
        ),
        other_ways=(
            by_hand(
                "by the command line, twice",
                hand.run_code(f"cp Documents/{wanted} Documents/{second} Outbox/"),
                hand.await_element(f"/{colleague}/", role="label", timeout_sec=15),
                hand.run_code(f"cp -p Documents/{wanted} Documents/{second} Outbox/"),
            ),
        ),
        cheats=(
            by_shell("moved instead of copied", f"mv Documents/{wanted} Documents/{second} Outbox/"),
            by_shell("links to them", f"ln -s ~/Documents/{wanted} ~/Documents/{second} Outbox/"),
        ),
    )


@template(apps=("thunar",), level=3, demand="System/Files and Applications/Files")
def copies_for_the_courier(draw: Draw) -> Draft:
    """A file is changed by somebody else once it was copied."""
    return _courier(draw, moved=True)


@template(apps=("thunar",), level=3, demand="System/Files and Applications/Files", twin="copies-for-the-courier")
def copies_for_tonight(draw: Draw) -> Draft:
    """The file beside those that were copied is changed."""
    return _courier(draw, moved=False)
