"""Import the models.py of a package's folder and print the milliseconds of CPU it took, without the handler library."""

import importlib
import os
import sys
import time

folder, package = os.path.split(sys.argv[1])
sys.path.insert(0, folder)
importlib.import_module(package)
for name in ("interface", "shapes", "recast", "utils"):
    try:
        importlib.import_module(f"cloudformation_cli_python_lib.{name}")
    except ImportError:
        continue  # not every library has every module
start = time.process_time()
importlib.import_module(f"{package}.models")
print((time.process_time() - start) * 1000)
