"""AWS's runtime for Go on a developer's machine.

Its versions before 1.2 delete everything in /tmp at the start of each request, and those before it was built on a newer
`aws-lambda-go` don't speak the Runtime API. A program for this machine is built with a copy of the runtime that cleans
the process's own temporary folder (TMPDIR) instead; the project's files, and what is packaged, stay as they are.
"""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from formwork.diagnostics import BadInputError, Location
from formwork.toolchain.build import BuildSettings, run_build
from formwork.toolchain.go_module import GoModule
from formwork.toolchain.tool import Tool

AWS_RUNTIME = "github.com/aws-cloudformation/cloudformation-cli-go-plugin"
_LAMBDA = "github.com/aws/aws-lambda-go"
# The first that speaks the Runtime API without being asked to is 1.18; this is what AWS's runtime 1.2 requires.
_LAMBDA_VERSION = "v1.37.0"
_DANGER = re.compile(r'scrubFiles\("/tmp"\)')
_INSTEAD = "scrubFiles(os.TempDir())"


def tame_aws_runtime(go: Tool, module: GoModule, settings: BuildSettings, *, place: Path) -> Sequence[str]:
    """Flags for `go build` under which the runtime is harmless; () where the module needs none.

    Args:
        go: Go.
        module: the project's module.
        settings: as for the build.
        place: the folder for what the build needs beside the module, empty and writable.

    Raises:
        BadInputError: the runtime is not as it is known, and can't be made harmless.
    """
    if module.required_version(AWS_RUNTIME) is None:
        return ()
    original = _folder_of_runtime(go, module, settings)
    entry = original / "cfn" / "cfn.go"
    if not entry.is_file() or _DANGER.search(entry.read_text(encoding="utf-8")) is None:
        return ()
    settings.note("AWS's runtime deletes what is in /tmp: here it gets a temporary folder of its own")
    copy = place / "runtime"
    shutil.copytree(original, copy, copy_function=shutil.copyfile, ignore=shutil.ignore_patterns("*_test.go", "python"))
    source = copy / "cfn" / "cfn.go"
    source.write_text(_DANGER.sub(_INSTEAD, source.read_text(encoding="utf-8")), encoding="utf-8")
    if '"/tmp' in source.read_text(encoding="utf-8"):
        raise BadInputError.of(
            "build.aws-runtime",
            "this version of AWS's runtime for Go deletes files in /tmp, and can't be run here",
            location=Location(str(module.root / "go.mod")),
            hint=f"go get {AWS_RUNTIME}@v1.2.0",
        )
    return _module_file(go, module, settings, copy, place)


def _folder_of_runtime(go: Tool, module: GoModule, settings: BuildSettings) -> Path:
    vendored = module.root / "vendor" / AWS_RUNTIME
    if vendored.is_dir():
        return vendored
    command = [str(go.executable), "list", "-mod=mod", "-m", "-f", "{{.Dir}}", AWS_RUNTIME]
    environment = {**settings.environment, "GOFLAGS": ""}
    download = [str(go.executable), "mod", "download", AWS_RUNTIME]
    run_build(download, folder=module.root, environment=environment, what="`go mod download`")
    words = run_build(command, folder=module.root, environment=environment, what="`go list`")
    return Path(words.strip().splitlines()[-1])


def _module_file(go: Tool, module: GoModule, settings: BuildSettings, copy: Path, place: Path) -> Sequence[str]:
    """A go.mod beside the project's that takes the copy, and the flags that make Go read it."""
    path = place / "local.mod"
    shutil.copyfile(module.root / "go.mod", path)
    if (module.root / "go.sum").is_file():
        shutil.copyfile(module.root / "go.sum", place / "local.sum")
    edit = [f"-replace={AWS_RUNTIME}={copy}"]
    version = module.required_version(_LAMBDA)
    if version is None or _numbers(version) < (1, 18):
        edit.append(f"-require={_LAMBDA}@{_LAMBDA_VERSION}")
    run_build(
        [str(go.executable), "mod", "edit", *edit, str(path)],
        folder=module.root,
        environment=settings.environment,
        what="`go mod edit`",
    )
    return (f"-modfile={path}", "-mod=mod")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(each) for each in re.findall(r"\d+", version)[:2])
