"""Import the models.py of a folder and print the milliseconds of CPU it took, without the handler library."""

import importlib
import sys
import time

sys.path.insert(0, sys.argv[1])
for name in ("interface", "shapes", "recast", "utils"):
    try:
        importlib.import_module(f"cloudformation_cli_python_lib.{name}")
    except ImportError:
        continue  # not every library has every module
start = time.process_time()
importlib.import_module("models")
print((time.process_time() - start) * 1000)
