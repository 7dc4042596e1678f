"""The home folder is one device, so that programs move files in it instead of copying them."""

from __future__ import annotations

import pytest

from proctor.actions.action import Drag
from proctor.computers.backends.sandbox.computer import SandboxComputer

pytestmark = [pytest.mark.sandbox]


def test_files_of_the_image_new_ones_and_changed_ones_are_of_one_device() -> None:
    with SandboxComputer() as computer:
        computer.write_file("Documents/new.txt", b"new\n")
        computer.run(["sh", "-c", "mkdir made; echo '# more' >> .profile"])
        told = computer.run(
            ["stat", "-c", "%d", "/", ".", "Documents", "Documents/new.txt", ".profile", ".bashrc", "made"]
        )
        assert len(told.stdout.split()) == 7 and len(set(told.stdout.split())) == 1


def test_a_file_that_is_dragged_to_a_folder_is_moved() -> None:
    with SandboxComputer(image="full") as computer:
        computer.write_file("Downloads/letter.txt", b"Dear all\n")
        computer.write_file("Downloads/Inner/kept.txt", b"x\n")
        computer.launch(["thunar", "Downloads"], window="Downloads")
        source, target = (
            computer.locate(role="table cell", name=name, app="Thunar").box.center for name in ("letter.txt", "Inner")
        )
        computer.perform(Drag(path=(source, (source[0] + 12, source[1] + 2), target)))
        computer.settle()
        assert computer.read_file("Downloads/Inner/letter.txt") == b"Dear all\n"
        with pytest.raises(FileNotFoundError):
            computer.file_info("Downloads/letter.txt")
