"""Makes AWS's runtime for Go safe on a developer's machine.

Its versions before 1.2 delete everything in /tmp at the start of each request, and older ones, built on an old
`aws-lambda-go`, don't support the Runtime API. A program for this machine is built with a copy of the runtime that
cleans the process's own temporary folder (TMPDIR) instead; the project's files, and what is packaged, stay as they are.

The reasons are in docs/decisions/1123.
"""

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from formwork.diagnostics import BadInputError, Location
from formwork.toolchain.build import BuildSettings, run_build
from formwork.toolchain.go_module import GoModule
from formwork.toolchain.tool import Tool

AWS_RUNTIME = "github.com/aws-cloudformation/cloudformation-cli-go-plugin"
ONLY_GO1X = "the program is for Lambda's retired runtime go1.x: AWS's library in it supports no other"
_LAMBDA = "github.com/aws/aws-lambda-go"
# The first version that supports the Runtime API, which AWS's runtime 1.2 requires.
_SPEAKS_RUNTIME_API = (1, 18)
_LAMBDA_VERSION = "v1.37.0"
_DANGER = re.compile(r'scrubFiles\("/tmp"\)')
_INSTEAD = "scrubFiles(os.TempDir())"
# The function's name in a compiled program, which stripping keeps.
_DANGER_COMPILED = f"{AWS_RUNTIME}/cfn.scrubFiles".encode()
# The variables from which a compiled program gets its server's address: in the retired runtime go1.x, and in others.
_OF_GO1X, _OF_RUNTIME_API = b"_LAMBDA_SERVER_PORT", b"AWS_LAMBDA_RUNTIME_API"
_COPY = "runtime"
_ENTRY = Path("cfn", "cfn.go")
_MODULE_FILE = "local.mod"


def is_tamed(program: Path) -> bool:
    """Return whether `program` contains the copy of the runtime that empties only the process's temporary folder."""
    return (program.parent / _COPY).is_dir()


def empties_tmp(program: Path) -> bool:
    """Return whether a compiled program contains a version of the runtime that empties /tmp regardless of TMPDIR."""
    return _DANGER_COMPILED in program.read_bytes() and not is_tamed(program)


def waits_for_go1x(program: Path) -> bool:
    """Return whether a compiled program runs only on Lambda's retired runtime go1.x."""
    content = program.read_bytes()
    return _OF_GO1X in content and _OF_RUNTIME_API not in content


def tame_aws_runtime(go: Tool, module: GoModule, settings: BuildSettings, *, place: Path) -> Sequence[str]:
    """Return the flags for `go build` that make the runtime harmless; () where the module needs none.

    Args:
        go: Go.
        module: the project's module.
        settings: as for the build.
        place: the folder for what the build needs beside the module, empty and writable.

    Raises:
        BadInputError: the runtime's source is not a known one, and can't be made harmless.
    """
    if AWS_RUNTIME not in module.requires:
        return ()
    vendored = module.root / "vendor" / AWS_RUNTIME
    original = vendored if vendored.is_dir() else _downloaded(go, module, settings, place)
    if not _is_dangerous(original / _ENTRY):
        return ()
    settings.note("AWS's runtime empties /tmp: here it gets a temporary folder of its own")
    copy = place / _COPY
    shutil.copytree(original, copy, copy_function=shutil.copyfile, ignore=shutil.ignore_patterns("*_test.go", "python"))
    _mend(copy / _ENTRY, module)
    if original is vendored:  # vendored sources are used as they are, except this one file
        overlay = place / "overlay.json"
        overlay.write_text(json.dumps({"Replace": {str(vendored / _ENTRY): str(copy / _ENTRY)}}), encoding="utf-8")
        return (f"-overlay={overlay}",)
    return _module_flags(go, module, settings, place)


def _is_dangerous(entry: Path) -> bool:
    return entry.is_file() and _DANGER.search(entry.read_text(encoding="utf-8")) is not None


def _mend(entry: Path, module: GoModule) -> None:
    entry.write_text(_DANGER.sub(_INSTEAD, entry.read_text(encoding="utf-8")), encoding="utf-8")
    if '"/tmp' in entry.read_text(encoding="utf-8"):
        raise BadInputError.of(
            "build.aws-runtime",
            "this version of AWS's runtime for Go deletes files in /tmp, and can't be run here",
            location=Location(str(module.root / "go.mod")),
            hint=f"go get {AWS_RUNTIME}@v1.2.0",
        )


def _downloaded(go: Tool, module: GoModule, settings: BuildSettings, place: Path) -> Path:
    """Return the folder of the runtime in Go's cache, downloaded if missing; go.mod and go.sum stay unchanged."""
    shutil.copyfile(module.root / "go.mod", place / _MODULE_FILE)
    if (module.root / "go.sum").is_file():
        shutil.copyfile(module.root / "go.sum", place / Path(_MODULE_FILE).with_suffix(".sum"))
    command = [str(go.executable), "mod", "download", f"-modfile={place / _MODULE_FILE}", "-json", AWS_RUNTIME]
    words = run_build(command, folder=module.root, environment=settings.environment, what="`go mod download`")
    found: dict[str, str] = json.loads(words[words.index("{") :])
    return Path(found["Dir"])


def _module_flags(go: Tool, module: GoModule, settings: BuildSettings, place: Path) -> Sequence[str]:
    """Return flags that make Go use another go.mod than the project's, which refers to the copy."""
    edit = [f"-replace={AWS_RUNTIME}={place / _COPY}"]
    version = module.requires.get(_LAMBDA)
    if version is None or _numbers(version) < _SPEAKS_RUNTIME_API:
        edit.append(f"-require={_LAMBDA}@{_LAMBDA_VERSION}")
    run_build(
        [str(go.executable), "mod", "edit", *edit, str(place / _MODULE_FILE)],
        folder=module.root,
        environment=settings.environment,
        what="`go mod edit`",
    )
    return (f"-modfile={place / _MODULE_FILE}", "-mod=mod")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(each) for each in re.findall(r"\d+", version)[:2])
