"""What AWS's command says of each schema in a JSON file {name: [kind, text]}: {"seconds": CPU, "verdicts": {name: …}}.

A verdict is "" for a schema that it accepts silently, else "error", "crash" or "warning: " and what it says.
"""

import io
import json
import logging
import sys
import time
import warnings

warnings.simplefilter("ignore")

from rpdk.core import data_loaders  # noqa: E402 - after the filter
from rpdk.core.exceptions import SpecValidationError  # noqa: E402

said = []


class Listener(logging.Handler):
    def emit(self, record):
        said.append(record)


logger = logging.getLogger("rpdk.core.data_loaders")
logger.addHandler(Listener())
logger.propagate = False
with open(sys.argv[1], encoding="utf-8") as file:  # noqa: PTH123 - a probe for any Python
    schemas = json.load(file)
verdicts = {}
start = time.process_time()
for name, (kind, text) in schemas.items():
    said.clear()
    load = data_loaders.load_hook_spec if kind == "hook" else data_loaders.load_resource_spec
    try:
        load(io.StringIO(text))
        words = sorted({each.getMessage() for each in said if each.levelno >= logging.WARNING})
        verdicts[name] = f"warning: {words}" if words else ""
    except SpecValidationError:
        verdicts[name] = "error"
    except Exception:  # noqa: BLE001 - whatever it is, it crashed
        verdicts[name] = "crash"
print(json.dumps({"seconds": time.process_time() - start, "verdicts": verdicts}))
