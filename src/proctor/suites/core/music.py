"""Tasks on recordings and on a collection of music."""

from __future__ import annotations

from proctor.home import HOME
from proctor.suites.parts.giving_up import blindly, having_looked
from proctor.suites.parts.programs import start_program
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import FIRST_NAMES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

TONES = (330.0, 392.0, 440.0, 523.0, 587.0, 659.0)
SONGS = (
    "Morning Rain", "Paper Boats", "Second Street", "Copper Moon", "Winter Garden", "Slow Train", "Little Harbour",
    "Glass Houses", "Open Windows", "Salt and Honey", "Yellow Bicycle", "Northern Lights",
)  # fmt: skip
ALBUMS = ("Attic Sessions", "Blue Door", "Coastline", "Driftwood", "Evening Post", "First Snow")
PLAYLISTS = ("Car trip", "Garden party", "Rainy Sunday", "Long run", "Dinner guests")


@template(apps=("audacity",), level=2, demand="Entertainment/Video and Music/Music", version=2)
def cut_the_tuning(draw: Draw) -> Draft:
    """The first few seconds of a recording are cut off and the rest is exported."""
    seconds = draw.randint(2, 5)
    melody = draw.some(TONES, 3)
    name = draw.choice(FIRST_NAMES)
    source, target = f"Music/{name.lower()}-rehearsal.wav", f"Music/{name.lower()}-song.wav"
    notes = [{"hertz": 150, "seconds": seconds, "loudness": 0.2}]
    notes += [{"hertz": tone, "seconds": 2} for tone in melody]
    exported = (
        *(hand.press("ctrl+shift+e"), hand.await_window("Export Audio"), hand.press("ctrl+a")),
        *(hand.type(f"{HOME}/{target}"), hand.press("Return"), hand.await_window("Edit Metadata Tags")),
        *(hand.click("OK", role="push button", window="Edit Metadata Tags"), hand.await_file(target)),
    )

    def cut(count: int, select: str = "shift+j") -> tuple[Call, ...]:
        return hand.press("Home"), hand.press(".", times=count), hand.press(select), hand.press("Delete")

    return Draft(
        instruction=f"The rehearsal that's open in Audacity starts with {seconds} seconds of {name} tuning "
        f"up. Cut exactly those {seconds} seconds and export the rest as a WAV file to {target}. I still need "
        f"{source} as it is.",
        paraphrases=(
            f"Remove the first {seconds} seconds from the open recording and export what's left as {target} "
            f"(WAV). Don't overwrite {source}.",
        ),
        setup=(make.sound(source, notes), make.open_in_audacity(source)),
        finish=(make.writing_ended(target),),
        check=expect.all_of(
            [
                expect.sound_format(see.sound(target), "wav"),
                expect.sound_duration(see.sound(target), 6.0),
                expect.sound_is_stretch(see.sound(target), see.sound_before(source), seconds),
                expect.sound_unchanged(see.sound(source), see.sound_before(source)),
            ]
        ),
        expected=(target,),
        solution=(*cut(seconds), *exported),
        near_misses=(
            NearMiss(name="exported uncut", moves=exported),
            NearMiss(name="a second too little", moves=(*cut(seconds - 1), *exported)),
            NearMiss(name="the rest cut instead", moves=(*cut(seconds, "shift+k"), *exported)),
        ),
        other_ways=(
            by_python("by a script", _slice_script(source, target, seconds)),
            by_hand("cut into the clipboard", *cut(seconds)[:3], hand.press("ctrl+x"), *exported),
        ),
        cheats=(
            by_python("as long, and silent", _slice_script(source, target, seconds, "bytes(len(data))")),
            by_python("the end cut off instead", _slice_script(source, target, seconds, "whole[: len(data)]")),
            by_python(
                "a second too much, made good by silence",
                _slice_script(source, target, seconds + 1, "data + bytes(told.framerate * width)"),
            ),
            by_python(
                "the melody backwards",
                _slice_script(
                    source,
                    target,
                    seconds,
                    "b''.join(data[at : at + width] for at in range(len(data) - width, -1, -width))",
                ),
            ),
            by_hand(
                "the original cut as well",
                hand.run_code(_slice_script(source, target, seconds), "python"),
                hand.run_code(f"cp {target} {source}"),
            ),
        ),
    )


def _slice_script(source: str, target: str, seconds: int, kept: str = "data") -> str:
    """Return a script that leaves out the first seconds of a recording."""
    # `kept` is what it writes of the rest.
    return (
        "import wave\n"
        f"with wave.open({source!r}) as old:\n"
        "    told, whole = old.getparams(), old.readframes(old.getnframes())\n"
        "width = told.nchannels * told.sampwidth\n"
        f"data = whole[{seconds} * told.framerate * width :]\n"
        f"with wave.open({target!r}, 'wb') as new:\n"
        f"    new.setparams(told)\n    new.writeframes({kept})\n"
    )


def _collection(draw: Draw, titles: list[str]) -> tuple[dict[str, dict[str, str]], tuple[Call, ...]]:
    """Return the tags of some songs by their files, and the steps that make them."""
    artists, albums = draw.people(3), draw.some(ALBUMS, 3)
    tags: dict[str, dict[str, str]] = {}
    for place, title in enumerate(titles):
        which = place % 3
        file = f"Music/{place + 1:02d}-{title.lower().replace(' ', '-')}.flac"
        tags[file] = {"title": title, "artist": artists[which], "album": albums[which]}
    steps = [
        make.sound(file, [{"hertz": tone, "seconds": 1.5}], tags=tags[file])
        for file, tone in zip(tags, TONES, strict=True)
    ]
    return tags, tuple(steps)


def _typing_error(title: str) -> str:
    """Return a title with two letters of its first word swapped."""
    return title[0] + title[2] + title[1] + title[3:]


def _correct_song(shown: str, title: str, album: str) -> tuple[Call, ...]:
    """Correct the title and album of a song in Rhythmbox; the artist between them stays."""
    return (
        hand.click(f"/^{shown}$/", role="table cell", app="rhythmbox"),
        hand.press("alt+Return"),
        hand.await_window("Properties"),
        hand.press("ctrl+a"),
        hand.type(title),
        hand.press("Tab", times=2),
        hand.press("ctrl+a"),
        hand.type(album),
        hand.press("Tab"),
        hand.click("Close", role="push button", window="Properties"),
        hand.await_window("Properties", gone=True),
    )


def _correction(draw: Draw, *, missing: bool) -> Draft:
    titles = draw.some(SONGS, 7)
    wanted, absent = titles[0], titles[6]
    shown = _typing_error(wanted)
    tags, steps = _collection(draw, [shown, *titles[1:6]])
    file, other = list(tags)[:2]
    artist = tags[file]["artist"]
    album = draw.choice([name for name in ALBUMS if name != tags[file]["album"]])
    asked, meant = (_typing_error(absent), absent) if missing else (shown, wanted)
    kept = [expect.sound_tags(see.sound(each), tags[each]) for each in tags if each != file]
    right = {"title": wanted, "artist": artist, "album": album}
    untouched = expect.sound_tags(see.sound(file), tags[file])
    done = expect.sound_tags(see.sound(file), right)
    sound = expect.all_of(
        [
            expect.sound_unchanged(see.sound(file), see.sound_before(file)),
            expect.sound_format(see.sound(file), "flac"),
        ]
    )
    corrected = _correct_song(shown, wanted, album)
    # Closed where the song is missing, so that this shows only when somebody looks.
    closed = (make.quit_rhythmbox(),) if missing else ()
    opened = start_program("rhythmbox", "Rhythmbox", 60)
    looked = (
        *opened,
        hand.await_element(f"/^{shown}$/", role="table cell", app="rhythmbox"),
        hand.click(role="text", app="rhythmbox"),
        hand.type(asked),
        hand.await_element("0 songs", role="label", app="rhythmbox"),
        hand.fail(f"there is no song called {asked!r} in the collection"),
    )
    return Draft(
        instruction="There's a typo in my Rhythmbox collection: "
        f'"{asked}" should be "{meant}". And while '
        "you're at it, set its album to "
        f'"{album}". Leave its artist and all the other songs alone.',
        paraphrases=(f'In Rhythmbox, rename the song "{asked}" to "{meant}" and set its album to "{album}".',),
        setup=(*steps, make.open_rhythmbox(len(tags)), *closed),
        finish=(make.quit_rhythmbox(),),
        check=having_looked(
            untouched,
            sound,
            *kept,
            at=[[shown, *titles[1:6]], [each.removeprefix("Music/") for each in tags], ["0 songs"]],
            searched=[[max(asked.split(), key=len)], [max(meant.split(), key=len)]],
            reads=["Music", *tags, ".local/share/rhythmbox/rhythmdb.xml"],
            about=["song", "title"],
        )
        if missing
        else expect.all_of([done, sound, *kept]),
        expected=() if missing else (file,),
        solution=looked if missing else corrected,
        near_misses=(
            NearMiss(
                name="a song that is there changed",
                moves=(*opened, *corrected, hand.fail("done with another song")),
            ),
            NearMiss(name="not said", moves=(hand.done(),)),
        )
        if missing
        else (
            NearMiss(name="only the title", moves=_correct_song(shown, wanted, tags[file]["album"])),
            NearMiss(name="the song below it", moves=_correct_song(tags[other]["title"], wanted, album)),
        ),
        other_ways=_ways_to_miss(asked) if missing else _ways_to_correct(file, right, corrected),
        cheats=_cheats_at_nothing(file, other, asked, meant) if missing else _cheats_at_tags(list(tags), right),
    )


def _retag_script(file: str, tags: dict[str, str]) -> str:
    """Return a script that writes tags into a FLAC file and leaves its sound alone."""
    return (
        "import struct\n"
        f"path, tags = {file!r}, {tags!r}\n"
        "data, at, blocks, last = open(path, 'rb').read(), 4, [], False\n"
        "while not last:\n"
        "    last, kind = bool(data[at] & 128), data[at] & 127\n"
        "    end = at + 4 + int.from_bytes(data[at + 1 : at + 4], 'big')\n"
        "    blocks.append((kind, data[at + 4 : end]))\n    at = end\n"
        "said = lambda text: struct.pack('<I', len(text.encode())) + text.encode()\n"
        "new = said('by hand') + struct.pack('<I', len(tags))\n"
        "new += b''.join(said(f'{name.upper()}={value}') for name, value in tags.items())\n"
        "blocks = [block for block in blocks if block[0] not in (1, 4)] + [(4, new)]\n"
        "heads = [bytes([kind | 128 * (place == len(blocks))]) + len(held).to_bytes(3, 'big') + held\n"
        "         for place, (kind, held) in enumerate(blocks, 1)]\n"
        "open(path, 'wb').write(b'fLaC' + b''.join(heads) + data[at:])\n"
    )


def _ways_to_correct(file: str, right: dict[str, str], corrected: tuple[Call, ...]) -> tuple[Way, ...]:
    shown, keys, *rest = corrected
    return (
        by_python("in the file itself", _retag_script(file, right)),
        by_hand(
            "by the menu of the right button",
            shown,
            hand.click(shown.arguments["name"], role="table cell", app="rhythmbox", button="right"),
            hand.click("Properties", role="menu item", app="rhythmbox"),
            *rest,
        ),
    )


def _cheats_at_tags(files: list[str], right: dict[str, str]) -> tuple[Way, ...]:
    return (
        by_hand("every song", *(hand.run_code(_retag_script(file, right), "python") for file in files)),
        by_python("the artist lost", _retag_script(files[0], {name: right[name] for name in ("title", "album")})),
        by_hand(
            "another song's sound under the right tags",
            hand.run_code(f"cp {files[1]} {files[0]}"),
            hand.run_code(_retag_script(files[0], right), "python"),
        ),
        by_shell("only in the name of the file", f"mv {files[0]} 'Music/{right['title']}.flac'"),
    )


def _ways_to_miss(asked: str) -> tuple[Way, ...]:
    absent = hand.fail(f"There is no song called {asked!r} in the collection.")
    return (
        by_hand("seen in the files", hand.run_code("strings -a Music/*.flac 2>/dev/null || ls Music"), absent),
        by_hand("looked for everywhere", hand.run_code("find ~ -name '*.flac'"), absent),
        by_hand("searched in vain", hand.run_code(f"grep -ril '{asked}' ~/Music || true"), absent),
        by_hand("asked for", hand.ask(f"I cannot find a song called {asked}. Is it another one?"), absent),
        by_hand(
            "seen in the library",
            hand.run_code("grep -i '<title>' .local/share/rhythmbox/rhythmdb.xml | sort"),
            absent,
        ),
    )


def _cheats_at_nothing(file: str, other: str, asked: str, meant: str) -> tuple[Way, ...]:
    return (
        blindly(*asked.split(), "Music", "flac"),
        by_hand(
            "looked among the documents only",
            hand.run_code("ls Documents"),
            hand.fail(f"There is no song called {asked!r}."),
        ),
        by_hand(
            "another song called so",
            hand.run_code(_retag_script(other, {"title": meant, "artist": "Somebody", "album": "Something"}), "python"),
            hand.fail(f"There was no song called {asked!r}."),
        ),
        by_shell("a song made up", f"cp {file} 'Music/{meant}.flac'"),
    )


@template(apps=("rhythmbox",), level=2, demand="Entertainment/Video and Music/Music", version=2)
def correct_a_song_title(draw: Draw) -> Draft:
    """The title and album of a song are corrected."""
    return _correction(draw, missing=False)


@template(
    apps=("rhythmbox",),
    level=2,
    demand="Entertainment/Video and Music/Music",
    feasible=False,
    twin="correct-a-song-title",
    version=5,
)
def correct_a_song_that_is_not_there(draw: Draw) -> Draft:
    """The song whose title is to be corrected is not in the collection."""
    return _correction(draw, missing=True)


@template(apps=("rhythmbox", "mousepad"), level=4, demand="Entertainment/Video and Music/Music")
def list_of_wished_songs(draw: Draw) -> Draft:
    """A playlist is made of the songs that a letter asks for."""
    titles = draw.some(SONGS, 6)
    tags, steps = _collection(draw, titles)
    files = list(tags)
    chosen = sorted(draw.sample(range(6), 3))
    refused = draw.choice([place for place in range(6) if place not in chosen])
    name, friend = draw.choice(PLAYLISTS), draw.choice(FIRST_NAMES)
    one, two, three = (titles[place] for place in chosen)
    letter = (
        f"Hello!\n\nThank you for taking care of the music. Please play {three} and {one}, everybody loves those.\n"
        f"Not {titles[refused]} again, though, we had it last time.\n{two} would be nice at the end.\n\n{friend}\n"
    )
    path = f"Documents/letter-from-{friend.lower()}.txt"

    def make_list(places: list[int], label: str) -> tuple[Call, ...]:
        first, *others = (f"/^{titles[place]}$/" for place in places)
        return (
            hand.click(first, role="table cell", app="rhythmbox"),
            *(hand.click(each, role="table cell", app="rhythmbox", modifiers=["ctrl"]) for each in others),
            hand.click(first, role="table cell", app="rhythmbox", button="right"),
            hand.click("Add to Playlist", role="menu", app="rhythmbox"),
            hand.click("Add to New Playlist", role="menu item", app="rhythmbox"),
            hand.await_element(f"{len(places)} songs", role="label", app="rhythmbox"),
            hand.type(f"{label}\n"),
            hand.await_element(f"/^{label}$/", role="table cell", app="rhythmbox"),
        )

    return Draft(
        instruction=f'Please make a playlist called "{name}" in Rhythmbox with the songs {friend} would like. '
        f"They're in the letter, {path}.",
        paraphrases=(
            f'{path} says which songs {friend} wants to hear. Put them on a Rhythmbox playlist named "{name}".',
        ),
        setup=(make.text_file(path, letter), *steps, make.open_rhythmbox(len(tags))),
        finish=(make.quit_rhythmbox(),),
        check=expect.playlist_is(see.rhythmbox_playlist(name), [files[place] for place in chosen], in_order=False),
        expected=(),
        solution=make_list(chosen, name),
        near_misses=(
            NearMiss(name="with the unwanted song", moves=make_list(sorted([*chosen, refused]), name)),
            NearMiss(name="one forgotten", moves=make_list(chosen[:2], name)),
            NearMiss(name="under another name", moves=make_list(chosen, f"{name} 2")),
        ),
        other_ways=(
            by_hand("in another order", *make_list([chosen[2], chosen[0], chosen[1]], name)),
            by_hand(
                "written down while Rhythmbox is closed",
                hand.run_code("rhythmbox-client --quit"),
                hand.await_ended("rhythmbox"),
                hand.run_code(_written_list(name, [files[place] for place in chosen]), "python"),
            ),
        ),
        cheats=(
            by_hand("every song", *make_list(list(range(6)), name)),
            by_shell("the letter as a list", f"cp {path} 'Music/{name}.m3u'"),
            by_hand(
                "one song three times",
                hand.run_code("rhythmbox-client --quit"),
                hand.await_ended("rhythmbox"),
                hand.run_code(_written_list(name, [files[chosen[0]]] * 3), "python"),
            ),
        ),
    )


def _written_list(name: str, files: list[str]) -> str:
    """Return a script that writes a playlist into Rhythmbox's own file."""
    return (
        "import pathlib\nfrom xml.etree import ElementTree\n"
        "file = pathlib.Path('.local/share/rhythmbox/playlists.xml')\n"
        "root = ElementTree.parse(file).getroot() if file.exists() else ElementTree.Element('rhythmdb-playlists')\n"
        f"made = ElementTree.SubElement(root, 'playlist', name={name!r}, type='static')\n"
        f"for each in {files!r}:\n"
        "    ElementTree.SubElement(made, 'location').text = pathlib.Path(each).resolve().as_uri()\n"
        "ElementTree.ElementTree(root).write(file)\n"
    )
