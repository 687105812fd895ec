"""The handler protocol's vectors against the Go handler library."""

from support import golang
from support.toolchains import needs_go
from support.vectors import PROTOCOL, differences, run


@needs_go
def test_the_go_library_answers_as_the_vectors_say():
    runner = golang.build(PROTOCOL / "go", ".")
    assert differences(run([runner])) == {}
