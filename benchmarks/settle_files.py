"""What the scenes of the settling battery find on their computers: files, a web site, and letters."""

from __future__ import annotations

from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import make, run

SITE = "Town"
OWNER = ("grace@town.example", "open-sesame", "Grace Hopper")


def open_mail(context: SetupContext) -> None:
    """Start a mail service with a dozen letters, and Thunderbird for their owner."""
    address, password, name = OWNER
    letters = [
        {
            "from": f"Ada Lovelace <ada{number}@town.example>",
            "to": f"{name} <{address}>",
            "subject": f"Lamp {number}",
            "date": f"2026-03-{number:02} 10:00".replace(" ", "T") + ":00",
            "text": f"Lamp {number} in the street is out.\n" * number,
        }
        for number in range(1, 13)
    ]
    account = {"address": address, "password": password, "name": name, "folders": {"INBOX": letters}}
    run(make.mail_service([account]), context)
    run(make.thunderbird(address, password, name, [], "mail"), context)


def files() -> dict[str, str]:
    """Return the files that scenes find in the home folder."""
    rows = "".join(f"Street {number},{number * 7},{number % 5}\n" for number in range(1, 41))
    lines = "".join(f"<p>street {number}: {'lamp ' * (number % 9)}</p>" for number in range(1, 400))
    cells = "".join(f'<img src="lamp{number}.svg" width="160">' for number in range(12))
    lamps = {
        f"site/lamp{number}.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"><circle cx="80" '
        f'cy="60" r="{10 + number * 4}" fill="hsl({number * 30},70%,50%)"/></svg>'
        for number in range(12)
    }
    form = (
        "<form action=index.html><p><label>Name <input name=a></label><p><label>Kind <select name=b><option>lamp"
        "<option>road<option>tree</select></label><p><label><input type=checkbox name=c> urgent</label>"
        "<p><button>Send</button></form>"
    )
    # What is fetched by a script, as most pages do, is drawn after the page itself.
    late = (
        "<div id=list>...</div><script>fetch('long.html').then(r=>r.text()).then(t=>{document.getElementById('list')"
        ".innerHTML=t.slice(0,3000)})</script>"
    )
    pages = {
        "index": "<h1>Town</h1><p><a href=long.html>Streets</a> <a href=form.html>Tell us</a>",
        "long": f"<h1>Streets</h1>{lines}",
        "form": form,
        "late": late,
        "pictures": cells,
    }
    head = f"<!doctype html><meta charset=utf-8><title>{SITE}: {{}}</title>"
    site = {f"site/{name}.html": head.format(name) + body for name, body in pages.items()}
    return {"notes.txt": "Milk\nEggs\n" * 20, "table.csv": f"street,lamps,out\n{rows}", **site, **lamps}
