"""`python -m supply lock` writes requirements.lock from constraints.txt; `audit` asks for advisories."""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor

from supply.auditing import REVIEWED, audit
from supply.index import IndexProblemError, open_index
from supply.lock import render_lock
from supply.pins import CONSTRAINTS, LOCK, Pin, PinError, parse_pins, required_by
from supply.resolving import ResolvingError, resolve

_AT_A_TIME = 4


def main() -> int:
    """Run one of the commands; the exit code: 0 fine, 1 something to repair, 3 no answer from the index."""
    parser = argparse.ArgumentParser(prog="supply", description=__doc__)
    parser.add_argument("command", choices=["lock", "audit"])
    try:
        pins = parse_pins(CONSTRAINTS.read_text(encoding="utf-8"))
        return _lock(pins) if parser.parse_args().command == "lock" else _audit(pins)
    except PinError as error:
        return _fail(f"constraints.txt: {error}", 1)
    except (IndexProblemError, ResolvingError) as error:
        return _fail(str(error), 3)


def _lock(pins: tuple[Pin, ...]) -> int:
    needed = resolve([requirement for part in required_by().values() for requirement in part])
    missing = sorted(f"{pin.name}=={pin.version}" for pin in needed if pin.key not in {each.key for each in pins})
    extra = sorted(pin.name for pin in pins if pin.key not in {each.key for each in needed})
    if missing or extra:
        lines = [f"add {each}" for each in missing] + [f"remove {each}: nothing needs it" for each in extra]
        return _fail("\n".join(["constraints.txt does not have what pyproject.toml needs:", *lines]), 1)
    with open_index() as index, ThreadPoolExecutor(_AT_A_TIME) as pool:
        files = dict(zip(pins, pool.map(index.files, pins), strict=True))
    LOCK.write_text(render_lock(pins, files.__getitem__), encoding="utf-8")
    print(f"wrote {LOCK.name}: {len(pins)} distributions, {sum(map(len, files.values()))} files")
    return 0


def _audit(pins: tuple[Pin, ...]) -> int:
    with open_index() as index, ThreadPoolExecutor(_AT_A_TIME) as pool:
        known = dict(zip(pins, pool.map(index.vulnerabilities, pins), strict=True))
    findings = audit(known, REVIEWED)
    print("\n".join([*findings, f"{len(pins)} distributions, {len(findings)} findings"]))
    unknown = [f"{pin.name} {pin.version}" for pin, advisories in known.items() if advisories is None]
    if unknown:
        print(
            f"the package index has no advisories about {len(unknown)} of them: {', '.join(unknown)}", file=sys.stderr
        )
    return 1 if findings else 3 if unknown else 0


def _fail(text: str, code: int) -> int:
    print(text, file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
