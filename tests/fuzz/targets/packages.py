"""Packages as RegisterType reads them: unpacked within bounds, then judged.

An input is an archive, or {"kind": kind, "files": {name: text, or {"zip": {name: text}}}} of which one is made.
"""

import contextlib
import io
import json
import zipfile

from formwork.diagnostics import FormworkError
from formwork.durable import StateFolder
from formwork.extensions import ExtensionKind
from formwork.registry.checking import check_package
from formwork.registry.packages import open_package
from fuzz.envelopes import bytes_of, read_envelope
from fuzz.folders import emptied, scratch
from support.registry import GUARD, SHELF, THING, hook_package, module_package, resource_package, zipped

NAMES = {ExtensionKind.RESOURCE: THING, ExtensionKind.HOOK: GUARD, ExtensionKind.MODULE: SHELF}


@contextlib.contextmanager
def opened():
    with scratch() as folder:
        yield lambda data: check(data, emptied(folder / "state"))


def check(data, folder):
    envelope = read_envelope(data, "files")
    if envelope is None or not isinstance(envelope["files"], dict):
        content, kinds = data, (ExtensionKind.RESOURCE, ExtensionKind.MODULE)
    else:
        try:
            content = _archive(envelope["files"])
        except (ValueError, OverflowError, IndexError, RecursionError):
            return  # names that no archive can have
        kind = envelope.get("kind")
        kinds = (ExtensionKind(kind) if kind in list(ExtensionKind) else ExtensionKind.RESOURCE,)
    for kind in kinds:
        state = StateFolder(emptied(folder / "state"))
        state.packages.mkdir()
        try:
            package = open_package(state, content, kind)
            check_package(package, kind, NAMES[kind])
        except FormworkError:
            left = list(state.packages.iterdir())
            assert all((each / "package").is_dir() for each in left), "a part of a refused package stays"


def _archive(files):
    members = {}
    for name, value in files.items():
        nested = isinstance(value, dict) and isinstance(value.get("zip"), dict)
        members[name] = _archive(value["zip"]) if nested else bytes_of(value)
    return zipped(members)


def seeds():
    for kind, content in (
        (ExtensionKind.RESOURCE, resource_package()),
        (ExtensionKind.HOOK, hook_package()),
        (ExtensionKind.MODULE, module_package()),
    ):
        yield content
        yield json.dumps({"kind": kind, "files": _files(content)}).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = b"c"
        archive.mkdir("target")
        archive.writestr("target/a.jar", zipped({"META-INF/A.SF": "x", "META-INF/A.RSA": "y", "a.class": "z"}))
        archive.writestr(".rpdk-config", "{}")
        archive.writestr("schema.json", "{}")
    yield packed.getvalue()
    jar = _files(resource_package()) | {"ResourceProvider.zip": "", "target/a.jar": {"zip": {"META-INF/B.DSA": "x"}}}
    yield json.dumps({"kind": ExtensionKind.RESOURCE, "files": jar}).encode()


def _files(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {
            name: {"zip": _files(archive.read(name))} if name.endswith(".zip") else archive.read(name).decode()
            for name in archive.namelist()
        }
