"""What workers share: imported once, in the process that they are forked from."""

import gc
import importlib

from proctor.tasks import shelves

# By name, as nothing here uses them.
for module in ("proctor.runner.run_episode", "proctor.computers.backends.sandbox.computer"):
    importlib.import_module(module)
# Whatever a task may name is loaded when it is asked for what there is.
shelves.names("setup")
# What is there now stays for good. No collection looks at it any more, so that it is not written to and stays shared.
gc.collect()
gc.freeze()
