"""Tasks in LibreOffice Impress on whole slides: their order, notes, whether they are shown."""

from __future__ import annotations

from typing import Any

from proctor.suites.parts.by_the_book import by_the_book
from proctor.suites.parts.giving_up import blindly, having_looked
from proctor.suites.parts.packages import in_package, repack_by_code
from proctor.suites.parts.slides import Slides, hide_slide, open_slides
from proctor.suites.parts.ways import by_hand
from proctor.suites.parts.writer import Moves, menu, pick_slide, save
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

TOPICS = {
    "Where we stand": ("Two shops are open", "A third one follows"),
    "Our customers": ("Mostly families", "Many come by bike"),
    "Staff": ("Nine people work with us", "Two are in training"),
    "Suppliers": ("All from the region", "Short ways"),
    "Marketing": ("Posters in spring", "A stall at the fair"),
    "Risks": ("Rents are rising", "Rainy summers"),
    "Thanks": ("Questions are welcome",),
}


def _slides_are(path: str, slides: Slides) -> Call:
    """Check that slides say what they should, and that all of them are shown."""
    return expect.all_of([expect.slides_are(see.slides(path), slides), expect.slides_hidden(see.slides(path), [])])


def _deck(draw: Draw, count: int) -> Slides:
    return [{"title": title, "bullets": list(TOPICS[title])} for title in draw.some(list(TOPICS), count)]


@template(apps=("libreoffice-impress",), level=1, demand="Office/Documentation/Presentation", version=2)
def hide_a_slide_step_by_step(draw: Draw) -> Draft:
    """A slide is hidden, one spelled-out step at a time."""
    deck = _deck(draw, 5)
    downs = draw.randint(1, 3)
    path = f"Documents/{draw.choice(['shop', 'bakery', 'garden', 'bike'])}-talk.odp"
    steps = [
        *([{"do": "press", "keys": "Page_Down"}] * downs),
        {"do": "click", "name": "Hide Slide", "menu": "Slide"},
        {"do": "press", "keys": "ctrl+s"},
    ]
    times = {1: "once", 2: "twice", 3: "three times"}[downs]

    def do(times: int, entry: str) -> Moves:
        return (hand.press("Page_Down", times=times), *menu("Slide", entry))

    return Draft(
        instruction=f"In the presentation that's open, press Page Down {times}, open the Slide menu, click "
        "Hide Slide, and press Ctrl+S.",
        paraphrases=(f"Press Page Down {times}. Choose Hide Slide from the Slide menu. Save with Ctrl+S.",),
        setup=open_slides(path, deck),
        check=expect.all_of(
            [
                expect.slides_are(see.slides(path), deck),
                expect.slides_hidden(see.slides(path), [downs + 1]),
                by_the_book(steps, "libreoffice-impress"),
            ]
        ),
        expected=(path,),
        solution=(*do(downs, "Hide Slide"), *save(path)),
        near_misses=(
            NearMiss(name="one slide too far", moves=(*do(downs + 1, "Hide Slide"), *save(path))),
            NearMiss(name="deleted", moves=(*do(downs, "Delete Slide"), *save(path))),
            NearMiss(name="not saved", moves=do(downs, "Hide Slide")),
        ),
        other_ways=(
            by_hand(
                "a slide too far and back again",
                *(hand.press("Page_Down", times=downs + 1), hand.press("Page_Up")),
                *menu("Slide", "Hide Slide"),
                *save(path),
            ),
            by_hand(
                "one key after another, and saved twice",
                *(hand.press("Page_Down") for _ in range(downs)),
                *menu("Slide", "Hide Slide"),
                *save(path),
                hand.press("ctrl+s"),
            ),
        ),
        cheats=(
            in_package("by the command line", path, hide_slide(downs + 1)),
            by_hand(
                "the steps taken, and all but the first slide thrown away",
                *(*do(downs, "Hide Slide"), *save(path)),
                repack_by_code(path, "re.sub('</draw:page>.*</draw:page>', '</draw:page>', text)"),
            ),
        ),
    )


@template(apps=("libreoffice-impress",), level=2, demand="Office/Documentation/Presentation", version=2)
def note_for_the_speaker(draw: Draw) -> Draft:
    """A slide gets a speaker note."""
    deck = _deck(draw, 5)
    place = draw.randint(1, 4)
    title = deck[place]["title"]
    name = draw.person()
    note = draw.choice(
        (f"Greet {name} in the first row.", f"Pass the microphone to {name}.", f"Thank {name} for the pictures.")
    )
    path = "Documents/annual-talk.odp"
    wanted = [dict(slide, notes=note) if slide["title"] == title else slide for slide in deck]
    other = place % 4 + 1

    def write(place: int) -> Moves:
        return (
            pick_slide(place + 1),
            *menu("View", "/^Notes$/", role="radio menu item"),
            hand.click("PresentationNotes", role="panel", count=2),
            hand.type(note),
            hand.press("Escape"),
        )

    def box(place: int) -> Moves:
        return (
            pick_slide(place + 1),
            hand.click("PresentationOutliner", role="panel", count=2),
            hand.press("ctrl+End"),
        )

    return Draft(
        instruction=f'For my talk tomorrow, please put "{note}" in the speaker notes of the slide "{title}" and save.',
        paraphrases=(f'Add the speaker note "{note}" to the slide titled "{title}", then save the presentation.',),
        setup=open_slides(path, deck),
        check=_slides_are(path, wanted),
        expected=(path,),
        solution=(*write(place), *save(path)),
        near_misses=(
            NearMiss(name="another slide", moves=(*write(other), *save(path))),
            NearMiss(
                name="on the slide itself",
                moves=(*box(place), hand.type(f"\n{note}"), hand.press("Escape"), *save(path)),
            ),
            NearMiss(name="not saved", moves=write(place)),
        ),
        other_ways=(
            in_package("by Python on the file", path, _add_note(note, title)),
            by_hand(
                "by keys, saved by the menu",
                hand.press("Page_Down", times=place),
                *menu("View", "/^Notes$/", role="radio menu item"),
                *(hand.click("PresentationNotes", role="panel", count=2), hand.type(note)),
                *(hand.press("Escape"), *menu("File", "/^Save$/"), hand.await_saved(path)),
            ),
        ),
        cheats=(
            in_package("on every slide", path, _add_note(note)),
            in_package(
                "nothing but the title and the note",
                path,
                f"re.sub('<text:list>.*?</text:list>', '', {_add_note(note, title)})",
            ),
        ),
    )


def _add_note(note: str, title: str = "") -> str:
    """Return the expression that gives the slide of a title a note, or all of them."""
    start = f"<text:p>{title}</text:p>.*?" if title else ""
    frame = f'({start}presentation:class="notes") presentation:placeholder="true"(><draw:text-box>)'
    return f"re.sub('{frame}', r'\\1\\2<text:p>{note}</text:p>', text)"


def _last(draw: Draw, *, there: bool) -> Draft:
    """Write the task to put a slide last; the slide may be missing."""
    deck = _deck(draw, 6)
    place = draw.randint(1, 3)
    title = deck[place]["title"]
    if not there:
        del deck[place]
    path = "Documents/plans.odp"
    wanted = [*deck[:place], *deck[place + 1 :], deck[place]]

    def move(place: int, entry: str) -> Moves:
        return (pick_slide(place + 1), *menu("Slide", "Move", entry))

    common: dict[str, Any] = {
        "instruction": f'Could you move the slide "{title}" to the very end of the open presentation and save it? '
        "Nothing else should change.",
        "paraphrases": (f'Make the slide titled "{title}" the last one in the presentation, then save.',),
        "setup": open_slides(path, deck),
    }
    if there:
        return Draft(
            **common,
            check=_slides_are(path, wanted),
            expected=(path,),
            solution=(*move(place, "Slide to End"), *save(path)),
            near_misses=(
                NearMiss(name="one down only", moves=(*move(place, "Slide Down"), *save(path))),
                NearMiss(name="the one after it", moves=(*move(place + 1, "Slide to End"), *save(path))),
                NearMiss(name="not saved", moves=move(place, "Slide to End")),
            ),
            other_ways=(
                in_package("by Python on the file", path, _move_last(title)),
                by_hand(
                    "one down after another",
                    *(pick_slide(place + 1), *(menu("Slide", "Move", "Slide Down") * (len(deck) - 1 - place))),
                    *save(path),
                ),
            ),
            cheats=(
                in_package("a copy at the end", path, _move_last(title, kept=True)),
                in_package(
                    "moved, and not shown", path, f"(lambda text: {hide_slide(place + 1)})({_move_last(title)})"
                ),
                in_package(
                    "only the titles exchanged",
                    path,
                    f"text.replace('>{title}<', '>?<').replace('>{deck[-1]['title']}<', '>{title}<')"
                    f".replace('>?<', '>{deck[-1]['title']}<')",
                ),
            ),
        )
    return Draft(
        **common,
        check=having_looked(
            expect.slides_are(see.slides(path), deck),
            at=[[each["title"] for each in deck[1:]]],
            searched=[[title]],
            reads=[path],
            about=["slide", title],
        ),
        solution=(
            *(pick_slide(number) for number in range(2, len(deck) + 1)),
            hand.fail(f"There is no slide called {title} in the presentation."),
        ),
        near_misses=(
            NearMiss(name="another one moved", moves=(*move(place, "Slide to End"), *save(path))),
            NearMiss(
                name="one with that name made up",
                moves=(
                    pick_slide(len(deck)),
                    *menu("Slide", "New Slide"),
                    hand.click("PresentationTitle", role="panel", count=2),
                    hand.type(title),
                    hand.press("Escape"),
                    *save(path),
                ),
            ),
        ),
        other_ways=_ways_to_miss_it(title, path),
        cheats=(
            in_package(
                "another one given that title, and moved",
                path,
                f"(lambda text: {_move_last(title)})(text.replace('>{deck[1]['title']}<', '>{title}<'))",
            ),
            blindly(title, path, "content.xml"),
            by_hand("given up after a look at the folder", hand.run_code("ls Pictures"), hand.fail("It is not there.")),
        ),
    )


def _ways_to_miss_it(title: str, path: str) -> tuple[Way, ...]:
    given_up = hand.fail(f"None of the slides is called {title}.")
    titles = hand.run_code(f"unzip -p {path} content.xml | grep -o '<text:p>[^<]*' | sort")
    asked = hand.ask(f"There is no slide called {title}. Which one do you mean?")
    return (
        by_hand("by the command line", titles, given_up),
        by_hand("asked which one is meant", asked, given_up),
    )


def _move_last(title: str, *, kept: bool = False) -> str:
    """Return the expression that puts the slide of a title last, or a copy of it."""
    page = f"re.search('<draw:page (?:(?!<draw:page ).)*?<text:p>{title}</text:p>.*?</draw:page>', text)[0]"
    rest = "text" if kept else f"text.replace({page}, '')"
    return f"re.sub('</office:presentation>', lambda end: {page} + end[0], {rest})"


@template(apps=("libreoffice-impress",), level=2, demand="Office/Documentation/Presentation", version=2)
def slide_to_the_end(draw: Draw) -> Draft:
    """A slide becomes the last one."""
    return _last(draw, there=True)


@template(
    apps=("libreoffice-impress",),
    level=2,
    demand="Office/Documentation/Presentation",
    feasible=False,
    twin="slide-to-the-end",
    version=3,
)
def missing_slide_to_the_end(draw: Draw) -> Draft:
    """A slide is to become the last one, but no slide has that title."""
    return _last(draw, there=False)
