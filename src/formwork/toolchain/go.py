"""The Go toolchain."""

from collections.abc import Mapping
from pathlib import Path

from formwork.toolchain.tool import Tool, ask_version, find_executable, missing

_INSTALL = "install Go (https://go.dev/dl), or your system's package golang-go"
_USUAL = (Path("/usr/local/go/bin"), Path("/usr/lib/go/bin"))


def find_go(environment: Mapping[str, str]) -> Tool:
    """Go in GOROOT, on the PATH of `environment` or where its installer puts it.

    Raises:
        EnvironmentProblemError: there is none.
    """
    root = environment.get("GOROOT")
    beside = [Path(root) / "bin"] if root else []
    path = find_executable("go", environment, beside=beside)
    path = path or find_executable("go", {**environment, "PATH": ""}, beside=_USUAL)
    version = ask_version(path, "version", environment) if path is not None else None
    if path is None or version is None:
        raise missing("Go", "Go handlers are compiled with it", _INSTALL)
    return Tool(path, version)


def find_delve(environment: Mapping[str, str]) -> Path:
    """Delve, Go's debugger, on the PATH of `environment` or where `go install` puts it.

    Raises:
        EnvironmentProblemError: there is none.
    """
    homes = [Path(environment[name]) for name in ("GOBIN",) if environment.get(name)]
    homes += [Path(environment[name]) / "go" / "bin" for name in ("HOME", "USERPROFILE") if environment.get(name)]
    path = find_executable("dlv", environment, beside=homes)
    if path is None:
        raise missing(
            "Delve", "Go handlers are debugged with it", "go install github.com/go-delve/delve/cmd/dlv@latest"
        )
    return path
