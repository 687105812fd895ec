"""What builds the packages of a language, by the name that `.rpdk-config` has for it."""

import importlib

from formwork.diagnostics import UsageError
from formwork.package.provider import ProviderBuild, ToolchainSettings

# Name → module and class, made with `ToolchainSettings`; a language joins when its projects can be packaged.
_BUILDS: dict[str, tuple[str, str]] = {
    "go": ("formwork.package.go_provider", "GoBuild"),
    "java": ("formwork.package.java_provider", "JavaBuild"),
    "typescript": ("formwork.package.node_provider", "NodeBuild"),
}


def expect_toolchain_build(language: str | None, settings: ToolchainSettings) -> ProviderBuild:
    """What builds projects in `language`, for every language but Python.

    Raises:
        UsageError: there is no such language, or it isn't packaged yet.
    """
    place = _BUILDS.get(language or "")
    if place is None:
        hint = f"this version packages Python's{''.join(f', {each}' for each in sorted(_BUILDS))}"
        raise UsageError(f'projects in "{language}" are not packaged yet', hint=hint)
    module, name = place
    build: ProviderBuild = getattr(importlib.import_module(module), name)(settings)
    return build
