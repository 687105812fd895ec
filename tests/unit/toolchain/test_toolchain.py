"""Tools found, builds run and kept."""

import os
import subprocess
import sys
import time

import pytest

from formwork.diagnostics import BadInputError, EnvironmentProblemError
from formwork.toolchain import build_once, content_key, run_build
from formwork.toolchain.go import find_go
from formwork.toolchain.java import find_jdk, find_maven, java_release, jdk_home
from formwork.toolchain.node import find_node, find_npm
from formwork.toolchain.tool import parse_version

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the fakes are shell scripts")


def fake(folder, name, says, code=0):
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{says}'\nexit {code}\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("v20.11.1\n", (20, 11, 1)),
        ("go version go1.26.8 linux/amd64", (1, 26, 8)),
        ('openjdk version "17.0.15" 2025-04-15', (17, 0, 15)),
        ('openjdk version "21" 2023-09-19', (21,)),
        ("none", None),
    ],
)
def test_versions(text, version):
    assert parse_version(text) == version


def test_tools_are_found_on_the_path_that_is_passed(tmp_path):
    fake(tmp_path / "bin", "node", "v22.1.0")
    fake(tmp_path / "bin", "npm", "10")
    environment = {"PATH": f"{tmp_path / 'empty'}:{tmp_path / 'bin'}"}
    assert find_node(environment).version == (22, 1, 0)
    assert find_npm(environment) == tmp_path / "bin" / "npm"


def test_a_jdk_is_found_by_java_home(tmp_path):
    for name in ("java", "javac"):
        fake(tmp_path / "bin", name, 'openjdk version "21.0.1" 2023-10-17')
    assert find_jdk({"JAVA_HOME": str(tmp_path), "PATH": ""}).executable == tmp_path / "bin" / "java"


def test_a_jre_is_no_jdk(tmp_path):
    fake(tmp_path, "java", 'openjdk version "21.0.1" 2023-10-17')
    with pytest.raises(EnvironmentProblemError, match="javac is missing"):
        find_jdk({"PATH": str(tmp_path)}, places=())


def kept_jdk(folder, version):
    for name in ("java", "javac"):
        folder.mkdir(parents=True, exist_ok=True)
        fake(folder / "bin", name, "asking a JDK for its version starts it", code=1)
    (folder / "release").write_text(f'IMPLEMENTOR="X"\nJAVA_VERSION="{version}"\n')


def test_a_jdk_that_is_too_old_gives_way_to_the_oldest_that_will_do(tmp_path):
    for folder, version in {"own": "17.0.1", "a": "25", "b": "21.0.2", "c": "11.0.9"}.items():
        kept_jdk(tmp_path / folder, version)
    environment = {"JAVA_HOME": str(tmp_path / "own")}
    # The file system's root is where patterns begin.
    places = [f"{str(tmp_path).lstrip('/')}/[abc]"]
    assert find_jdk(environment, places=places).version == (17, 0, 1)
    found = find_jdk(environment, least=21, places=places)
    assert (found.executable, found.version) == (tmp_path / "b" / "bin" / "java", (21, 0, 2))
    assert jdk_home(found) == tmp_path / "b"
    with pytest.raises(EnvironmentProblemError, match=r"Java 17\.0\.1 .* is too old"):
        find_jdk(environment, least=26, places=places)


@pytest.mark.parametrize(
    ("runtime", "release"), [("java21", 21), ("java17", 17), ("java8.al2", 17), ("java11", 17), ("", 17)]
)
def test_the_java_of_a_runtime(runtime, release):
    assert java_release(runtime) == release


@pytest.mark.parametrize("find", [find_node, find_npm, find_go, find_jdk, find_maven])
def test_what_is_missing_is_one_line_with_what_to_install(find):
    with pytest.raises(EnvironmentProblemError, match="is not installed") as caught:
        find({"PATH": os.environ["PATH"], "FORMWORK_WITHOUT_TOOLCHAINS": "1"})
    (diagnostic,) = caught.value.diagnostics
    assert "\n" not in diagnostic.message
    assert diagnostic.hint.startswith("install ")


def test_what_is_too_old_is_said(tmp_path):
    fake(tmp_path, "node", "v18.19.0")
    with pytest.raises(EnvironmentProblemError, match=r"18\.19\.0 .* is too old"):
        find_node({"PATH": str(tmp_path)})


def test_a_failed_build_shows_the_compilers_lines(tmp_path):
    program = "import sys; print('a.ts(3,4): error TS1: no\\n\\tgo get x'); sys.exit(2)"
    with pytest.raises(BadInputError, match="the compiler failed") as caught:
        run_build([sys.executable, "-c", program], folder=tmp_path, environment={}, what="the compiler")
    assert caught.value.diagnostics[0].notes == ("a.ts(3,4): error TS1: no", "    go get x")
    assert caught.value.exit_code == 1


def test_a_build_that_cannot_start_or_never_ends(tmp_path):
    with pytest.raises(EnvironmentProblemError, match="can't be started"):
        run_build([tmp_path / "none"], folder=tmp_path, environment={}, what="it")
    marker = tmp_path / "late"
    program = f"import subprocess, sys; subprocess.run(['sh', '-c', 'sleep 2; touch {marker}'])"
    with pytest.raises(EnvironmentProblemError, match="did not end"):
        run_build(
            [sys.executable, "-c", program], folder=tmp_path, environment=dict(os.environ), what="it", timeout=0.5
        )
    time.sleep(2)
    assert not marker.exists(), "what the build started lives on"


def test_keys_tell_contents_apart(tmp_path):
    (tmp_path / "src").mkdir()
    source = tmp_path / "src" / "a.ts"
    source.write_text("1")

    def key(*words):
        return content_key([tmp_path / "src", tmp_path / "none"], *words, root=tmp_path, leave_out=["node_modules"])

    first = key("20")
    os.utime(source, (1, 1))
    assert key("20") == first, "times don't count"
    assert key("22") != first
    assert key("2", "0") != first
    (tmp_path / "src" / "node_modules").mkdir()
    (tmp_path / "src" / "node_modules" / "x").write_text("")
    assert key("20") == first
    source.write_text("2")
    assert key("20") != first
    source.rename(tmp_path / "src" / "b.ts")
    assert key("20") not in {first, key("22")}


def test_what_was_built_is_kept(tmp_path):
    place = tmp_path / "cache" / "key"
    made = build_once(place, lambda folder: (folder / "out").write_text("1"))
    assert (made / "out").read_text() == "1"
    assert build_once(place, lambda _: pytest.fail("built twice")) == place


def test_a_build_that_fails_leaves_nothing(tmp_path):
    def fail(folder):
        (folder / "half").write_text("")
        raise BadInputError.of("x.y", "no")

    with pytest.raises(BadInputError):
        build_once(tmp_path / "cache" / "key", fail)
    assert list((tmp_path / "cache").iterdir()) == []


def test_builds_that_nobody_uses_go(tmp_path):
    old = tmp_path / "old"
    old.mkdir()
    os.utime(old, (1, 1))
    build_once(tmp_path / "new", lambda _: None)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["new"]


def test_a_cache_that_cannot_be_used(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentProblemError, match="cache"):
        build_once(tmp_path / "file" / "key", lambda _: None)


def test_the_ci_scripts_are_shell():
    for name in ("run", "toolchains"):
        subprocess.run(["bash", "-n", f".ci/{name}"], check=True)
