"""Builds the program of a Go project; while its sources are unchanged, the program is taken from the cache."""

import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from formwork.languages.go.aws_runtime import tame_aws_runtime
from formwork.toolchain.build import BuildSettings, run_build
from formwork.toolchain.cache import build_once, content_key
from formwork.toolchain.go import find_go
from formwork.toolchain.go_module import read_module
from formwork.toolchain.tool import Tool

PROGRAM = "bootstrap"
_PLATFORM: str = sys.platform
# Without symbols and times, and without paths in packages, so that equal sources give equal bytes on all machines.
# For local runs, flags about paths would make Go compile the standard library again after the author's `go build`.
_LEAVING = ("-ldflags=-s -w -buildid=", "-trimpath")
_LOCAL = ("-ldflags=-s -w",)
_VARIABLES = ("GOFLAGS", "GOEXPERIMENT", "GOAMD64", "GOARM64", "TAGS")
_building = threading.Lock()  # Go itself uses all cores


class GoTarget(Struct, frozen=True):
    """The target of a build: `system` and `architecture` by Go's names, None for this machine.

    With `local` the program runs on this machine, so that AWS's runtime must not delete its temporary files; with
    `debugged` it can be debugged.
    """

    system: str | None = None
    architecture: str | None = None
    local: bool = True
    debugged: bool = False


def build_go_program(folder: Path, target: GoTarget, settings: BuildSettings, *, refresh: bool = False) -> Path:
    """Return the path of the program `bootstrap`, built from `cmd/main.go` of the project in `folder`.

    With `refresh` it is built even if the cache has it.

    Raises:
        BadInputError: it does not compile; the notes are the compiler's messages.
        EnvironmentProblemError: Go is not found, or the cache can't be used.
    """
    go = find_go(settings.environment)
    module = read_module(folder, go, settings.environment)
    with _building:
        key = content_key(
            module.sources,
            ".".join(map(str, go.version)),
            str(target),
            str(folder.resolve().relative_to(module.root)),
            *(f"{name}={settings.environment.get(name, '')}" for name in _VARIABLES),
            root=module.root,
        )
        place = settings.cache / "go" / key
        if refresh and place.is_dir():
            import shutil  # noqa: PLC0415 - seldom asked for

            shutil.rmtree(place, ignore_errors=True)

        # Windows starts only programs with that suffix.
        name = f"{PROGRAM}.exe" if target.local and _PLATFORM == "win32" else PROGRAM

        def build(made: Path) -> None:
            flags = list(tame_aws_runtime(go, module, settings, place=made)) if target.local else []
            if target.debugged:  # no optimization of the author's packages: the debugger sees their variables and lines
                flags.append(f"-gcflags={module.path}/...=-N -l")
            _compile(go, folder, target, settings, program=made / name, more=flags)

        return build_once(place, build) / name


def _compile(  # noqa: PLR0913 - the compiler's settings
    go: Tool, folder: Path, target: GoTarget, settings: BuildSettings, *, program: Path, more: Sequence[str]
) -> None:
    main = "cmd/main.go" if (folder / "cmd" / "main.go").is_file() else "./cmd"
    # Without RPC, which only Lambda's retired runtime go1.x used.
    tags = ",".join(["lambda.norpc", *settings.environment.get("TAGS", "").replace(",", " ").split()])
    of_target = _LEAVING if not target.local else () if target.debugged else _LOCAL
    flags = ["-buildvcs=false", *of_target, f"-tags={tags}", *more]
    run_build(
        [str(go.executable), "build", *flags, "-o", str(program), main],
        folder=folder,
        environment=_environment(target, settings),
        what="the Go compiler",
        hint="`cfn generate` writes cmd/main.go" if main == "./cmd" else None,
    )


def _environment(target: GoTarget, settings: BuildSettings) -> dict[str, str]:
    environment = {name: value for name, value in settings.environment.items() if name not in ("GOOS", "GOARCH")}
    if target.system is not None and target.architecture is not None:
        environment |= {"GOOS": target.system, "GOARCH": target.architecture}
    return environment | {"CGO_ENABLED": "0"}
