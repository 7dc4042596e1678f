"""Tasks on reading: books and manuals in Okular and Evince."""

from __future__ import annotations

from proctor.suites.parts.ways import by_hand, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

BOOK = "Books/the-salt-road.pdf"
MANUAL = "Documents/machine-manual.pdf"
EVENTS = (
    "the ferry sinks", "the letter is burnt", "the wolves come down", "the bridge is mended", "the twins quarrel",
    "the salt is stolen", "the mayor resigns", "the lamp goes out", "the well runs dry", "the bell is cast",
)  # fmt: skip
FILLERS = (
    "Snow lay on the pass, and nobody spoke of going on.",
    "They counted the sacks twice and shared what bread was left.",
    "In the evening somebody sang, softly, as if to himself.",
    "The road bent towards the river and the river towards the sea.",
    "Nobody in the village would tell them the name of the place.",
)
PARTS = (
    "feed roller", "main bearing", "drive belt", "spindle", "paper guide", "cutting blade", "fuser lamp", "tray spring",
    "gear box", "cooling fan",
)  # fmt: skip


@template(apps=("okular",), level=2, demand="Knowledge/Reading and Learning/E-book")
def bookmark_the_scene(draw: Draw) -> Draft:
    """The page of a book where something happens gets a bookmark."""
    events = draw.some(EVENTS, 8)
    pages = [["The Salt Road", "", f"by {draw.person()}"]]
    places = {}
    for number, event in enumerate(events, start=1):
        for _ in range(draw.randint(1, 3)):
            pages.append([f"Chapter {number}", "", *(draw.choice(FILLERS) for _ in range(9))])
        pages[-1].insert(6, f"That was the night when {event}.")
        places[event] = len(pages)
    event, other = draw.some(events, 2)

    def mark(phrase: str) -> tuple[Call, ...]:
        return (
            hand.press("ctrl+f"),
            hand.type(f"{phrase}\n"),
            hand.await_element(role="text", text=f"/^{places[phrase]}$/", window="the-salt-road"),
            hand.press("Escape"),
            hand.press("ctrl+b"),
        )

    return Draft(
        instruction=f"Please bookmark the page in my book ({BOOK}, open in Okular) where {event}, so I can "
        "find it again.",
        paraphrases=(f"In Okular, bookmark the page of {BOOK} where {event}. No other page.",),
        setup=(make.pdf(BOOK, pages), make.launch(["okular", BOOK], window="the-salt-road")),
        check=expect.bookmarks_are(see.bookmarks(BOOK), [places[event]]),
        expected=(".local/share/okular/bookmarks.xml",),
        solution=mark(event),
        near_misses=(
            NearMiss(name="the page that was open", moves=(hand.press("ctrl+b"),)),
            NearMiss(name="another scene", moves=mark(other)),
        ),
        other_ways=(
            by_hand("by the menu", *mark(event)[:-1], hand.menu(["Bookmarks", "Add Bookmark"])),
            by_hand(
                "found by the command line, gone to by its number",
                hand.run_code(f"pdftotext {BOOK} - | grep -c 'The Salt Road'"),
                *(hand.press("ctrl+g"), hand.await_window("Go to Page"), hand.type(f"{places[event]}\n")),
                *mark(event)[2:],
            ),
        ),
        cheats=(
            by_hand("the open page as well", hand.press("ctrl+b"), *mark(event)),
            by_hand("marked, and the mark taken away", *mark(event), hand.press("ctrl+b")),
        ),
    )


@template(apps=("evince", "zim"), level=2, demand="Knowledge/Reading and Learning/Technical Tutorials", version=2)
def look_it_up_and_note_it(draw: Draw) -> Draft:
    """A number from a long manual is put into a note."""
    parts = draw.some(PARTS, 8)
    torques = draw.some(range(11, 60), 8)
    pages = [["Machine manual", "", "Keep this manual for later use."]]
    for number, (part, torque) in enumerate(zip(parts, torques, strict=True), start=1):
        pages.append(
            [f"{number}. Removing the {part}", "", "Switch the machine off and wait until it has cooled down."]
        )
        pages.append(
            [
                f"{number}. Fitting the {part}",
                "",
                "Clean the seat and put a drop of oil on the thread.",
                f"Tighten the screws of the {part} with {torque} Nm.",
                f"Loosen them by {torque // 10 + 1} turns when the {part} runs hot.",
            ]
        )
    part, other = draw.some(parts, 2)
    right, wrong = torques[parts.index(part)], torques[parts.index(other)]
    text = f"Machine: no. {draw.randint(100, 999)}\n\nTo do: fit the {part}.\n"
    pages_of_notes = {"Home": "Workshop notes.\n", "Repairs": text}

    def note_torque(torque: int) -> tuple[Call, ...]:
        return (
            hand.press("ctrl+f"),
            hand.type(f"screws of the {part}"),
            hand.await_element(f"/screws of the {part}/", role="table cell", timeout_sec=20),
            hand.click("Repairs", role="toggle button", app="xfce4-panel"),
            hand.press("ctrl+End"),
            hand.type(f"Torque: {torque} Nm"),
            hand.press("ctrl+s"),
        )

    return Draft(
        instruction=f"How many Nm should the screws of the {part} be tightened to? It's somewhere in "
        f'{MANUAL}. Please add the answer as a line "Torque: ... Nm" (with the number) at the end of the '
        "Repairs page in my Zim notebook.",
        paraphrases=(
            f"Look up the tightening torque for the {part} in {MANUAL}, then add it at the end of the Zim page "
            'Repairs as "Torque: <number> Nm".',
        ),
        setup=(
            make.pdf(MANUAL, pages),
            make.notebook("Notes", pages_of_notes),
            make.launch(["zim", "Notes", "Repairs"], window="Repairs - Notes"),
            make.launch(["evince", MANUAL], window="machine-manual"),
        ),
        check=expect.all_of(
            [
                expect.note_is(see.notebook("Notes"), "Repairs", f"{text}Torque: {right} Nm"),
                expect.note_is(see.notebook("Notes"), "Home", pages_of_notes["Home"]),
            ]
        ),
        expected=("Notes/Repairs.txt",),
        solution=note_torque(right),
        near_misses=(
            NearMiss(name="another part's number", moves=note_torque(wrong)),
            NearMiss(name="the turns instead of the torque", moves=note_torque(right // 10 + 1)),
        ),
        other_ways=(
            by_shell("by the command line", f"printf '\\nTorque: {right} Nm\\n' >> Notes/Repairs.txt"),
            by_shell(
                "looked up and written by the command line",
                f"torque=$(pdftotext {MANUAL} - | grep -A1 'screws of the {part}' | grep -o '[0-9][0-9]* Nm')",
                'echo "Torque: $torque" >> Notes/Repairs.txt',
            ),
        ),
        cheats=(
            by_shell(
                "every torque of the manual",
                *(f"echo 'Torque: {torque} Nm' >> Notes/Repairs.txt" for torque in torques),
            ),
            by_shell("nothing but the line", f"echo 'Torque: {right} Nm' > Notes/Repairs.txt"),
            by_shell("on another page", f"echo 'Torque: {right} Nm' >> Notes/Home.txt"),
        ),
    )
