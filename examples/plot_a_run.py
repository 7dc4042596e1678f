"""Plot what each step of a run's episodes took, from its record: the agent's thinking, the action, the look."""

import argparse
from pathlib import Path

from PIL import Image, ImageDraw

from proctor import open_run

COLOURS = {"agent": "#4c78a8", "act": "#f58518", "see": "#54a24b"}
WIDTH, ROW, LEFT = 900, 36, 260


def main() -> None:
    """Draw one row for each episode, next to the screen at its end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, help="the folder of a run, such as `make run` leaves")
    parser.add_argument("--out", type=Path, default=Path("steps.png"), help="where the plot goes")
    arguments = parser.parse_args()

    rows = []
    for episode in open_run(arguments.run).episodes():
        took = {part: 0.0 for part in COLOURS}
        last = None
        for step in episode.steps():
            for part in took:
                took[part] += getattr(step.seconds, part, None) or 0.0
            if step.end and step.screenshot:  # the picture is read here
                last = step.screenshot.resize((ROW * 16 // 9, ROW - 4))
        rows.append((episode.result, took, last))

    plot(rows).save(arguments.out)
    print(f"{len(rows)} episodes in {arguments.out}")


def plot(rows: list) -> Image.Image:
    """Return the rows as a picture."""
    image = Image.new("RGB", (WIDTH, ROW * (len(rows) + 1)), "white")
    draw = ImageDraw.Draw(image)
    longest = max((sum(took.values()) for _, took, _ in rows), default=0.0) or 1.0
    for number, (result, took, last) in enumerate(rows):
        top, x = number * ROW, float(LEFT)
        draw.text((70, top + 4), f"{result.key.task}\n{result.key.agent}: {result.score}", fill="black")
        if last is not None:
            image.paste(last, (2, top + 2))
        for part, seconds in took.items():
            width = seconds / longest * (WIDTH - LEFT - 10)
            draw.rectangle((x, top + 6, x + width, top + ROW - 6), fill=COLOURS[part])
            x += width
    legend = "   ".join(f"{part}" for part in COLOURS)
    draw.text((LEFT, ROW * len(rows) + 10), f"seconds, up to {longest:.2f}: {legend}", fill="black")
    return image


if __name__ == "__main__":
    main()
