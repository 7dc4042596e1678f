"""The shelf of imports: trajectories of others, made into records that are read like our own.

A module has `read(trajectories, run, found)`, which writes an episode into the run for each of the
`proctor.store.import_run.Trajectories` and counts in `Imported` what was taken and what was not. The first line of its
docstring is its help.
"""

from proctor.registry import Registry, shelf

IMPORTS: Registry[object] = Registry("import", shelf(__name__, __path__), group="proctor.imports")
