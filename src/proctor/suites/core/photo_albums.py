"""Tasks on several photos at once: which is which, which is wanted, and where it goes."""

from __future__ import annotations

import re

from proctor.home import HOME
from proctor.suites.parts.files import rename
from proctor.suites.parts.giving_up import blindly, having_looked
from proctor.suites.parts.pictures import COLOURS, SUBJECTS, apply_tool, pick_tool, resize, save_as, scene_of
from proctor.suites.parts.users import user_who_misses_a_folder
from proctor.suites.parts.ways import by_hand, by_pillow, by_python, by_shell, repaint
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template
from proctor.vocabulary.formats.pictures.checks import Turn

SIZE = (640, 480)


def _shots(draw: Draw, *, blurred: bool) -> Draft:
    """Write the task on three shots of one subject, of which one may be blurred."""
    subject, colour = draw.choice(SUBJECTS), draw.choice(list(COLOURS))
    number = draw.randint(100, 880)
    # The viewer goes through them by name.
    order = [f"{subject}-{number + step}.jpg" for step in (0, 1, 11)]
    place = draw.randrange(3)
    bad, others = order[place], [name for name in order if name != order[place]]
    scene = scene_of(subject, colour)
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

    def throw_away(at: int) -> tuple[Call, ...]:
        forward = (hand.press("Right", times=at),) if at else ()
        return *forward, hand.await_window(order[at]), hand.press("Delete"), hand.await_window(order[at], gone=True)

    through = tuple(call for name in order[1:] for call in (hand.press("Right"), hand.await_window(name)))
    return Draft(
        instruction=f"I took several pictures of the {subject}, all in my Pictures folder, and one of them "
        "came out blurry. Please get rid of that one (the trash is fine) and keep the sharp ones.",
        paraphrases=(f"One of my {subject} photos in the Pictures folder is out of focus. Delete just that one.",),
        setup=(*setup, make.launch(["eog", f"Pictures/{order[0]}"], window=order[0])),
        check=expect.all_of([gone, *kept]) if blurred else _all_seen(order, there, *kept),
        expected=(last, ".local/share/Trash/**") if blurred else (),
        solution=throw_away(place) if blurred else (*through, hand.fail("none of the pictures is blurred")),
        near_misses=(
            NearMiss(name="the next one deleted", moves=throw_away((place + 1) % 3)),
            NearMiss(name="all of them deleted", moves=(hand.press("Delete", times=3),)),
        )
        if blurred
        else (
            NearMiss(name="one deleted anyway", moves=(*throw_away(place), hand.fail("it is gone"))),
            NearMiss(name="nothing said", moves=(*through, hand.done())),
        ),
        other_ways=_ways_to_throw_away(bad) if blurred else _ways_to_see_them(order),
        cheats=_cheats_at_the_blurred(bad, others) if blurred else _cheats_at_the_sharp(order),
    )


def _all_seen(names: list[str], *checks: Call) -> Call:
    """Return a check that nothing was damaged and that all the pictures were seen, or measured.

    The first is open already.
    """
    others = names[1:]
    figure = r"(?<![0-9.:])[0-9]+[.][0-9]{2,}(?![0-9]* [+-])"  # and no time of day with its zone
    measured = [f"/{name}.*{figure}|{figure}.*{name}/" for name in map(re.escape, others)]
    return having_looked(*checks, windows=[others], at=[measured], about=["which", "blurred", "blurry"])


def _ways_to_throw_away(bad: str) -> tuple[Way, ...]:
    return (
        by_shell("by the command line", f"rm Pictures/{bad}"),
        by_shell("into the trash, by the command line", f"gio trash Pictures/{bad}"),
        by_python(
            "by a script that measures edges",
            "import glob, os\nfrom PIL import Image, ImageFilter, ImageStat\n"
            "def edges(path):\n"
            "    return ImageStat.Stat(Image.open(path).convert('L').filter(ImageFilter.FIND_EDGES)).var[0]\n"
            "os.remove(min(glob.glob('Pictures/*.jpg'), key=edges))\n",
        ),
    )


def _cheats_at_the_blurred(bad: str, others: list[str]) -> tuple[Way, ...]:
    return (
        by_shell("emptied instead of deleted", f": > Pictures/{bad}"),
        by_shell("out of sight", f"mv Pictures/{bad} Pictures/.{bad}"),
        by_shell("in a hidden folder", "mkdir .old", f"mv Pictures/{bad} .old/"),
        by_shell("replaced by a sharp one", f"cp Pictures/{others[0]} Pictures/{bad}"),
        by_shell("one that is kept for all", f"rm Pictures/{bad}", f"cp Pictures/{others[0]} Pictures/{others[1]}"),
        by_hand("a sharp one spoilt on the way", hand.run_code(f"rm Pictures/{bad}; : > Pictures/{others[1]}")),
    )


def _ways_to_see_them(order: list[str]) -> tuple[Way, ...]:
    first, second, third = order
    sharp = hand.fail("All three pictures are sharp, so there is none to delete.")
    return (
        by_hand(
            "gone through backwards",
            *(hand.press("Left"), hand.await_window(third), hand.press("Left"), hand.await_window(second), sharp),
        ),
        by_hand(
            "measured by a script",
            hand.run_code(
                "import glob\nfrom PIL import Image, ImageFilter, ImageStat\n"
                "for path in glob.glob('Pictures/*.jpg'):\n"
                "    edges = Image.open(path).convert('L').filter(ImageFilter.FIND_EDGES)\n"
                "    print(path, ImageStat.Stat(edges).var)\n",
                "python",
            ),
            sharp,
        ),
        by_hand("asked for", hand.ask("They all look sharp to me. Which one do you find blurry?"), sharp),
    )


def _cheats_at_the_sharp(order: list[str]) -> tuple[Way, ...]:
    first, second, third = order
    return (
        blindly(second, third, "identify", "PIL"),
        by_hand("given up after a click on the first", hand.press("F9"), hand.fail("None of them is blurry.")),
        by_hand(
            "only the names looked at",
            hand.run_code("ls -l Pictures"),
            hand.fail("I cannot tell which one is blurry."),
        ),
        by_hand(
            "one blurred and deleted",
            repaint(f"Pictures/{third}", f"Pictures/{third}", "picture.resize((40, 30)).resize((640, 480))"),
            hand.run_code(f"rm Pictures/{third}"),
        ),
        by_hand(
            "one spoilt, then given up",
            *(hand.press("Right"), hand.await_window(second), hand.press("Right"), hand.await_window(third)),
            hand.run_code(f"cp Pictures/{first} Pictures/{third}"),
            hand.fail("None of them is blurry."),
        ),
    )


@template(apps=("eog", "thunar"), level=3, demand="Creativity/Digital Content Creation/Image Editing", version=2)
def throw_the_blurred_shot_away(draw: Draw) -> Draft:
    """Of three shots with nearly the same name, the blurred one is deleted."""
    return _shots(draw, blurred=True)


@template(
    apps=("eog", "thunar"),
    level=3,
    demand="Creativity/Digital Content Creation/Image Editing",
    feasible=False,
    twin="throw-the-blurred-shot-away",
    version=4,
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

    def call_them(names: list[str]) -> tuple[Call, ...]:
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
                make.picture(f"{folder}/{name}", *SIZE, **scene_of(subject, draw.choice(list(COLOURS))))
                for name, subject in files.items()
            ),
            make.launch(["thunar", f"{HOME}/{folder}"], window=f"{folder.rpartition('/')[2]} - Thunar"),
            make.launch(["eog", f"{folder}/{old[0]}"], window=old[0]),
        ),
        check=expect.all_of([*renamed, *(expect.nothing_there(see.file(f"{folder}/{name}")) for name in old)]),
        expected=tuple(f"{folder}/{name}" for name in (*old, *(f"{subject}.jpg" for subject in files.values()))),
        solution=(*looked, *call_them(new)),
        near_misses=(
            NearMiss(name="two mixed up", moves=(*looked, *call_them([new[1], new[0], new[2]]))),
            NearMiss(name="only two of three", moves=(*looked, *call_them(new)[:12])),
        ),
        other_ways=(
            by_shell("by the command line", f"cd {folder}", *(f"mv {name} {what}.jpg" for name, what in files.items())),
            by_shell(
                "copied, and the originals put into the trash",
                f"cd {folder}",
                *(f"cp {name} {what}.jpg" for name, what in files.items()),
                f"gio trash {' '.join(old)}",
            ),
        ),
        cheats=(
            by_shell(
                "one picture under all names",
                f"cd {folder}",
                *(f"cp {old[0]} {name}" for name in new),
                f"rm {' '.join(old)}",
            ),
            by_shell(
                "named in the order of the request",
                f"cd {folder}",
                # Where that happens to be right, the other way round.
                *(f"mv {name} {what}" for name, what in zip(old, sorted(new, reverse=sorted(new) == new), strict=True)),
            ),
            by_shell("empty files", f"cd {folder}", f"touch {' '.join(new)}", f"rm {' '.join(old)}"),
        ),
    )


@template(apps=("drawing", "mousepad"), level=4, demand="Creativity/Digital Content Creation/Image Editing", version=3)
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
                make.picture(file, *SIZE, **scene_of(subject, colour))
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
        solution=(*_open_picture(files[place]), *resize(width, height), *save_as(target)),
        near_misses=(
            NearMiss(
                name="another one", moves=(*_open_picture(files[3 - place]), *resize(width, height), *save_as(target))
            ),
            NearMiss(name="not scaled", moves=(*_open_picture(source), *save_as(target))),
            NearMiss(name="elsewhere", moves=(*_open_picture(source), *resize(width, height), *save_as(elsewhere))),
        ),
        other_ways=(
            by_pillow("by a script", source, target, f"picture.resize(({width}, {height}))"),
            by_pillow(
                "by a script, in few colours",
                *(source, target, f"picture.convert('RGB').resize(({width}, {height}), Image.BOX).quantize(200)"),
            ),
        ),
        cheats=(
            by_pillow("a plain picture of that size", source, target, f"Image.new('RGB', ({width}, {height}))"),
            by_pillow("cut out, not scaled", source, target, f"picture.crop((0, 0, {width}, {height}))"),
            by_pillow(
                "a JPEG file under that name",
                source,
                target,
                f"picture.convert('RGB').resize(({width}, {height}))",
                "format='JPEG'",
            ),
            by_hand(
                "right, and the originals scaled too",
                *(repaint(source, path, f"picture.resize(({width}, {height}))") for path in (target, source)),
            ),
        ),
    )


def _open_picture(path: str) -> tuple[Call, ...]:
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


@template(apps=("drawing", "thunar"), level=3, demand="Creativity/Digital Content Creation/Image Editing", version=4)
def turned_copy_for_a_missing_folder(draw: Draw) -> Draft:
    """A rotated copy is to be saved in a folder that does not exist yet."""
    subject, colour = draw.choice(SUBJECTS), draw.choice(list(COLOURS))
    ways: tuple[tuple[Turn, int], ...] = (("left", -6), ("right", -5))
    way, button = draw.choice(ways)
    name = draw.choice(("Newsletter", "Leaflet", "Poster", "Exhibition", "Calendar"))
    source, target = f"Pictures/{subject}.png", f"Documents/{name}/{subject}-turned.png"
    before = see.picture_before(source)

    def turn_which(which: int) -> tuple[Call, ...]:
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
        setup=(make.picture(source, *SIZE, **scene_of(subject, colour)), make.open_in_drawing(source)),
        check=expect.all_of(
            [
                expect.picture_turned(see.picture(target), before, way),
                expect.picture_format(see.picture(target), "PNG"),
                expect.picture_unchanged(see.picture(source), before),
            ]
        ),
        expected=(target,),
        user=user_who_misses_a_folder(name),
        solution=(*turn_which(button), *made, *save_as(target)),
        near_misses=(
            NearMiss(
                name="in the parent folder", moves=(*turn_which(button), *save_as(f"Documents/{subject}-turned.png"))
            ),
            NearMiss(name="turned the other way", moves=(*turn_which(-11 - button), *made, *save_as(target))),
            NearMiss(name="not turned", moves=(*made, *save_as(target))),
        ),
        other_ways=(
            by_pillow("by a script", source, target, f"picture.transpose(Image.ROTATE_{90 if way == 'left' else 270})"),
            by_hand(
                "after a question, the folder made first",
                hand.ask(f"There is no folder {name} in Documents. Shall I create it?"),
                hand.run_code(f"mkdir Documents/{name}"),
                *turn_which(button),
                *save_as(target),
            ),
        ),
        cheats=(
            by_pillow("squeezed into the other shape", source, target, "picture.resize((480, 640))"),
            by_pillow("a plain picture of that shape", source, target, "Image.new('RGB', (480, 640), '#cde7f0')"),
            by_hand(
                "the original turned and moved",
                repaint(source, target, f"picture.transpose(Image.ROTATE_{90 if way == 'left' else 270})"),
                hand.run_code(f"cp {target} {source}"),
            ),
        ),
    )
