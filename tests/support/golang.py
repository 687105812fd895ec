"""Go in tests: one build cache for all of them, and no network.

What the tests compile needs the standard library only. Its compiled packages are kept in Go's own build cache, so that
a second run costs little.
"""

import functools
import os
import subprocess
import tempfile
from pathlib import Path

from formwork.toolchain.go import find_go
from support.toolchains import describe

ROOT = Path(__file__).parents[2]
RUNTIME = ROOT / "runtime" / "go"


@functools.cache
def executable():
    """The `go` command."""
    return str(find_go(os.environ).executable)


def environment(**more):
    """The user's, with what keeps Go from the network."""
    return {**os.environ, "GOPROXY": "off", "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local", "CGO_ENABLED": "0", **more}


def go(*arguments, folder, check=True, **more):
    """Run Go in `folder`; what it said."""
    done = subprocess.run(
        [executable(), *arguments],
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def unformatted(*paths):
    """The Go files among `paths` that gofmt would change."""
    if not paths:
        return []
    gofmt = Path(executable()).with_name("gofmt")
    done = subprocess.run([gofmt, "-l", *paths], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@functools.cache
def _programs():
    return tempfile.TemporaryDirectory(prefix="formwork-go-")


def build(folder, package):
    """The program that `package` of the module in `folder` is, built once a run."""
    return _build(Path(folder), package)


@functools.cache
def _build(folder, package):
    made = Path(_programs().name)
    program = made / f"program{len(list(made.iterdir()))}"
    go("build", "-o", str(program), package, folder=folder)
    return program


@functools.cache
def caches():
    """Where Go keeps what it compiled and downloaded, for commands that get another home; nothing where there is none."""
    if describe("go")[1]:
        return {}
    names = ("GOCACHE", "GOMODCACHE")
    found = subprocess.run(
        [executable(), "env", *names], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return dict(zip(names, found, strict=True))


@functools.cache
def proxy():
    """Where the user's Go downloads from, for the few tests that need what is not ours."""
    done = subprocess.run([executable(), "env", "GOPROXY"], capture_output=True, text=True, check=True)
    return done.stdout.strip()
