"""Redirects calls of AWS's SDKs for Java to another endpoint; most versions of the SDKs have no setting for that."""

import functools
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from formwork.languages.java.launch import AWS_HANDLERS, AWS_SOURCES
from formwork.toolchain import BuildSettings, Tool
from formwork.toolchain.maven import compile_classes

# The interface of each version's interceptor; in a package it is in the same jar as all dependencies.
_HOOKS = {
    "v1": "com/amazonaws/handlers/RequestHandler2.class",
    "v2": "software/amazon/awssdk/core/interceptor/ExecutionInterceptor.class",
}


def redirect_sdks(
    class_path: Sequence[Path], aws_environment: Mapping[str, str] | None, *, jdk: Tool, settings: BuildSettings
) -> tuple[Path, ...]:
    """Return the entries to put before `class_path`, so that both SDKs call the endpoint in `aws_environment`.

    () if calls go to AWS itself. With None as the environment, calls are refused, by an endpoint that refuses them.
    """
    if aws_environment is not None and "AWS_ENDPOINT_URL" not in aws_environment:
        return ()
    kept: list[Path] = []
    for version, (prefix, handlers) in AWS_HANDLERS.items():
        words = sorted(each.name for each in class_path if re.match(rf"{prefix}-[0-9]", each.name))
        words = words or sorted(filter(None, (_mark(each, _HOOKS[version]) for each in class_path)))
        if words:
            sources = [AWS_SOURCES / "target", AWS_SOURCES / version]
            kept += [
                compile_classes(sources, jdk=jdk, settings=settings, class_path=class_path, words=words),
                handlers,
            ]
    return tuple(kept)


@functools.lru_cache(maxsize=512)
def _mark(place: Path, name: str) -> str | None:
    """Return an identifier of the version of a class file in a jar or folder; None if it is missing."""
    if place.is_dir():
        found = place / name
        return f"{name} {found.stat().st_size}" if found.is_file() else None
    try:
        with zipfile.ZipFile(place) as jar:
            return f"{name} {jar.getinfo(name).CRC:08x}"
    except (KeyError, OSError, zipfile.BadZipFile):
        return None
