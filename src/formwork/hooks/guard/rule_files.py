"""Files of Guard rules that a command line or a test names: read, checked, and bundled for an upload."""

import contextlib
import io
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from formwork.diagnostics import BadInputError, EnvironmentProblemError, Location
from formwork.hooks.guard.objects import MAX_BYTES, rules_in
from formwork.hooks.guard.rules import GuardRulesError, RuleFile, check_rules, expect_engine

_RULES = ".guard"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same rules make the same archive


def read_rules(path: Path) -> list[RuleFile]:
    """Return the rules of a file, an archive or a folder, each of which compiles.

    Raises:
        BadInputError: one doesn't, or there are none.
        EnvironmentProblemError: the engine of the rules is not installed.
    """
    return _checked(_sources(path))


def bundle_rules(path: Path) -> tuple[str, bytes]:
    """Return the name and content of an object with the rules of a file, an archive or a folder; see `read_rules`."""
    sources = list(_sources(path))
    _checked(sources)
    if not path.is_dir():
        return path.name, read_bounded(path)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for source in sources:
            archive.writestr(zipfile.ZipInfo(source.relative_to(path).as_posix(), _EPOCH), read_bounded(source))
    return "rules.zip", packed.getvalue()


def read_bounded(path: Path) -> bytes:
    """Return the content of a file.

    Raises:
        BadInputError: it can't be read, or is too large.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        message = f"{path} can't be read: {error.strerror}"
        raise BadInputError.of("hook.rules", message, location=Location(str(path))) from error
    if len(content) > MAX_BYTES:
        raise BadInputError.of("hook.rules", f"{path} has more than {MAX_BYTES:,} bytes")
    return content


def _sources(path: Path) -> Iterator[Path]:
    try:
        expect_engine()
    except GuardRulesError as error:
        raise EnvironmentProblemError(str(error)) from error
    sources = sorted(path.rglob(f"*{_RULES}")) if path.is_dir() else [path]
    if not sources:
        raise BadInputError.of("hook.rules", f"{path} has no file of the extension {_RULES}")
    return iter(sources)


def _checked(sources: Iterable[Path]) -> list[RuleFile]:
    """Return the rules of all files; compiled at once, which takes as long as one of them."""
    found = [(source, _unpacked(source)) for source in sources]
    files = [file for _, unpacked in found for file in unpacked]
    try:
        check_rules(files)
    except GuardRulesError:
        for source, unpacked in found:
            with _located(source):
                check_rules(unpacked)
        raise
    return files


def _unpacked(source: Path) -> list[RuleFile]:
    with _located(source):
        return rules_in(source.name, read_bounded(source))


@contextlib.contextmanager
def _located(source: Path) -> Iterator[None]:
    try:
        yield
    except GuardRulesError as error:
        raise BadInputError.of("hook.rules", str(error), location=Location(str(source), error.position)) from error
