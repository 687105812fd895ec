"""The type configuration is too large.

Finds: a `typeConfiguration` of more than 60 KiB as JSON.

Why: CloudFormation refuses it. (AWS's own command measures the whole schema by mistake, and so refuses some of AWS's
own types.)

Example: a configuration with hundreds of long descriptions

Fix: shorten descriptions, or move parts into `definitions`.

Source: AWS CloudFormation CLI.
"""

import json
from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.schema.checking import Checked, Problem

CODE = "schema.configuration-too-large"
SEVERITY = Severity.ERROR
_BYTES = 60 * 1024


def check(checked: Checked) -> Iterator[Problem]:
    if "typeConfiguration" not in checked.value:
        return
    size = len(json.dumps(checked.value["typeConfiguration"]))
    if size > _BYTES:
        message = f"the type configuration has {size:,} bytes"
        yield Problem(("typeConfiguration",), message, f"at most {_BYTES:,} bytes", "shorten descriptions", key=True)
