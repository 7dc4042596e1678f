"""Tasks on several photos at once: which is which, which is wanted, and where it goes."""

from __future__ import annotations

from proctor.formats.pictures.checks import Turn
from proctor.home import HOME
from proctor.suites.parts.files import rename
from proctor.suites.parts.giving_up import having_looked
from proctor.suites.parts.pictures import COLOURS, SUBJECTS, apply_tool, pick_tool, resize, save_as, showing
from proctor.suites.parts.users import allowing
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

SIZE = (640, 480)


def _shots(draw: Draw, *, blurred: bool) -> Draft:
    """Write the task on three shots of one subject, of which one may be blurred."""
    subject, colour = draw.choice(SUBJECTS), draw.choice(list(COLOURS))
    number = draw.randint(100, 880)
    # The viewer goes through them by name.
    order = [f"{subject}-{number + step}.jpg" for step in (0, 1, 11)]
    place = draw.randrange(3)
    bad, others = order[place], [name for name in order if name != order[place]]
    scene = showing(subject, colour)
    setup = [
        make.picture(f"Pictures/{name}", *SIZE, **scene, blur=9 if blurred and name == bad else 0, quality=88 + step)
        for step, name in enumerate(order)
    ]
    kept = [
        expect.picture_unchanged(see.picture(f"Pictures/{name}"), see.picture_before(f"Pictures/{name}"))
        for name in others
    ]
    last = f"Pictures/{bad}"
    gone = expect.nothing_there(see.file(last))
    there = expect.picture_unchanged(see.picture(last), see.picture_before(last))

    def thrown(at: int) -> tuple[Call, ...]:
        forward = (hand.press("Right", times=at),) if at else ()
        return *forward, hand.await_window(order[at]), hand.press("Delete"), hand.await_window(order[at], gone=True)

    through = tuple(call for name in order[1:] for call in (hand.press("Right"), hand.await_window(name)))
    return Draft(
        instruction=f"I took several pictures of the {subject}, all in my Pictures folder, and one of them "
        "came out blurry. Please get rid of that one (the trash is fine) and keep the sharp ones.",
        paraphrases=(f"One of my {subject} photos in the Pictures folder is out of focus. Delete just that one.",),
        setup=(*setup, make.launch(["eog", f"Pictures/{order[0]}"], window=order[0])),
        check=expect.all_of([gone, *kept])
        if blurred
        else having_looked(there, *kept, windows=[subject], words=[subject]),
        expected=(last, ".local/share/Trash/**") if blurred else (),
        solution=thrown(place) if blurred else (*through, hand.fail("none of the pictures is blurred")),
        near_misses=(
            NearMiss(name="the next one deleted", moves=thrown((place + 1) % 3)),
            NearMiss(name="all of them deleted", moves=(hand.press("Delete", times=3),)),
        )
        if blurred
        else (
            NearMiss(name="one deleted anyway", moves=(*thrown(place), hand.fail("it is gone"))),
            NearMiss(name="nothing said", moves=(*through, hand.done())),
        ),
    )


@template(apps=("eog", "thunar"), level=3, demand="Creativity/Digital Content Creation/Image Editing")
def throw_the_blurred_shot_away(draw: Draw) -> Draft:
    """Of three shots with nearly the same name, the blurred one is deleted."""
    return _shots(draw, blurred=True)


@template(
    apps=("eog", "thunar"),
    level=3,
    demand="Creativity/Digital Content Creation/Image Editing",
    feasible=False,
    twin="throw-the-blurred-shot-away",
    version=2,
)
def throw_a_blurred_shot_away_where_none_is(draw: Draw) -> Draft:
    """All three shots are sharp, so that there is none to delete."""
    return _shots(draw, blurred=False)


@template(apps=("thunar", "eog"), level=4, demand="Creativity/Digital Content Creation/Image Editing", version=2)
def name_photos_after_what_they_show(draw: Draw) -> Draft:
    """Photos with camera names are renamed after what they show."""
    folder = f"Pictures/{draw.city()}"
    subjects = draw.some(SUBJECTS, 3)
    first = draw.randint(1000, 8999)
    files = {f"IMG_{first + step}.jpg": subject for step, subject in enumerate(subjects)}
    old, new = list(files), [f"{subject}.jpg" for subject in subjects]
    renamed = [
        expect.picture_unchanged(see.picture(f"{folder}/{subject}.jpg"), see.picture_before(f"{folder}/{name}"))
        for name, subject in files.items()
    ]
    listed = ", ".join(sorted(new)[:2]) + f" and {sorted(new)[2]}"

    def called(names: list[str]) -> tuple[Call, ...]:
        # Read anew after each, because the list is sorted again under the hand.
        return tuple(
            call for name, wanted in zip(old, names, strict=True) for call in (*rename(name, wanted), hand.press("F5"))
        )

    looked = (
        *(call for name in old[1:] for call in (hand.press("Right"), hand.await_window(name))),
        hand.press("alt+F4"),
        hand.await_window(old[2], gone=True),
    )
    return Draft(
        instruction=f"My camera gave the photos in {folder} useless names. Can you rename them after what "
        f"they show? They should be called {listed}.",
        paraphrases=(f"Look at the three photos in {folder} and rename each one after what it shows ({listed}).",),
        setup=(
            *(
                make.picture(f"{folder}/{name}", *SIZE, **showing(subject, draw.choice(list(COLOURS))))
                for name, subject in files.items()
            ),
            make.launch(["thunar", f"{HOME}/{folder}"], window=f"{folder.rpartition('/')[2]} - Thunar"),
            make.launch(["eog", f"{folder}/{old[0]}"], window=old[0]),
        ),
        check=expect.all_of([*renamed, *(expect.nothing_there(see.file(f"{folder}/{name}")) for name in old)]),
        expected=tuple(f"{folder}/{name}" for name in (*old, *(f"{subject}.jpg" for subject in files.values()))),
        solution=(*looked, *called(new)),
        near_misses=(
            NearMiss(name="two mixed up", moves=(*looked, *called([new[1], new[0], new[2]]))),
            NearMiss(name="only two of three", moves=(*looked, *called(new)[:12])),
        ),
    )


@template(apps=("drawing", "mousepad"), level=4, demand="Creativity/Digital Content Creation/Image Editing")
def picture_as_the_club_wants_it(draw: Draw) -> Draft:
    """A picture is chosen and prepared as a note requires."""
    subject = draw.choice(SUBJECTS)
    wanted, *others = draw.some(list(COLOURS), 3)
    width, height = draw.choice(((320, 240), (400, 300), (480, 360), (240, 180)))
    club, member = draw.choice(("rowing", "hiking", "garden", "history")), draw.person().split()[1].lower()
    note = f"Documents/{club}-club.txt"
    files = [f"Pictures/{subject}-{letter}.png" for letter in "abc"]
    # The first of them is open already.
    place = draw.randint(1, 2)
    colours = others[:place] + [wanted] + others[place:]
    source, target = files[place], f"Documents/{member}-{club}.png"
    elsewhere = target.replace("Documents", "Pictures")
    text = (
        f"Pictures for the yearbook of the {club} club\n\n"
        f"- one picture per member, of a {wanted} {subject}\n- exactly {width} pixels wide, {height} pixels high\n"
        f"- PNG, named like this: surname-{club}.png (small letters)\n"
    )
    after, before = see.picture(target), see.picture_before(source)
    return Draft(
        instruction=f"Please get my picture for the {club} club's yearbook ready. {note} says what they want. "
        "The pictures to choose from are in Pictures, and the finished one goes in Documents. My surname is "
        f"{member.capitalize()}.",
        paraphrases=(
            f"{note} says what the {club} club wants. Prepare the right picture of mine (they're in Pictures) "
            f"and save it in Documents. My surname is {member.capitalize()}.",
        ),
        setup=(
            make.text_file(note, text),
            *(
                make.picture(file, *SIZE, **showing(subject, colour))
                for file, colour in zip(files, colours, strict=True)
            ),
            make.open_in_drawing(files[0]),
        ),
        check=expect.all_of(
            [
                expect.picture_format(after, "PNG"),
                expect.picture_size(after, width, height),
                expect.picture_like(after, before, same_size=False),
                *(expect.picture_unchanged(see.picture(file), see.picture_before(file)) for file in files),
            ]
        ),
        expected=(target,),
        solution=(*_opened(files[place]), *resize(width, height), *save_as(target)),
        near_misses=(
            NearMiss(name="another one", moves=(*_opened(files[3 - place]), *resize(width, height), *save_as(target))),
            NearMiss(name="not scaled", moves=(*_opened(source), *save_as(target))),
            NearMiss(name="elsewhere", moves=(*_opened(source), *resize(width, height), *save_as(elsewhere))),
        ),
    )


def _opened(path: str) -> tuple[Call, ...]:
    """Open a picture in Drawing through its dialog."""
    return (
        hand.press("ctrl+o"),
        hand.await_window("Open a picture"),
        hand.press("ctrl+l"),
        hand.type(f"{HOME}/{path}"),
        hand.press("Return"),
        hand.await_window("Open a picture", gone=True),
        hand.await_element("New Tab", role="push button", app="drawing"),
        hand.press("Return"),
        hand.await_window(path.rpartition("/")[2]),
    )


@template(apps=("drawing", "thunar"), level=3, demand="Creativity/Digital Content Creation/Image Editing", version=2)
def turned_copy_for_a_missing_folder(draw: Draw) -> Draft:
    """A rotated copy is to be saved in a folder that does not exist yet."""
    subject, colour = draw.choice(SUBJECTS), draw.choice(list(COLOURS))
    ways: tuple[tuple[Turn, int], ...] = (("left", -6), ("right", -5))
    way, button = draw.choice(ways)
    name = draw.choice(("Newsletter", "Leaflet", "Poster", "Exhibition", "Calendar"))
    source, target = f"Pictures/{subject}.png", f"Documents/{name}/{subject}-turned.png"
    before = see.picture_before(source)

    def turned(which: int) -> tuple[Call, ...]:
        return pick_tool("Rotate"), hand.click(role="push button", app="drawing", nth=which), apply_tool()

    made = (
        *(hand.press("ctrl+shift+s"), hand.await_window("Save picture as")),
        *(hand.click("Documents", role="label", app="drawing"), hand.click("Create Folder", app="drawing")),
        *(hand.type(name), hand.press("Return"), hand.await_element(name, role="toggle button", app="drawing")),
        *(hand.press("Escape"), hand.await_window("Save picture as", gone=True)),
    )
    return Draft(
        instruction=f"Please rotate the picture that's open in Drawing a quarter turn to the {way} and save "
        f"it as {target}. {source} stays the way it is.",
        paraphrases=(
            f"Rotate the open picture by 90 degrees to the {way} and save it as {target}, not over {source}.",
        ),
        setup=(make.picture(source, *SIZE, **showing(subject, colour)), make.open_in_drawing(source)),
        check=expect.all_of(
            [
                expect.picture_turned(see.picture(target), before, way),
                expect.picture_unchanged(see.picture(source), before),
            ]
        ),
        expected=(target,),
        user=allowing("Yes, please make the folder if it isn't there."),
        solution=(*turned(button), *made, *save_as(target)),
        near_misses=(
            NearMiss(name="in the parent folder", moves=(*turned(button), *save_as(f"Documents/{subject}-turned.png"))),
            NearMiss(name="turned the other way", moves=(*turned(-11 - button), *made, *save_as(target))),
            NearMiss(name="not turned", moves=(*made, *save_as(target))),
        ),
    )
