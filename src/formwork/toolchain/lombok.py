"""Which Lombok runs on which JDK: an old one fails without a word of the version that would do."""

import re
from pathlib import Path

# The least version for a JDK and those after it, newest first; 1.18.4 is what works with the compiler opened to it.
_LEAST = ((25, "1.18.40"), (24, "1.18.38"), (23, "1.18.36"), (22, "1.18.32"), (21, "1.18.30"), (16, "1.18.4"))
_VERSION = re.compile(r"<artifactId>\s*lombok\s*</artifactId>\s*(?:<scope>[^<]*</scope>\s*)?<version>\s*([^<\s]+)\s*<")
_PROPERTY = re.compile(r"\$\{([^}]+)\}")


def lombok_hint(pom: Path, jdk: int) -> str | None:
    """Return what to do where the Lombok that a pom.xml names does not run on the JDK `jdk`; None where it may."""
    try:
        text = pom.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    found = _VERSION.search(text)
    version = None if found is None else _resolved(found[1], text)
    least = next((each for first, each in _LEAST if jdk >= first), None)
    if version is None or least is None or _numbers(version) >= _numbers(least):
        return None
    return f"Lombok {version}, which {pom.name} names, does not run on JDK {jdk}: {least} and later do"


def _resolved(version: str, text: str) -> str | None:
    name = _PROPERTY.fullmatch(version)
    if name is None:
        return version
    value = re.search(rf"<{re.escape(name[1])}>\s*([^<\s]+)\s*<", text)
    return None if value is None else value[1]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(each) for each in re.findall(r"\d+", version))
