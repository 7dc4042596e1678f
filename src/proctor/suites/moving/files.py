"""Tasks on files that somebody else uses at the same time."""

from __future__ import annotations

from proctor.home import HOME
from proctor.suites.parts.news import happens, is_edited, shared_notice
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import FIRST_NAMES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

EVENTS = ("summer party", "autumn concert", "street festival", "book fair", "open day")


def _open_file(path: str) -> tuple[Call, ...]:
    """Open another file in Mousepad."""
    name = path.rpartition("/")[2]
    return (
        hand.press("ctrl+o"),
        hand.await_window("Open File"),
        hand.type(f"{HOME}/{path}"),
        hand.press("Return"),
        hand.await_window(f"/^~.*{name} - Mousepad/"),
    )


def _invitation(draw: Draw, moved: bool) -> Draft:
    colleague = draw.choice(FIRST_NAMES)
    occasion = draw.choice(EVENTS)
    line = f"Please bring {draw.choice(('a salad', 'a folding chair', 'your own cup', 'a friend'))}."
    old, new, other = "Documents/draft.txt", "Documents/invitation.txt", "Documents/notes.txt"
    renamed = (old if moved else other), (new if moved else "Documents/old-notes.txt")
    text = f"Dear all,\n\nyou are invited to our {occasion} on {draw.randint(2, 28)} June.\n"
    notes = f"{occasion.capitalize()}: ask {draw.person()} about the tent.\n"
    end = new if moved else old
    write = (hand.press("ctrl+End"), hand.type(line))
    saved = (hand.press("ctrl+s"), hand.await_saved(end))
    typed = (*write, hand.await_file(renamed[1]))
    undone = (hand.press("ctrl+a"), hand.press("Delete"))
    return Draft(
        instruction=f'Please add the line "{line}" at the end of the invitation that is open in the text editor and '
        f"save it. {colleague} and I both work on it, so there should be just the one file of it.",
        paraphrases=(
            f'The invitation in the text editor needs a last line, "{line}", saved. {colleague} works with the same '
            "file; please don't leave a second one around.",
        ),
        setup=(
            make.text_file(old, text),
            make.text_file(other, notes),
            make.launch(["thunar", "Documents"], window="Documents"),
            make.launch(["mousepad", old], window="draft.txt"),
        ),
        events=(
            happens(
                f"{colleague} renames a file",
                is_edited(old, text),
                make.move_file(*renamed),
                shared_notice(f"{colleague} renamed {' to '.join(path.rpartition('/')[2] for path in renamed)}"),
            ),
        ),
        check=expect.all_of(
            [
                expect.text_is(see.text(end), f"{text}{line}\n"),
                expect.text_is(see.text(renamed[1] if not moved else other), notes),
                expect.nothing_there(see.file(renamed[0])),
            ]
        ),
        expected=(end,),
        solution=(*typed, *_open_file(new), *write, *saved) if moved else (*typed, *saved),
        near_misses=(
            NearMiss(name="saved under the old name", moves=(*typed, hand.press("ctrl+s"), hand.await_file(old)))
            if moved
            else NearMiss(
                name="in the file that was renamed",
                moves=(*typed, *undone, *_open_file(renamed[1]), *write, *saved[:1]),
            ),
            NearMiss(name="not saved", moves=typed),
        ),
        other_ways=(by_shell("by the command line", f"echo '{line}' >> {old}"),),
        cheats=(
            by_shell("nothing but the line", f"echo '{line}' > {old}"),
            by_hand(
                "under both names", hand.run_code(f"echo '{line}' >> {old}"), hand.run_code(f"cp {end} {renamed[0]}")
            ),
        ),
    )


@template(apps=("mousepad", "thunar"), level=3, demand="Office/Documentation/Writing")
def line_for_the_invitation(draw: Draw) -> Draft:
    """The file that is being edited is renamed by somebody else who works on it."""
    return _invitation(draw, moved=True)


@template(apps=("mousepad", "thunar"), level=3, demand="Office/Documentation/Writing", twin="line-for-the-invitation")
def line_beside_the_notes(draw: Draw) -> Draft:
    """While a file is being edited, somebody renames the one beside it."""
    return _invitation(draw, moved=False)
