"""Setup steps that set the clocks of the world."""

from __future__ import annotations

from typing import Literal

from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP

City = Literal["Auckland", "Cairo", "Lisbon", "Melbourne", "Nairobi", "Oslo", "Toronto"]

# Weather station, then the places of city and station in radians, as GNOME Clocks keeps them.
_PLACES: dict[City, tuple[str, str, str]] = {
    "Auckland": ("NZAA", "-0.64606271726433173, 3.0508355324860883", "-0.64344472338634029, 3.0502537618865206"),
    "Cairo": ("HECA", "0.52592587544986047, 0.54803338512621935", "0.52447144022429604, 0.54541539124822791"),
    "Lisbon": ("LPPT", "0.6766059791742326, -0.15940673253105125", "0.67573331454823549, -0.15940673253105125"),
    "Melbourne": ("YMML", "-0.65740735740229495, 2.5278185274873568", "-0.6600253512802865, 2.5301456447922108"),
    "Nairobi": ("HKJK", "-0.022980174302356177, 0.6443173880123374", "-0.022398386249496388, 0.64257205876034318"),
    "Oslo": ("ENGM", "1.0506882097005865, 0.19344065294494067", "1.0457431159710333, 0.18762289458939041"),
    "Toronto": ("CYTZ", "0.76154532446909495, -1.3857914260834978", "0.76212711252195475, -1.3860823201099277"),
}


@SETUP.register_before_use
def world_clocks(context: SetupContext, cities: list[City]) -> None:
    """Give GNOME Clocks clocks for exactly these cities."""
    context.command(["gsettings", "set", "org.gnome.clocks", "world-clocks", clocks_setting(cities)])


def clocks_setting(cities: list[City]) -> str:
    """Return the setting that holds these clocks."""
    places = [
        f"{{'location': <(uint32 2, <('{city}', '{station}', true, [({here})], [({there})])>)>}}"
        for city, (station, here, there) in ((city, _PLACES[city]) for city in cities)
    ]
    return f"[{', '.join(places)}]" if places else "@aa{sv} []"
