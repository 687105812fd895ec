"""The names of AWS's actions, for those who write permissions: from botocore's models, else from an installed cfn-lint.

Where neither is installed none are known. Source of what is called otherwise than its operation: `iam_actions.toml`.
"""

import gzip
import json
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from formwork.egress.iam_actions import action_table

_METADATA = 4096  # bytes of a model that hold its metadata, which comes first
_SIGNING = re.compile(r'"signingName"\s*:\s*"([^"]+)"')
_ENDPOINT = re.compile(r'"endpointPrefix"\s*:\s*"([^"]+)"')


@cache
def action_prefixes() -> tuple[str, ...]:
    """Return the prefixes of actions, such as `s3`, sorted."""
    return tuple(sorted({*_services(), *_policies()}))


@cache
def list_actions(prefix: str) -> tuple[str, ...]:
    """Return the names of a service's actions, such as `GetObject` for `s3`, sorted; () for an unknown prefix."""
    table = action_table()
    renamed, unnamed = table.operations.get(prefix, {}), table.unnamed.get(prefix, frozenset())
    names = set[str]()
    for service in _services().get(prefix, ()):
        for operation in _operations(service):
            if operation not in unnamed:
                names.update(renamed.get(operation, [operation]))
    cased = {name.lower() for name in names}
    lowered = _policies().get(prefix, frozenset())
    # cfn-lint has the names in lower case, which policies do not distinguish.
    return tuple(sorted(names | {name for name in lowered if name not in cased})) if names else tuple(sorted(lowered))


@cache
def _services() -> dict[str, tuple[Path, ...]]:
    """Prefix → the models of botocore whose operations have it; of a model only its beginning is read."""
    folder = _folder("botocore", "data")
    table = action_table()
    found: dict[str, list[Path]] = {}
    for model in sorted(folder.glob("*/*/service-2.json*")) if folder is not None else ():
        begin = _read(model, _METADATA)
        signed = _SIGNING.search(begin) or _ENDPOINT.search(begin)
        if signed is not None:
            found.setdefault(table.prefixes.get(signed[1], signed[1]), []).append(model)
    return {prefix: tuple(models) for prefix, models in found.items()}


@cache
def _policies() -> dict[str, frozenset[str]]:
    """Prefix → names of actions in lower case, as cfn-lint has them."""
    folder = _folder("cfnlint", "data")
    try:
        text = (folder / "AdditionalSpecs" / "Policies.json").read_text("utf-8") if folder is not None else "{}"
        value: Any = json.loads(text)
    except (OSError, ValueError):
        return {}
    listed = value.items() if isinstance(value, dict) else ()
    return {prefix: frozenset(each.get("Actions", ())) for prefix, each in listed if isinstance(each, dict)}


def _operations(model: Path) -> list[str]:
    value: Any = json.loads(_read(model, -1))
    return [*value.get("operations", ())]


def _read(model: Path, size: int) -> str:
    with gzip.open(model) if model.suffix == ".gz" else model.open("rb") as file:
        return file.read(size).decode("utf-8", "replace")


def _folder(package: str, name: str) -> Path | None:
    spec = find_spec(package)
    return None if spec is None or spec.origin is None else Path(spec.origin).parent / name
