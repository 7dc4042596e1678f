"""Tasks on notes in Zim and Gnote."""

from __future__ import annotations

from proctor.suites.parts.by_the_book import by_the_book
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

GROCERIES = (
    "oat milk", "brown lentils", "olive oil", "rye bread", "tomatoes", "basil", "rice", "black pepper", "walnuts",
    "apples", "baking powder", "coffee beans",
)  # fmt: skip
RECIPES = ("Lentil Soup", "Plum Cake", "Potato Salad", "Fish Pie", "Bean Stew", "Apple Crumble", "Mushroom Risotto")
SECRETS = ("coconut milk", "smoked paprika", "orange zest", "caraway seeds", "mustard seeds", "star anise")
PEOPLE = ("Grandma", "Aunt Tilda", "Uncle Bruno", "Cousin Ines", "Grandpa")
CLUBS = ("Book club", "Choir", "Chess evening", "Film night", "Running group", "Garden group")


def open_page(page: str) -> tuple[Call, ...]:
    """Go to a page of Zim by its name, as from its menu."""
    leaf = page.rpartition(":")[2]
    return (
        hand.press("ctrl+j"),
        hand.await_window("Jump to"),
        hand.type(f":{page}\n"),
        hand.await_window(f"{leaf} - "),
    )


@template(apps=("zim",), level=1, demand="Knowledge/Knowledge/Notes and Mindmaps", version=3)
def new_page_step_by_step(draw: Draw) -> Draft:
    """A page is created in Zim, one spelled-out step at a time."""
    club, other = draw.some(CLUBS, 2)
    person = draw.person()
    line = f"Next time: {draw.choice(('Tuesday', 'Wednesday', 'Friday'))} at {draw.randint(6, 8)} with {person}"

    def steps(title: str, text: str, *, slip: bool = False) -> tuple[Call, ...]:
        goes = (hand.type(f"{text[:5]}x"), hand.press("BackSpace"), hand.type(text[5:]))
        return (
            hand.menu(["File", "New Page..."]),
            hand.await_window("New Page"),
            hand.type_into(title, role="text", window="New Page"),
            hand.click("OK", role="push button", window="New Page"),
            hand.await_window(f"{title} - "),
            *(goes if slip else (hand.type(text),)),
            hand.press("ctrl+s"),
        )

    pages = {"Home": "Everything in one place.\n", other: "We meet on Mondays.\n"}
    return Draft(
        instruction=f'In Zim, open the File menu and choose "New Page...". Type "{club}" as the page name and '
        f'click OK. Then type this line on the page: "{line}". Finally, press Ctrl+S.',
        paraphrases=(
            f'Zim: File > New Page..., name it "{club}", click OK, type "{line}" on the new page, press Ctrl+S.',
        ),
        setup=(
            make.notebook("Notes", pages),
            make.launch(["zim", "Notes", "Home"], window="Home - Notes"),
        ),
        check=expect.all_of(
            [
                expect.notes_are(see.notebook("Notes"), ["Home", other, club]),
                expect.note_is(see.notebook("Notes"), club, line),
                *(expect.note_is(see.notebook("Notes"), page, text) for page, text in pages.items()),
                by_the_book(
                    [
                        {"do": "click", "name": "New Page...", "menu": "File"},
                        {"do": "type", "text": club},
                        {"do": "click", "name": "OK"},
                        {"do": "type", "text": line},
                        {"do": "press", "keys": "ctrl+s"},
                    ],
                    "zim",
                ),
            ]
        ),
        expected=("Notes/**",),
        solution=steps(club, line),
        near_misses=(
            NearMiss(name="another name", moves=steps(f"{club} notes", line)),
            NearMiss(
                name="written on the page that was open",
                moves=(hand.press("ctrl+End"), hand.type(line), hand.press("ctrl+s")),
            ),
        ),
        other_ways=(
            by_hand("typed in goes, with a slip taken back", *steps(club, line, slip=True)),
            by_hand("the menu by its letters", hand.press("alt+f"), hand.press("n"), *steps(club, line)[1:]),
            by_hand(
                "the other page looked at first, the new one saved twice",
                *open_page(other),
                *steps(club, line),
                hand.press("ctrl+s"),
            ),
        ),
        cheats=(
            by_shell("by the command line", f"printf '%s\n' '{line}' > 'Notes/{club.replace(' ', '_')}.txt'"),
            by_hand(
                "the line written elsewhere, the page by the command line",
                hand.run_code(f"printf '%s\n' '{line}' > 'Notes/{club.replace(' ', '_')}.txt'"),
                *steps(f"{club} notes", line),
            ),
        ),
    )


@template(apps=("zim",), level=2, demand="Knowledge/Knowledge/Notes and Mindmaps", version=3)
def shopping_list(draw: Draw) -> Draft:
    """One item on a shopping list is ticked off, another is added."""
    *listed, wanted = draw.some(GROCERIES, 6)
    place = draw.randrange(5)
    bought = listed[place]
    text = "".join(f"[ ] {item}\n" for item in listed)
    after = text.replace(f"[ ] {bought}\n", f"[*] {bought}\n")
    page = "Notes/Shopping.txt"

    def tick(number: int) -> tuple[Call, ...]:
        # The title and an empty line come first.
        return (hand.press("ctrl+Home"), hand.press("Down", times=number + 2), hand.press("F12"))

    add = (hand.press("ctrl+End"), hand.type(f"[] {wanted}"), hand.press("ctrl+s"))
    return Draft(
        instruction=f"I bought the {bought}, so please tick it off on my Shopping page in Zim. And add "
        f"{wanted} at the end of the list (not ticked, of course). Leave everything else as it is.",
        paraphrases=(
            f"Update the Shopping page in Zim, please: {bought} is done (tick it), and we still need {wanted}, "
            "so put that at the bottom, unticked.",
        ),
        setup=(
            make.notebook("Notes", {"Home": "Welcome.\n", "Shopping": text, "Party:Shopping": text}),
            make.launch(["zim", "Notes", "Shopping"], window="Shopping - Notes"),
        ),
        check=expect.all_of(
            [
                expect.notes_are(see.notebook("Notes"), ["Home", "Shopping", "Party:Shopping"]),
                expect.any_of(
                    [
                        expect.note_is(see.notebook("Notes"), "Shopping", f"{after}{mark}{word}")
                        for mark in ("[ ] ", "* ", "")
                        for word in (wanted, wanted.capitalize())
                    ]
                ),
                expect.note_is(see.notebook("Notes"), "Party:Shopping", text),
                expect.note_is(see.notebook("Notes"), "Home", "Welcome."),
            ]
        ),
        expected=("Notes/Shopping.txt",),
        solution=(*tick(place), *add),
        near_misses=(
            NearMiss(name="the next item ticked", moves=(*tick((place + 1) % 5), *add)),
            NearMiss(name="only ticked", moves=(*tick(place), hand.press("ctrl+s"))),
            NearMiss(name="the list for the party", moves=(*open_page("Party:Shopping"), *tick(place), *add)),
        ),
        other_ways=(
            by_shell(
                "by the command line",
                f"sed -i 's/^\\[ \\] {bought}$/[*] {bought}/' {page}",
                f"echo '[ ] {wanted.capitalize()}' >> {page}",
            ),
            by_hand(
                "added first, on a line without a box",
                hand.press("ctrl+End"),
                hand.type(wanted),
                *tick(place),
                hand.press("ctrl+s"),
            ),
        ),
        cheats=(
            by_shell("all ticked", f"sed -i 's/^\\[ \\]/[*]/' {page}", f"echo '[ ] {wanted}' >> {page}"),
            by_shell(
                "nothing but the two",
                f"printf '[*] {bought}\n[ ] {wanted}\n' > {page}",
            ),
            by_shell(
                "ticked at the bottom",
                f"printf '[*] {bought}\n[ ] {wanted}\n' >> {page}",
            ),
            by_shell(
                "the other boxes taken away",
                f"sed -i 's/^\\[ \\] {bought}$/[*] {bought}/; s/^\\[ \\] //' {page}",
                f"echo '[ ] {wanted}' >> {page}",
            ),
        ),
    )


@template(apps=("zim",), level=3, demand="Knowledge/Knowledge/Information Organization", version=2)
def move_the_right_recipe(draw: Draw) -> Draft:
    """Of two recipes with the same name, the one with a certain ingredient goes to another section."""
    recipe, extra = draw.some(RECIPES, 2)
    secret, plain = draw.some(SECRETS, 2)
    target = draw.choice(("Favourites", "Winter", "For guests", "Sunday"))
    mine, theirs = draw.some(("Family", "Magazine"), 2)
    pages = {
        "Home": "Recipes I collect.\n",
        f"{mine}:{recipe}": f"Serves {draw.randint(2, 6)}.\n\n* onions\n* {secret}\n* salt\n",
        f"{theirs}:{recipe}": f"Serves {draw.randint(2, 6)}.\n\n* leeks\n* {plain}\n* salt\n",
        f"{theirs}:{extra}": f"Goes well with {secret}, says {draw.choice(PEOPLE)}.\n",
        target: "The best of the best.\n",
    }

    def move(page: str, location: str) -> tuple[Call, ...]:
        return (
            *open_page(page),
            hand.press("F2"),
            hand.await_window("Rename or Move Page"),
            hand.press("Tab"),
            hand.type(f"{location}\n"),
            hand.await_window(f"{location}:{recipe} - "),
        )

    moved = f"{target}:{recipe}"
    here = f"Recipes/{mine}/{recipe.replace(' ', '_')}.txt"
    there = f"Recipes/{target.replace(' ', '_')}"
    kept = [page for page in pages if page != f"{mine}:{recipe}"]
    return Draft(
        instruction=f"I have {recipe} twice in my Zim notebook. Move the one with {secret} to the {target} "
        f"section (so that it's a page under {target}), and leave the other one where it is.",
        paraphrases=(
            f"Zim: the {recipe} recipe that uses {secret} belongs under {target}. Please move that page there.",
        ),
        setup=(make.notebook("Recipes", pages), make.launch(["zim", "Recipes", "Home"], window="Home - Recipes")),
        check=expect.all_of(
            [
                expect.notes_are(see.notebook("Recipes"), [*kept, moved]),
                expect.note_is(see.notebook("Recipes"), moved, pages[f"{mine}:{recipe}"]),
                *(expect.note_is(see.notebook("Recipes"), page, pages[page]) for page in kept),
            ]
        ),
        expected=("Recipes/**", here),
        solution=move(f"{mine}:{recipe}", target),
        near_misses=(
            NearMiss(name="the other recipe", moves=move(f"{theirs}:{recipe}", target)),
            NearMiss(name="moved to another section", moves=move(f"{mine}:{recipe}", theirs + " old")),
        ),
        other_ways=(
            by_shell("by the command line", f"mkdir -p '{there}'", f"mv '{here}' '{there}/'"),
            by_hand(
                "by the menu",
                *open_page(f"{mine}:{recipe}"),
                hand.menu(["File", "Rename or Move Page..."]),
                hand.await_window("Rename or Move Page"),
                hand.press("Tab"),
                hand.type(f"{target}\n"),
                hand.await_window(f"{moved} - "),
            ),
        ),
        cheats=(
            by_shell("copied", f"mkdir -p '{there}'", f"cp '{here}' '{there}/'"),
            by_shell(
                "both moved",
                f"mkdir -p '{there}'",
                f"mv '{here}' '{there}/'",
                f"mv '{here.replace(mine, theirs)}' '{there}/{recipe.replace(' ', '_')}_2.txt'",
            ),
            by_shell(
                "a page with nothing but the ingredient",
                f"mkdir -p '{there}'",
                f"echo '* {secret}' > '{there}/{recipe.replace(' ', '_')}.txt'",
                f"rm '{here}'",
            ),
        ),
    )


@template(apps=("gnote",), level=2, demand="Knowledge/Knowledge/Information Organization", version=3)
def file_a_note(draw: Draw) -> Draft:
    """A loose note goes into its notebook and gets one more line."""
    room = draw.choice(("Kitchen", "Bathroom", "Hall", "Studio"))
    company = draw.company()
    title = f"{room} {draw.choice(('paint', 'tiles', 'lamps'))}"
    similar = f"{title} (old)"
    target, other = draw.some(("House", "Shopping", "Garden", "Work"), 2)
    line = f"ordered from {company} for {draw.amount(40, 300):.2f} euros"
    notes = [
        {"title": title, "text": f"colour no. {draw.randint(100, 999)}"},
        {"title": similar, "text": f"colour no. {draw.randint(100, 999)}"},
        {"title": "Boiler", "text": "pressure 1.5 bar", "notebook": target},
        {"title": "Bulbs", "text": "two packets of tulips", "notebook": other},
    ]

    def write(note: str) -> tuple[Call, ...]:
        return (
            hand.double_click(f"/^{_literal(note)}$/", role="table cell"),
            hand.await_element(role="text", window="Gnote"),
            hand.press("ctrl+End"),
            hand.type(f"\n{line}"),
        )

    def file(note: str, notebook: str) -> Call:
        cell = {"role": "table cell", "name": f"/^{_literal(note)}$/"}
        return hand.drag(cell, {"role": "table cell", "name": notebook})

    return Draft(
        instruction=f'In Gnote, put the note "{title}" in the notebook {target}, and add this line at the end '
        f"of it: {line}",
        paraphrases=(f'My Gnote note "{title}" should be filed under {target}. Also, append the line "{line}" to it.',),
        setup=(make.gnote_notes(notes), make.launch(["gnote"], window="Gnote")),
        finish=(make.quit_app("Gnote"),),
        check=expect.all_of(
            [
                expect.notes_are(see.gnote(), [note["title"] for note in notes]),
                expect.note_in_notebook(see.gnote(), title, target),
                expect.note_is(see.gnote(), title, f"{notes[0]['text']}\n{line}"),
                expect.note_in_notebook(see.gnote(), similar, ""),
                *(expect.note_is(see.gnote(), note["title"], note["text"]) for note in notes[1:]),
                expect.note_in_notebook(see.gnote(), "Boiler", target),
                expect.note_in_notebook(see.gnote(), "Bulbs", other),
            ]
        ),
        expected=(".local/share/gnote/*.note",),
        solution=(file(title, target), *write(title)),
        near_misses=(
            NearMiss(name="the other notebook", moves=(file(title, other), *write(title))),
            NearMiss(name="only filed", moves=(file(title, target),)),
            NearMiss(name="the old note", moves=(file(similar, target), *write(similar))),
        ),
        other_ways=(
            by_python("by its file", _file_by_code(title, target, line)),
            by_hand(
                "opened by the keys, an empty line before what is added",
                file(title, target),
                hand.click(f"/^{_literal(title)}$/", role="table cell"),
                hand.press("Return"),
                hand.await_element(role="text", window="Gnote"),
                hand.press("ctrl+End"),
                hand.type(f"\n\n{line}\n"),
            ),
        ),
        cheats=(
            by_python("nothing but the line", _file_by_code(title, target, line, alone=True)),
            by_python("both notes", _file_by_code(title, target, line) + _file_by_code(similar, target, line)),
            by_python("in both notebooks", _file_by_code(title, f"{target}</tag><tag>system:notebook:{other}", line)),
            by_python("the line in every note", "".join(_file_by_code(each["title"], target, line) for each in notes)),
        ),
    )


def _literal(text: str) -> str:
    """Return a title as a pattern; of what patterns treat differently, titles have brackets only."""
    return text.replace("(", "[(]").replace(")", "[)]")


def _file_by_code(title: str, notebook: str, line: str, *, alone: bool = False) -> str:
    """Return code that files a note and adds a line to it, in the note's own file."""
    return (
        "import pathlib, re\n"
        "for path in pathlib.Path('.local/share/gnote').glob('*.note'):\n"
        "    held = path.read_text()\n"
        f"    if '<title>{title}</title>' in held:\n"
        f"        held = held.replace('</note-content>', {chr(10) + line!r} + '</note-content>')\n"
        f"        held = re.sub('colour no. .*', '', held) if {alone} else held\n"
        "        held = re.sub('<tags>.*</tags>', '', held)\n"
        f"        held = held.replace('</note>', '<tags><tag>system:notebook:{notebook}</tag></tags></note>')\n"
        "        path.write_text(held)\n"
    )
