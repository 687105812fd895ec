"""Import the models.py in the folder named, and print the milliseconds of CPU that it took, the handler library's left out."""

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
