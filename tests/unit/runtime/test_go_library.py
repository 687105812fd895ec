"""The Go handler library's own tests, run by Go."""

import pytest

from support import golang
from support.toolchains import needs_go


@pytest.mark.acceptance
@needs_go
def test_the_library():
    assert golang.unformatted(golang.RUNTIME, golang.ROOT / "tests" / "conformance" / "protocol" / "go") == []
    golang.go("vet", "./...", folder=golang.RUNTIME)
    golang.go("test", "./...", folder=golang.RUNTIME)


@needs_go
@pytest.mark.slow
@pytest.mark.parametrize("target", ["FuzzModels", "FuzzRequests"])
def test_fuzzing(target):
    golang.go("test", "-run", "-", f"-fuzz={target}$", "-fuzztime=20s", ".", folder=golang.RUNTIME)


@needs_go
def test_it_needs_the_standard_library_only():
    needed = golang.go(
        "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./...", folder=golang.RUNTIME
    )
    assert set(needed.split()) == {"formwork/cfn", "formwork/cfn/chain"}
