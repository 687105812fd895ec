"""Property paths: what the semantic lists (`readOnlyProperties` …) point at.

A schema may write `/properties/Tags/*/Key`, `/properties/A/properties/B` or `/properties/L/items/properties/K`; all
become tuples of property names, with `*` for the items of an array and the values of a map.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

PropertyPath: TypeAlias = tuple[str, ...]
ANY = "*"


def value_at(model: Any, path: Sequence[str], absent: Any) -> Any:
    """Return a model's value at a property path without `*`, or `absent`."""
    for step in path:
        if not isinstance(model, Mapping) or step not in model:
            return absent
        model = model[step]
    return model
