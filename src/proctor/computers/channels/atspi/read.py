"""The reading of the whole accessibility tree."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from proctor.computers.channels.atspi.ask import ACCESSIBLE, PREFIX, Asker, get, get_children, refs_of
from proctor.computers.channels.atspi.details import Memory, ask_details
from proctor.computers.channels.atspi.link import AtspiLink, WindowLike
from proctor.computers.channels.atspi.nodes import (
    NOWHERE,
    WINDOW_ROLES,
    AtspiApplication,
    Details,
    Placed,
    Ref,
    TreeItem,
    arrange,
    build_tree,
    hangs_together,
    incomplete,
    make_item,
    parse_items,
)
from proctor.computers.channels.atspi.shift import shift_boxes
from proctor.computers.channels.atspi.tables import Grid, find_headers, read_table
from proctor.computers.channels.atspi.tree_cache import NOTHING, Remembered
from proctor.computers.channels.atspi.walk import MAX_CHILDREN, Kinds, ask_items, walk
from proctor.computers.channels.dbus.client import MethodCall, variant_of
from proctor.observations.bounds import MAX_TREE_CHARS
from proctor.observations.tree import Still, Tree

MAX_TABLES = 20


class TreeReader:
    """Reads trees one after another and remembers what makes the next reading cheaper."""

    def __init__(self, link: AtspiLink) -> None:
        self.memory: Memory = {}
        self._link = link
        self._grids: dict[Ref, Grid] = {}
        self._headers: dict[Ref, list[Ref]] = {}
        """Headings of the columns of tables, which stay while a table has its columns."""
        self._walked: set[str] = set()
        self._kinds, self._kinds_in_cells = Kinds(), Kinds()
        self._latest: tuple[Sequence[Placed], Mapping[Ref, Details], Mapping[Ref, Details]] | None = None
        """What was read the last time: the items, what they said of themselves, and that in its true place."""
        self._last = NOTHING
        """The same while a tree is read by somebody who knows where nothing was drawn since."""

    def read(
        self, windows: Sequence[WindowLike], timeout_sec: float, still: Still | None = None, *, pid: int = 0
    ) -> Tree:
        """Return the tree of all applications, or of one process; `windows` should be in it, `still` is not asked."""
        self._last = Remembered.of(*self._latest, still) if still and self._latest else NOTHING
        with self._link.asker(timeout_sec) as asker:
            roots = self._link.roots(asker)
            if not roots:
                why = "the accessibility registry did not answer" if roots is None else "no application is accessible"
                return Tree((), (why,))
            roots = self._link.of_process(asker, roots, pid)
            corners = self._link.corners(asker, roots)
            self._walked |= corners.windows.keys()
            applications = self._bulk(asker, roots)
            degraded = self._walk(asker, applications, corners.windows.keys())
            self._name_windows(applications)
            cells = self._add_cells(asker, applications)
            degraded += self._enter(asker, applications, cells)
            arrangement = arrange(applications)
            details, self.memory = ask_details(
                asker,
                arrangement.placed,
                self._link.screen,
                self.memory,
                {**self._known_details(arrangement.placed), **cells},
            )
            degraded += self._complaints(asker, applications, windows)
            self._link.silent = asker.silent
        shifted = shift_boxes(arrangement.placed, details, corners)
        self._latest = arrangement.placed, details, shifted
        return build_tree(arrangement, shifted, degraded)

    def forget(self) -> None:
        """Remember no reading: the next one is asked for with another in mind."""
        self._latest = None

    def _bulk(self, asker: Asker, roots: Sequence[Ref]) -> list[AtspiApplication]:
        """Ask every application at once for all it has, and those that were found unreliable for their windows."""
        self._walked &= {ref.bus for ref in roots}
        calls = [
            call
            for ref in roots
            for call in (
                get(ref, ACCESSIBLE, "Name"),
                get_children(ref),
                MethodCall(ref.bus, f"/{PREFIX.replace('.', '/')}/cache", f"{PREFIX}.Cache", "GetItems"),
            )
            if call.member != "GetItems" or ref.bus not in self._walked
        ]
        replies = iter(asker.ask(calls))
        applications = []
        for ref in roots:
            name, windows = next(replies), next(replies)
            items = {} if ref.bus in self._walked else parse_items(next(replies), ref.bus)
            title = self._link.name(ref.bus, name)
            applications.append(AtspiApplication(ref, title, tuple(refs_of(windows, ref.bus)), items))
        return applications

    def _walk(self, asker: Asker, applications: Sequence[AtspiApplication], modest: Collection[str]) -> list[str]:
        """Believe what was told in bulk where it hangs together, and walk to all else."""
        entered: list[TreeItem] = []
        for application in applications:
            if application.ref.bus in asker.silent:
                continue
            if not hangs_together(application):
                self._walked.add(application.ref.bus)
                application.items.clear()
                entered.append(make_item(application.ref, NOWHERE))
            else:
                entered += self._restore(incomplete(application.items), applications)
        for bus in {item.ref.bus for item in entered}:
            asker.dial(bus)
        walked = walk(asker, applications, entered, self._kinds, modest, self._last)
        self._kinds = walked.kinds
        return walked.degraded

    def _name_windows(self, applications: Sequence[AtspiApplication]) -> None:
        """Give a window that has no name, or with GTK 4 only that of its class, the title that is left for it."""
        modest = self._link.modest()
        for application in applications:
            titles = set(self._link.titles(application.ref.bus))
            known = [application.items[ref] for ref in application.windows if ref in application.items]
            windows = [item for item in known if item.role in WINDOW_ROLES and item.showing]
            unnamed = [
                item for item in windows if not item.name or (item.ref.bus in modest and item.name not in titles)
            ]
            titles -= {item.name for item in known}
            if len(unnamed) == len(titles) == 1:
                application.items[unnamed[0].ref] = unnamed[0]._replace(name=titles.pop())

    def _add_cells(self, asker: Asker, applications: Sequence[AtspiApplication]) -> dict[Ref, Details]:
        """Add the visible cells of large tables and return where they are and what they say."""
        grids: dict[Ref, Grid] = {}
        headers: dict[Ref, list[Ref]] = {}
        chars = 0
        for application in applications:
            tables = [item for item in application.items.values() if item.showing and item.virtual_children]
            for table in [item for item in tables if "Table" in item.interfaces]:
                if len(headers) >= MAX_TABLES or chars > MAX_TREE_CHARS:
                    break
                headers[table.ref] = self._add_headers(asker, table, application)
                if grid := self._grid(asker, table):
                    grids[table.ref] = grid
                    application.items.update(grid.cells)
                    chars += sum(len(details.text) for details in grid.details.values())
        self._grids, self._headers = grids, headers
        return {cell: details for grid in grids.values() for cell, details in grid.details.items()}

    def _add_headers(self, asker: Asker, table: TreeItem, application: AtspiApplication) -> list[Ref]:
        """Add the headings of a table's columns; GTK does not name them among its children."""
        refs = self._headers.get(table.ref)
        refs = find_headers(asker, table) if refs is None else refs
        for item in ask_items(asker, [ref for ref in refs if ref not in application.items]):
            if item.showing:
                application.items[item.ref] = item._replace(parent=table.ref, place=0)
        return refs

    def _grid(self, asker: Asker, table: TreeItem) -> Grid | None:
        before = self._grids.get(table.ref)
        if before is not None and self._last.unchanged(table):
            return before
        return read_table(asker, table, self._link.screen, before, self._last)

    def _enter(self, asker: Asker, applications: Sequence[AtspiApplication], cells: Collection[Ref]) -> list[str]:
        """Walk into cells, which may hold an icon and a label, and into small things that make children on request."""
        items = [item for application in applications for item in application.items.values() if item.showing]
        headers = {ref for refs in self._headers.values() for ref in refs}
        composed = [
            item
            for item in items
            if (item.child_count > 0 and item.ref in cells) or (item.ref in headers and not item.name)
        ]
        others = [item for item in items if item.virtual_children and "Table" not in item.interfaces]
        composed, others = self._restore(composed, applications), self._restore(others, applications)
        counts = [
            variant_of(reply, "i") or 0
            for reply in asker.ask([get(item.ref, ACCESSIBLE, "ChildCount") for item in others])
        ]
        counted = list(zip(others, counts, strict=True))
        small = [item for item, count in counted if count <= MAX_CHILDREN]
        degraded = [
            f"{item.role} {item.name!r} has {count} children" for item, count in counted if count > MAX_CHILDREN
        ]
        walked = walk(asker, applications, [*composed, *small], self._kinds_in_cells, remembered=self._last)
        self._kinds_in_cells = walked.kinds
        return degraded + walked.degraded

    def _restore(self, items: Sequence[TreeItem], applications: Sequence[AtspiApplication]) -> list[TreeItem]:
        """Take what is below unchanged items from the last reading; return the other items."""
        owners = {application.ref.bus: application for application in applications}
        changed = []
        for item in items:
            if self._last.unchanged(item):
                self._last.restore_below(item, owners[item.ref.bus])
            else:
                changed.append(item)
        return changed

    def _known_details(self, placed: Sequence[Placed]) -> dict[Ref, Details]:
        known = self._last.details
        items = [entry.item for entry in placed if entry.item.ref in known]
        return {item.ref: known[item.ref] for item in items if self._last.unchanged(item)}

    def _complaints(
        self, asker: Asker, applications: Sequence[AtspiApplication], windows: Sequence[WindowLike]
    ) -> list[str]:
        reasons = [
            f"application {application.name or application.ref.bus!r} did not answer in time"
            for application in applications
            if application.ref.bus in asker.silent
        ]
        reasons += [
            f"application {application.name!r} has windows but no nodes"
            for application in applications
            if application.ref.bus not in asker.silent and application.windows and not application.items
        ]
        if self._link.too_many:
            reasons.append(f"{self._link.too_many} more applications are not read")
        if asker.refused:
            reasons.append("an answer was larger, or the questions more, than the bus allows")
        if asker.out_of_time:
            reasons.append("the time ran out before all was read")
        if windows:
            pids = set(self._link.processes(asker, [application.ref for application in applications]).values())
            reasons += [f"window {window.title!r} is not accessible" for window in windows if window.pid not in pids]
        return reasons
