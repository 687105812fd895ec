"""The licences of what is locked, from the metadata of what is installed."""

import importlib.metadata
from collections.abc import Iterator
from dataclasses import dataclass

from supply.closure import closure
from supply.pins import CONSTRAINTS, parse_pins, required_by

# SPDX expressions that Formwork may depend on: permissive ones, and those whose copyleft ends at their own files or,
# for a library that is imported as it is, at the library (decision 0008).
ALLOWED = frozenset(
    {
        "Apache-2.0",
        "Apache-2.0 AND CNRI-Python",
        "Apache-2.0 OR BSD-2-Clause",
        "Apache-2.0 OR BSD-3-Clause",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "ISC",
        "LGPL-3.0-only",
        "MIT",
        "MIT AND PSF-2.0",
        "MIT OR Apache-2.0",
        "MIT-0",
        "MPL-2.0",
        "PSF-2.0",
    }
)
# What authors write where an SPDX expression belongs.
_SPDX = {
    "ASL 2": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "MIT License": "MIT",
    "MIT license": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
# Distributions whose metadata does not name one licence: what their licence files say, of antlr4 (whose wheel has no
# such file) what its home page does.
_READ = {
    "antlr4-python3-runtime": "BSD-3-Clause",
    "colorama": "BSD-3-Clause",
    # The GPL is that of one file for an editor, which the wheel does not have; the rest is in the public domain.
    "docutils": "BSD-2-Clause",
    "itsdangerous": "BSD-3-Clause",
    "jinja2": "BSD-3-Clause",
    "jsonata-python": "Apache-2.0",
    "mpmath": "BSD-3-Clause",
    "python-dateutil": "Apache-2.0 OR BSD-3-Clause",
    "sympy": "BSD-3-Clause",
}


@dataclass(frozen=True, slots=True)
class Licensed:
    """A locked distribution with its licence, and the parts of pyproject.toml that need it."""

    name: str
    version: str
    licence: str
    parts: tuple[str, ...]


class UnknownLicenceError(Exception):
    """The metadata of a distribution does not say which licence it has; the message names both."""


def licensed() -> Iterator[Licensed]:
    """Every locked distribution, in the order of `constraints.txt`.

    Raises:
        UnknownLicenceError: the licence of one is unknown.
    """
    needed = {part: {need.key for need in closure(requirements, part)} for part, requirements in required_by().items()}
    for pin in parse_pins(CONSTRAINTS.read_text(encoding="utf-8")):
        parts = tuple(part for part, keys in needed.items() if pin.key in keys)
        yield Licensed(pin.name, pin.version, licence_of(pin.key), parts)


def licence_of(key: str) -> str:
    """The SPDX expression of an installed distribution's licence.

    Raises:
        UnknownLicenceError: its metadata has none that is known.
    """
    if key in _READ:
        return _READ[key]
    metadata = importlib.metadata.metadata(key)
    if "License-Expression" in metadata:
        return str(metadata["License-Expression"])
    text = next(iter(metadata.get_all("License") or ()), "")
    classifiers = metadata.get_all("Classifier") or []
    named = [each.rpartition(" :: ")[2] for each in classifiers if each.startswith("License :: ")]
    for written in (text, *(named if len(named) == 1 else ())):
        if _SPDX.get(written, written) in ALLOWED:
            return str(_SPDX.get(written, written))
    raise UnknownLicenceError(
        f"the licence of {key} is unknown from its metadata ({[*named, text[:60]]}): see supply/licences.py"
    )
