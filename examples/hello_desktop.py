"""Open a desktop, edit a file in it, and look at what changed."""

import argparse

from proctor import Click, Press, Type, open_computer


def main() -> None:
    """Do it on the backend that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", default="sandbox", help="sandbox (a real desktop) or fake (in memory)")
    parser.add_argument("--screenshot", default="", help="where to save a picture of the end")
    arguments = parser.parse_args()

    with open_computer(arguments.backend, size=(1920, 1080)) as computer:
        computer.write_file("notes.txt", b"hello")
        computer.launch(["mousepad", "notes.txt"])
        computer.baseline()

        x, y = computer.locate(role="text", app="mousepad").box.center
        clicked = computer.perform(Click(x=x, y=y))
        print("clicked:", clicked.element.describe() if clicked.element else "nothing known")
        computer.perform(Press(keys="ctrl+End"))
        print("typed, and seen in the editor:", computer.perform(Type(text=" naïve <b>")).verified)
        computer.locate(role="menu", name="File", app="mousepad").click()
        computer.locate(role="menu item", name="Save", app="mousepad").click()

        print("file:", computer.read_file("notes.txt").decode())
        print("windows:", [window.title for window in computer.windows()])
        print("ls:", computer.run(["ls"]).stdout.split())
        for change in computer.changes():
            print(change.kind, change.path, f"{change.size} bytes")
        if arguments.screenshot:
            computer.screenshot().save(arguments.screenshot)


if __name__ == "__main__":
    main()
