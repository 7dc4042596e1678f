"""The shelf of exports: one file or folder for each format, and those of other distributions.

A module has `write(recorded, out)`, which writes episodes (`Iterator[proctor.store.export.Recorded]`) one after the
other into an empty folder and may return remarks for whoever asked. One that does not take every episode also has
`takes(result, everything) -> bool`; `everything` says that those are asked for that it would leave out, such as failed
ones. The first line of its docstring is its help.
"""

from proctor.registry import Registry, shelf

EXPORTS: Registry[object] = Registry("export", shelf(__name__, __path__), group="proctor.exports")
