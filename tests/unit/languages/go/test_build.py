"""Go programs: which module they belong to, when they are built, and AWS's runtime kept from this machine's files."""

import json
import os
import subprocess
import zipfile

import pytest

from formwork.diagnostics import BadInputError
from formwork.languages.go.aws_runtime import AWS_RUNTIME, empties_tmp, is_tamed, waits_for_go1x
from formwork.languages.go.build import GoTarget, build_go_program
from formwork.languages.go.provider import GoBuild
from formwork.package.provider import PackagingSettings
from formwork.package.template import Architecture
from formwork.project import load_project
from formwork.toolchain import BuildSettings
from formwork.toolchain.go import find_go
from formwork.toolchain.go_module import import_path_in, module_sources, read_module
from support import golang
from support.toolchains import needs_go

MAIN = 'package main\n\nfunc main() { println("hello") }\n'
CONFIG = {"typeName": "Acme::Store::Thing", "language": "go", "runtime": "go1.x", "entrypoint": "bootstrap"}
# What matters of the real one's first version: it deletes nothing here, it says what it would.
RUNTIME = """package cfn

import (
	"fmt"
	"os"
)

func Start() {
	if err := scrubFiles("/tmp"); err != nil {
		panic(err)
	}
	_ = os.Args
}

func scrubFiles(dir string) error {
	fmt.Println(dir)
	return nil
}
"""


def write(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture
def project(tmp_path):
    return write(tmp_path / "project", {"go.mod": "module x\n\ngo 1.24\n", "cmd/main.go": MAIN})


@pytest.fixture
def settings(tmp_path):
    said = []
    environment = {**os.environ, "GOPROXY": "off", "GOTOOLCHAIN": "local"}
    return BuildSettings(environment, tmp_path / "cache", said.append), said


def contents(root):
    return {each: each.read_bytes() for each in root.rglob("*") if each.is_file()}


@needs_go
def test_a_module_may_begin_further_up(tmp_path, settings):
    text = "module x\n\nrequire (\n\ta.b/c v1.2.3 // indirect\n)\n\nreplace a.b/c => ../c // ours\nreplace d => ./d\n"
    root = write(
        tmp_path / "all", {"go.mod": text, "types/one/cmd/main.go": MAIN, "shared/x.go": "", "bin/old": "", "x.zip": ""}
    )
    module = read_module(root / "types" / "one", find_go(os.environ), settings[0].environment)
    assert module.root == root
    assert module.requires == {"a.b/c": "v1.2.3"}
    assert module.path == "x"
    assert {each.name for each in module.sources} == {"go.mod", "types", "shared", "c"}
    assert import_path_in(root / "types" / "one") == "x/types/one"
    assert {each.name for each in module_sources(root)} == {"go.mod", "types", "shared"}
    (root / "go.mod").write_text("module x\nrequired\n")
    with pytest.raises(BadInputError, match="`go mod edit` failed"):
        read_module(root, find_go(os.environ), settings[0].environment)


def test_without_a_module(tmp_path):
    with pytest.raises(BadInputError, match=r"there is no go\.mod"):
        module_sources(tmp_path)


def test_folders_of_tools_count_where_packages_are_in_them(tmp_path):
    files = dict.fromkeys(("inputs/inputs_1_create.json", "docs/README.md", "bin/bootstrap", ".git/hook.go"), "")
    root = write(
        tmp_path, {"go.mod": "module x\n", "cmd/main.go": MAIN, "build/info/info.go": "package info\n", **files}
    )
    assert [each.name for each in module_sources(root)] == ["build", "cmd", "go.mod"]


def test_what_a_workspace_holds_counts(tmp_path):
    write(tmp_path, {"go.work": "go 1.24\n", "one/go.mod": "module one\n", "two/x.go": ""})
    assert {each.name for each in module_sources(tmp_path / "one")} >= {"two", "go.work"}


@needs_go
def test_a_program_is_built_when_its_source_changed(project, settings):
    build, _ = settings
    before = contents(project)
    first = build_go_program(project, GoTarget(), build)
    assert contents(project) == before
    assert subprocess.run([first], capture_output=True, text=True, check=True).stderr == "hello\n"
    made = first.stat().st_mtime_ns
    assert build_go_program(project, GoTarget(), build).stat().st_mtime_ns == made
    assert build_go_program(project, GoTarget(), build, refresh=True).stat().st_mtime_ns != made
    write(project, {"cmd/main.go": MAIN.replace("hello", "bye")})
    debugged = build_go_program(project, GoTarget(debugged=True), build)
    assert debugged.stat().st_size > first.stat().st_size, "what a debugger reads is there"
    second = build_go_program(project, GoTarget(), build)
    assert subprocess.run([second], capture_output=True, text=True, check=True).stderr == "bye\n"
    assert second != first
    write(project, {"cmd/main.go": MAIN.replace("println", "printline")})
    with pytest.raises(BadInputError, match="the Go compiler failed") as caught:
        build_go_program(project, GoTarget(), build)
    assert any("cmd/main.go:3:15: undefined: printline" in each for each in caught.value.diagnostics[0].notes)


@pytest.mark.acceptance
@needs_go
def test_a_package_that_only_a_retired_runtime_could_start_is_told_of(project, settings, tmp_path):
    build, said = settings
    write(project, {"cmd/main.go": MAIN.replace("hello", "_LAMBDA_SERVER_PORT")})
    write(project, {".rpdk-config": json.dumps(CONFIG), "acme-store-thing.json": "{}"})
    package = PackagingSettings(build.environment, build.cache, said.append, Architecture.X86_64)
    provider = GoBuild(package).provide(load_project(project))
    assert [each for each in said if each.startswith("warning: the program is for Lambda's retired runtime go1.x")]
    assert waits_for_go1x(provider.members[0].content)
    said.clear()
    write(project, {"cmd/main.go": MAIN.replace("hello", "_LAMBDA_SERVER_PORT AWS_LAMBDA_RUNTIME_API")})
    GoBuild(package).provide(load_project(project))
    assert not said


def aws_project(root, **more):
    main = f'package main\n\nimport "{AWS_RUNTIME}/cfn"\n\nfunc main() {{ cfn.Start() }}\n'
    module = f"module x\n\ngo 1.24\n\nrequire {AWS_RUNTIME} v1.0.3\n"
    return write(root, {"go.mod": module, "cmd/main.go": main, **more})


def check_tamed(program, said):
    assert is_tamed(program)
    assert not empties_tmp(program)
    assert len(said) == 1
    ran = subprocess.run([program], env={"TMPDIR": "/nowhere"}, capture_output=True, text=True, check=True)
    assert ran.stdout == "/nowhere\n"


@pytest.mark.acceptance
@needs_go
def test_awss_runtime_is_kept_from_tmp_where_it_is_vendored(tmp_path, settings):
    build, said = settings
    modules = f"# {AWS_RUNTIME} v1.0.3\n## explicit\n{AWS_RUNTIME}/cfn\n"
    vendored = {f"vendor/{AWS_RUNTIME}/cfn/cfn.go": RUNTIME, "vendor/modules.txt": modules}
    root = aws_project(tmp_path / "project", **vendored)
    before = contents(root)
    check_tamed(build_go_program(root, GoTarget(), build), said)
    assert contents(root) == before
    packaged = build_go_program(root, GoTarget("linux", "amd64", local=False), build)
    assert not is_tamed(packaged), "what goes to AWS is as AWS made it"
    assert empties_tmp(packaged), "and is never started here"


@needs_go
def test_awss_runtime_is_kept_from_tmp_where_it_is_downloaded(tmp_path, settings):
    build, said = settings
    source = write(tmp_path / "proxy", {})
    files = source / AWS_RUNTIME / "@v"
    lambda_files = source / "github.com/aws/aws-lambda-go" / "@v"
    publish(files, AWS_RUNTIME, "v1.0.3", {"cfn/cfn.go": RUNTIME})
    publish(lambda_files, "github.com/aws/aws-lambda-go", "v1.37.0", {"lambda/entry.go": "package lambda\n"})
    environment = {
        **build.environment,
        "GOPROXY": source.as_uri(),
        "GONOSUMDB": "*",
        "GONOSUMCHECK": "1",
        "GOFLAGS": "-modcacherw",
        "GOMODCACHE": str(tmp_path / "modules"),
        "GOSUMDB": "off",
    }
    root = aws_project(tmp_path / "project")
    golang.go("mod", "tidy", folder=root, **{**environment, "GOFLAGS": "-modcacherw -mod=mod"})
    before = contents(root)
    check_tamed(build_go_program(root, GoTarget(), BuildSettings(environment, build.cache, build.note)), said)
    assert contents(root) == before


def publish(folder, module, version, files):
    """A version of a module, as a proxy has it."""
    folder.mkdir(parents=True)
    text = f"module {module}\n\ngo 1.13\n"
    (folder / f"{version}.mod").write_text(text)
    (folder / f"{version}.info").write_text(json.dumps({"Version": version, "Time": "2020-01-01T00:00:00Z"}))
    with zipfile.ZipFile(folder / f"{version}.zip", "w") as archive:
        for name, content in {"go.mod": text, **files}.items():
            archive.writestr(f"{module}@{version}/{name}", content)
