"""Templates of your own: each function writes another task for every seed, with its solution and near misses."""

from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template


@template(apps=("mousepad",), level=2, demand="Office/Documentation/Writing")
def thank_the_host(draw: Draw) -> Draft:
    """A thank-you note gets the name of the host."""
    host, other = draw.people(2)
    path = "Documents/thanks.txt"
    before, line = "Thank you for the lovely evening.\n", f"Dear {host},"
    save, at_top = hand.press("ctrl+s"), hand.press("ctrl+Home")
    return Draft(
        instruction=f'Please put "{line}" on a line of its own at the very top of the note that is open, and save it.',
        paraphrases=(f'The open note should begin with the line "{line}". Add it and save the file.',),
        setup=(make.text_file(path, before), make.launch(["mousepad", path], window="thanks.txt")),
        check=expect.text_is(see.text(path), f"{line}\n{before}"),
        expected=(path,),
        solution=(at_top, hand.type(f"{line}\n"), save),
        near_misses=(
            NearMiss(name="the wrong name", moves=(at_top, hand.type(f"Dear {other},\n"), save)),
            NearMiss(name="not saved", moves=(at_top, hand.type(f"{line}\n"))),
        ),
    )
