"""Opening of untrusted packages: within bounds, or refused with everything that is wrong.

A package is kept unpacked as `packages/<SHA-256 of the archive>/`: `package/` has its members, `handler/` those of the
archive inside it that Lambda would unpack. Nothing of a refused one stays.
"""

import hashlib
import io
import lzma
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from msgspec import Struct

from formwork.diagnostics import BadInputError, Diagnostic, Location, Severity
from formwork.durable import StateFolder
from formwork.durable.observer import WorkObserver
from formwork.extensions import ExtensionKind
from formwork.package.archive import check_member_name
from formwork.package.package import MAX_UNPACKED_BYTES
from formwork.project import CONFIG_FILE
from formwork.registry.jars import forget_signatures

MAX_ARCHIVE_BYTES = 256 * 1024 * 1024
MAX_MEMBERS = 20_000
MAX_NAME_BYTES = 1024
_UNOBSERVED = WorkObserver()
_MAX_PART_BYTES = 255  # of one folder's or file's name: file systems take no more
# The archives of handlers by language; a package of Java's has a .jar in target/ instead.
PROVIDERS = ("ResourceProvider.zip", "handler.zip")
_CHUNK = 1 << 20
_MOST_SHOWN = 20


class Package(Struct, frozen=True):
    """An unpacked package."""

    digest: str
    root: Path

    @property
    def files(self) -> Path:
        """The package's members."""
        return self.root / "package"

    @property
    def handler(self) -> Path:
        """The folder with the code that Lambda would unpack."""
        return self.root / "handler"


def package_at(state: StateFolder, digest: str) -> Package:
    """Return the package with that digest, which is known to be there."""
    return Package(digest, state.packages / digest)


def open_package(
    state: StateFolder, content: bytes, kind: ExtensionKind, observer: WorkObserver = _UNOBSERVED
) -> Package:
    """Unpack an archive into the state folder, once for the same bytes; `observer` is notified of the progress.

    Raises:
        BadInputError: it is not a package of that kind; with every reason.
        EnvironmentProblemError: the folder can't be written.
    """
    digest = hashlib.sha256(content).hexdigest()
    package = package_at(state, digest)
    if package.root.is_dir():
        check_parts(package.files, kind)
        return package
    with state.making(package.root) as folder:
        made = Package(digest, folder)
        made.files.mkdir()
        observer.checkpoint("unpack-making")
        unpack_archive(content, made.files, "the package")
        observer.checkpoint("unpack-unpacked")
        check_parts(made.files, kind)
        for jar in made.files.glob("target/*.jar"):
            forget_signatures(jar)
        provider = find_provider(made.files)
        if provider is not None:
            made.handler.mkdir()
            unpack_archive(provider.read_bytes(), made.handler, provider.name)
            provider.unlink()
            (made.root / "provider").write_text(provider.name, encoding="utf-8")
        observer.checkpoint("unpack-moving")
    return package


def find_provider(files: Path) -> Path | None:
    """Return the archive of the handlers in a package that is being opened."""
    return next((files / name for name in PROVIDERS if (files / name).is_file()), None)


def check_parts(files: Path, kind: ExtensionKind) -> None:
    """Check that a package's folder has the files that a package of this kind needs.

    Raises:
        BadInputError: files are missing; one diagnostic for each.
    """
    _raise(list(_missing_parts(files, kind)))


def _missing_parts(files: Path, kind: ExtensionKind) -> Iterator[Diagnostic]:
    for name in (CONFIG_FILE, "schema.json"):
        if not (files / name).is_file():
            yield _problem("package.missing-file", f"the package has no {name}", name)
    if kind is ExtensionKind.MODULE:
        if not (files / "fragments").is_dir():
            yield _problem("package.missing-file", "the package of a module has no folder fragments/", "fragments/")
        return
    opened = (files.parent / "provider").is_file()
    if not opened and find_provider(files) is None and not list(files.glob("target/*.jar")):
        names = f"{', '.join(PROVIDERS)} and target/*.jar"
        yield _problem("package.missing-handlers", f"the package has no handlers: it contains none of {names}", names)


def unpack_archive(content: bytes, folder: Path, what: str) -> None:
    """Write the members below `folder`.

    Raises:
        BadInputError: it is not an archive, or a malicious one.
    """
    if len(content) > MAX_ARCHIVE_BYTES:
        text = f"{what} has {len(content):,} bytes; at most {MAX_ARCHIVE_BYTES:,} are allowed"
        raise BadInputError([_problem("package.too-large", text)])
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            _raise(list(_member_problems(members, what)))
            left = MAX_UNPACKED_BYTES
            for member in members:
                if not member.is_dir():
                    left -= _extract(archive, member, folder, left, what)
    except (
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        NotImplementedError,
        EOFError,
        ValueError,
        OverflowError,
    ) as error:
        raise BadInputError([_problem("package.not-a-zip", f"{what} is not a usable zip file: {error}")]) from error


def _extract(archive: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path, left: int, what: str) -> int:
    """Write one member of at most `left` bytes, whatever its header says, and return its size."""
    place = folder.joinpath(*PurePosixPath(member.filename).parts)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        written = 0
        with archive.open(member) as source, place.open("xb") as target:
            while chunk := source.read(_CHUNK):
                written += len(chunk)
                if written > left:
                    text = f"{what} unpacks to more than {MAX_UNPACKED_BYTES:,} bytes"
                    raise BadInputError([_problem("package.too-large", text, member.filename)])
                target.write(chunk)
    except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
        text = f'"{member.filename}" in {what} conflicts with another member'
        raise BadInputError([_problem("package.member-name", text, member.filename)]) from error
    except (zlib.error, lzma.LZMAError) as error:
        raise BadInputError([_unreadable(member, what, error)]) from error
    except OSError as error:
        if error.errno is not None:
            raise
        raise BadInputError([_unreadable(member, what, error)]) from error  # bz2's word for damaged data
    except RuntimeError as error:  # zipfile's word for encrypted members
        raise BadInputError([_unreadable(member, what, error)]) from error
    if member.external_attr >> 16 & stat.S_IXUSR:
        place.chmod(0o700)
    return written


def _unreadable(member: zipfile.ZipInfo, what: str, error: Exception) -> Diagnostic:
    text = f'"{member.filename}" in {what} can\'t be read: {error}'
    return _problem("package.not-a-zip", text, member.filename)


def _member_problems(members: list[zipfile.ZipInfo], what: str) -> Iterator[Diagnostic]:
    if len(members) > MAX_MEMBERS:
        yield _problem("package.too-large", f"{what} has {len(members):,} members; at most {MAX_MEMBERS:,} are allowed")
        return
    total = sum(each.file_size for each in members)
    if total > MAX_UNPACKED_BYTES:
        yield _problem(
            "package.too-large", f"{what} unpacks to {total:,} bytes; at most {MAX_UNPACKED_BYTES:,} are allowed"
        )
    seen: set[str] = set()
    for member in members:
        yield from _name_problems(member.filename, seen, what)
        mode = member.external_attr >> 16
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
            kind = "a link" if stat.S_ISLNK(mode) else "not a regular file"
            yield _problem("package.member-kind", f'"{member.filename}" in {what} is {kind}', member.filename)
        if member.flag_bits & 0x1:
            yield _problem("package.not-a-zip", f'"{member.filename}" in {what} is encrypted', member.filename)


def _name_problems(name: str, seen: set[str], what: str) -> Iterator[Diagnostic]:
    stripped = name.rstrip("/")
    parts = stripped.split("/")
    try:
        check_member_name(stripped, seen)
        bad = "\\" in name or ":" in parts[0] or any(ord(each) < 32 for each in name)
        bad = bad or any(part in ("", ".") or _bytes(part) > _MAX_PART_BYTES for part in parts)
        bad = bad or _bytes(name) > MAX_NAME_BYTES
        if bad:
            yield _problem("package.member-name", f"{what} has a member of the name {name[:200]!r}", name)
    except ValueError as error:
        yield _problem("package.member-name", f"{what}: {error}", name)


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _problem(code: str, message: str, member: str | None = None) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, Location(member))


def _raise(problems: list[Diagnostic]) -> None:
    if problems:
        raise BadInputError(problems[:_MOST_SHOWN])
