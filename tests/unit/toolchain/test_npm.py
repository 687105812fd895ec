"""Packages of Node projects, with a fake npm: what is installed when, and what is shared."""

import json
import os

import pytest

from formwork.diagnostics import BadInputError, EnvironmentProblemError
from formwork.toolchain import BuildSettings
from formwork.toolchain.npm import _install_hint, installed_packages
from formwork.toolchain.skew import has_skew
from formwork.toolchain.typescript import build_project

LIBRARY = "@amazon-web-services-cloudformation/cloudformation-cli-typescript-lib"

NPM = """#!/bin/sh
echo "$@" >> "$NPM_CALLS"
[ -z "$NPM_FAILS" ] || { echo "npm error code ENOTFOUND"; exit 1; }
[ "$1" = ci ] && [ -n "$NPM_CI_FAILS" ] && exit 1
mkdir -p node_modules/tool
cp package.json node_modules/tool/seen.json
for each in $NPM_MAKES; do mkdir -p "node_modules/$each"; done
for each in $NPM_LINKS; do ln -s "../packages/$each" "node_modules/$each"; done
exit 0
"""


class Machine:
    """A project, a cache, and a PATH with a Node and an npm that note how they are called."""

    def __init__(self, folder):
        self.root, self.calls, self.said = folder / "project", folder / "calls", []
        self.root.mkdir()
        binaries = folder / "bin"
        binaries.mkdir()
        for name, text in {"node": "#!/bin/sh\necho v22.3.0\n", "npm": NPM}.items():
            (binaries / name).write_text(text)
            (binaries / name).chmod(0o755)
        self.environment = {"PATH": f"{binaries}:/usr/bin:/bin", "NPM_CALLS": str(self.calls)}
        self.settings = BuildSettings(self.environment, folder / "cache", self.said.append)

    def manifest(self, **manifest):
        (self.root / "package.json").write_text(json.dumps(manifest))

    def ran(self):
        found = self.calls.read_text().splitlines() if self.calls.exists() else []
        self.calls.unlink(missing_ok=True)
        return [line.split()[0] for line in found]


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_nothing_is_installed_where_nothing_is_needed(machine):
    assert installed_packages(machine.root, machine.settings) is None
    machine.manifest(name="x", devDependencies={"tool": "1.0.0"})
    assert installed_packages(machine.root, machine.settings, production=True) is None
    assert machine.ran() == []


def test_packages_are_installed_once_a_content(machine):
    machine.manifest(dependencies={"tool": "1.0.0"})
    first = installed_packages(machine.root, machine.settings)
    assert (first / "tool").is_dir()
    assert machine.ran() == ["install"]
    assert installed_packages(machine.root, machine.settings) == first
    assert machine.ran() == []
    machine.manifest(dependencies={"tool": "2.0.0"})
    assert installed_packages(machine.root, machine.settings) != first
    assert installed_packages(machine.root, machine.settings, production=True) != first
    assert machine.ran() == ["install", "install"]


def test_a_lock_decides_and_one_that_is_out_of_step_is_mended(machine):
    machine.manifest(dependencies={"tool": "1.0.0"})
    (machine.root / "package-lock.json").write_text("{}")
    installed_packages(machine.root, machine.settings)
    assert machine.ran() == ["ci"]
    (machine.root / "package-lock.json").write_text('{"older": 1}')
    machine.environment["NPM_CI_FAILS"] = "1"
    installed_packages(machine.root, machine.settings)
    assert machine.ran() == ["ci", "install"]


def test_the_authors_own_packages_are_taken_where_they_are_current(machine):
    machine.manifest(dependencies={"tool": "1.0.0"})
    own = machine.root / "node_modules"
    own.mkdir()
    (own / ".package-lock.json").write_text("{}")
    assert installed_packages(machine.root, machine.settings) == own
    os.utime(own / ".package-lock.json", (1, 1))
    assert installed_packages(machine.root, machine.settings) != own


def test_packages_that_are_folders_of_the_project(machine):
    (machine.root / "vendor").mkdir()
    (machine.root / "vendor" / "a.js").write_text("1")
    machine.manifest(dependencies={"own": "file:vendor"})
    made = installed_packages(machine.root, machine.settings)
    seen = json.loads((made / "tool" / "seen.json").read_text())
    assert seen["dependencies"]["own"] == f"file:{machine.root / 'vendor'}"
    (machine.root / "vendor" / "a.js").write_text("2")
    assert installed_packages(machine.root, machine.settings) != made


def test_what_npm_says_is_shown(machine):
    machine.manifest(dependencies={"tool": "1.0.0"})
    machine.environment["NPM_FAILS"] = "1"
    with pytest.raises(EnvironmentProblemError, match="npm can't install") as caught:
        installed_packages(machine.root, machine.settings)
    assert caught.value.diagnostics[0].notes == ("npm error code ENOTFOUND",)
    assert list((machine.settings.cache / "npm").iterdir()) == [], "half an installation is none"


@pytest.mark.parametrize("text", ["{", "[]", "\x00"])
def test_a_manifest_that_is_none(machine, text):
    (machine.root / "package.json").write_text(text)
    with pytest.raises(BadInputError, match=r"package\.json can't be used"):
        installed_packages(machine.root, machine.settings)


def test_two_copies_of_what_must_be_one(machine):
    nested = f"{LIBRARY}/node_modules/class-transformer"
    machine.environment["NPM_MAKES"] = f"class-transformer/old {nested}/new"
    machine.manifest(dependencies={LIBRARY: "1.0.6", "class-transformer": "0.3.1"})
    made = installed_packages(machine.root, machine.settings)
    assert [each.name for each in (made / "class-transformer").iterdir()] == ["new"]
    assert not has_skew(made)
    assert any("lose every property" in line for line in machine.said)


def test_a_build_is_of_the_projects_content(machine):
    source = machine.root / "src" / "a.js"
    source.parent.mkdir()
    source.write_text("1")
    (machine.root / "inputs").mkdir()
    first = build_project(machine.root, machine.settings)
    assert (first / "src" / "a.js").read_text() == "1"
    (machine.root / "inputs" / "inputs_1_create.json").write_text("{}")
    (machine.root / "dist").mkdir()
    assert build_project(machine.root, machine.settings) == first, "no build reads these"
    other = build_project(machine.root, machine.settings, replaced={"src/a.js": "2"})
    assert (other / "src" / "a.js").read_text() == "2"
    source.write_text("3")
    assert build_project(machine.root, machine.settings) not in {first, other}


def test_a_compiler_that_is_none_of_the_packages(machine):
    (machine.root / "tsconfig.json").write_text("{}")
    with pytest.raises(BadInputError, match="typescript is none of its packages"):
        build_project(machine.root, machine.settings)


# A Node whose TypeScript finds fault in the file FAULTY, unless it is told not to look at packages.
COMPILER = """#!/bin/sh
[ "$1" = --version ] && { echo v22.3.0; exit 0; }
echo "$*" >> "$NPM_CALLS"
case "$FAULTY $*" in *.d.ts*--skipLibCheck) exit 0 ;; esac
echo "$FAULTY(30,11): error TS2430: no"; echo "  more of it"; exit 2
"""


def _with_compiler(machine, faulty):
    (machine.root / "tsconfig.json").write_text("{}")
    packages = machine.root / "node_modules"
    (packages / "typescript" / "bin").mkdir(parents=True)
    (packages / "typescript" / "bin" / "tsc").touch()
    machine.manifest(devDependencies={"typescript": "4.9.5"})
    (packages / ".package-lock.json").touch()
    node = machine.root.parent / "bin" / "node"
    node.write_text(COMPILER)
    machine.environment["FAULTY"] = faulty


def test_faults_of_packages_are_none_of_the_projects(machine):
    _with_compiler(machine, "../../npm/1f/node_modules/@a/b/dist/interface.d.ts")
    build_project(machine.root, machine.settings)
    first, second = machine.calls.read_text().splitlines()
    assert second == f"{first} --skipLibCheck"
    assert "--skipLibCheck" in machine.said[-1]


def test_faults_of_the_project_are_told_at_once(machine):
    _with_compiler(machine, "src/handlers.ts")
    with pytest.raises(BadInputError) as caught:
        build_project(machine.root, machine.settings)
    assert caught.value.diagnostics[0].notes == ("src/handlers.ts(30,11): error TS2430: no", "  more of it")
    assert len(machine.calls.read_text().splitlines()) == 1


def test_a_build_script_that_is_more_than_the_compiler(machine):
    machine.manifest(scripts={"build": "esbuild src/handlers.ts"})
    build_project(machine.root, machine.settings)
    assert machine.ran() == ["run"]


def test_maps_lead_to_the_authors_sources_where_breakpoints_are_set(machine):
    (machine.root / "src").mkdir()
    (machine.root / "out").mkdir()
    (machine.root / "out" / "a.js.map").write_text('{"version": 3, "sources": ["../src/a.ts"]}')
    built = build_project(machine.root, machine.settings, debugging=True)
    assert json.loads((built / "out" / "a.js.map").read_text())["sources"] == [str(machine.root / "src" / "a.ts")]
    plain = build_project(machine.root, machine.settings)
    assert json.loads((plain / "out" / "a.js.map").read_text())["sources"] == ["../src/a.ts"]


def _workspace(machine):
    """A workspace with the machine's project as a member that depends on another one."""
    top = machine.root
    machine.manifest(name="top", workspaces=["packages/*"], devDependencies={"tool": "1"}, scripts={"prepare": "husky"})
    for name, manifest in {
        "thing": {"name": "thing", "dependencies": {"@acme/shared": "^1.0.0"}},
        "shared": {"name": "@acme/shared", "version": "1.1.0"},
        "other": {"name": "other", "version": "1.0.0"},
    }.items():
        folder = top / "packages" / name
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(json.dumps(manifest))
        (folder / "index.js").write_text(f"// {name}")
    return top / "packages" / "thing"


def test_a_member_of_a_workspace_is_built_with_the_members_that_it_needs(machine):
    thing = _workspace(machine)
    machine.environment |= {"NPM_MAKES": "@acme/kept @acme/shared", "NPM_LINKS": "other"}  # as npm links members
    built = build_project(thing, machine.settings)
    assert (built / "index.js").read_text() == "// thing"
    packages = (built / ".." / ".." / "node_modules").resolve()
    assert (packages / "@acme" / "shared" / "index.js").read_text() == "// shared"
    assert (packages / "@acme" / "kept").is_dir()
    assert not (packages / "other").exists()
    assert "husky" not in (packages / "tool" / "seen.json").read_text()
    assert machine.calls.read_text().count("--workspace=packages/thing --include-workspace-root") == 1


def test_a_package_holds_the_members_that_the_project_needs(machine):
    from formwork.languages.typescript.provider import _packages

    thing = _workspace(machine)
    machine.environment["NPM_MAKES"] = "@acme/shared other ms"
    machine.environment["NPM_CALLS"] = os.devnull
    built = build_project(thing, machine.settings)
    members, _ = _packages(thing, built, machine.settings)
    assert [each.name for each in members] == [
        "node_modules/tool/seen.json",
        "node_modules/@acme/shared/index.js",
        "node_modules/@acme/shared/package.json",
    ]


def test_a_folder_around_a_project_is_installed_without_the_tools_that_no_build_reads(machine):
    thing = machine.root / "handlers" / "thing"
    (thing / "src").mkdir(parents=True)
    tools = {"typescript": "4", "@tsconfig/node12": "1", "gone-from-the-registry": "2.4.28"}
    machine.manifest(name="top", dependencies={"kept": "1"}, devDependencies=tools)
    (machine.root / "package-lock.json").write_text("{}")
    (machine.root / "tsconfig.json").write_text('{"extends": "@tsconfig/node12/tsconfig.json"}')
    (thing / "package.json").write_text(json.dumps({"name": "thing", "scripts": {"build": "true"}}))
    (thing / "tsconfig.json").write_text('{"extends": "../../tsconfig.json"}')
    built = build_project(thing, machine.settings)
    seen = json.loads((built / ".." / ".." / "node_modules" / "tool" / "seen.json").read_text())
    assert seen["dependencies"] == {"kept": "1"}
    assert set(seen["devDependencies"]) == {"typescript", "@tsconfig/node12"}
    assert "ci" not in machine.ran()  # which takes only a manifest that is the lock's


def test_a_member_that_npm_does_not_know_is_built_and_packaged(machine):
    from formwork.languages.typescript.provider import _packages

    thing = _workspace(machine)
    machine.manifest(name="top", private=True)
    (machine.root / "pnpm-workspace.yaml").write_text("packages: [packages/*]\n")
    (thing / "package.json").write_text(
        json.dumps({"name": "thing", "dependencies": {"@acme/shared": "workspace:*", "ms": "2"}})
    )
    built = build_project(thing, machine.settings)
    packages = (built / ".." / ".." / "node_modules").resolve()
    assert (packages / "@acme" / "shared" / "index.js").read_text() == "// shared"
    assert json.loads((built / "node_modules" / "tool" / "seen.json").read_text())["dependencies"] == {"ms": "2"}
    members, _ = _packages(thing, built, machine.settings)
    names = [each.name for each in members]
    assert names == [
        "node_modules/tool/seen.json",
        "node_modules/@acme/shared/index.js",
        "node_modules/@acme/shared/package.json",
    ]


@pytest.mark.parametrize(
    ("address", "package"),
    [
        ("https://registry.example/fastly/-/fastly-3.0.0.tgz", "fastly 3.0.0"),
        ("https://registry.example/@acme/mock/-/mock-2.4.28.tgz", "@acme/mock 2.4.28"),
    ],
)
def test_a_version_that_the_registry_lacks_is_named(address, package):
    hint = _install_hint(["npm error code E404", f"npm error 404 Not Found - GET {address}"])
    assert f"does not have {package}, which the lock file names" in hint
    assert "the first install needs the network" in _install_hint(["npm error code ENOTFOUND"])
