"""What TypeScript projects read outside their folder: followed as the compiler follows it, and built at the same places."""

import json
import os

import pytest

from formwork.toolchain.reach import Reach, find_reach, read_tsconfig
from formwork.toolchain.reached_packages import registry_packages
from formwork.toolchain.workspaces import find_workspace, is_linked, local_dependencies, satisfies
from support.toolchains import needs_node
from support.typescript import build, node


def write(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")


def reached(top, reach):
    return {os.path.relpath(each, top) for each in (*reach.folders, *reach.files)}


@pytest.fixture
def project(tmp_path):
    write(tmp_path, {"types/thing/package.json": {}, "types/thing/tsconfig.json": {"include": ["src/**/*.ts"]}})
    return tmp_path / "types" / "thing"


def test_a_project_that_reads_its_own_folder_alone(project):
    write(project, {"src/a.ts": "import {b} from '../lib/b';", "lib/b.ts": "", "src/c.ts": "import '../../nowhere';"})
    assert find_reach(project) == Reach(project)
    assert find_reach(project).is_inside


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("import {x} from '../../../common/src/x';", "common"),
        ('export * from "../../../common/src/x";', "common"),
        ("import x = require('../../../common/src/x');", "common"),
        ("const x = await import('../../../common/src/x.js');", "common"),
        ("import '../../../loose/x';", "loose"),
        ("import '../../../beside';", "beside.ts"),
        ("import '../../../beside.js';", "beside.ts"),
    ],
)
def test_imports_lead_to_packages_folders_and_files(tmp_path, project, text, place):
    write(tmp_path, {"common/package.json": {}, "common/src/x.ts": "", "loose/x.ts": "", "beside.ts": ""})
    write(project, {"src/a.ts": text})
    reach = find_reach(project)
    assert reached(tmp_path, reach) == {place}
    assert reach.top == tmp_path


@pytest.mark.parametrize(
    ("config", "places"),
    [
        ({"extends": "../../tsconfig.base.json"}, {"tsconfig.base.json", "tsconfig.root.json"}),
        ({"extends": ["../../tsconfig.base"]}, {"tsconfig.base.json", "tsconfig.root.json"}),
        ({"extends": "@tsconfig/node20/tsconfig.json"}, set()),
        ({"references": [{"path": "../other"}]}, {"types/other"}),
        ({"references": [{"path": "../other/tsconfig.json"}]}, {"types/other"}),
        ({"include": ["src", "../other/src/**/*.ts"]}, {"types/other"}),
        ({"compilerOptions": {"paths": {"@other/*": ["../other/src/*"]}}}, {"types/other"}),
        ({"compilerOptions": {"baseUrl": "..", "paths": {"@other/*": ["other/src/*"]}}}, {"types/other"}),
        ({"compilerOptions": {"rootDir": "../.."}}, set()),
    ],
)
def test_configurations_lead_to_others(tmp_path, project, config, places):
    write(
        tmp_path,
        {
            "tsconfig.base.json": '{/* of all */ "extends": "./tsconfig.root.json", }',
            "tsconfig.root.json": "{}",
            "types/other/tsconfig.json": "{}",
            "types/other/src/x.ts": "",
        },
    )
    write(project, {"tsconfig.json": config})
    assert reached(tmp_path, find_reach(project)) == places


def test_what_is_reached_is_followed(tmp_path, project):
    write(project, {"src/a.ts": "import '../../../common/src/x';"})
    write(tmp_path, {"common/package.json": {}, "common/src/x.ts": "import '../../deep/y';", "deep/y.ts": ""})
    assert reached(tmp_path, find_reach(project)) == {"common", "deep"}


def test_comments_and_trailing_commas_of_a_configuration(tmp_path):
    text = '{\n// "a": 1\n"b": "x // y", /* , */ "c": ["/* z */", ], // end\n}'
    write(tmp_path, {"tsconfig.json": text, "broken.json": "{", "list.json": "[]"})
    assert read_tsconfig(tmp_path / "tsconfig.json") == {"b": "x // y", "c": ["/* z */"]}
    assert read_tsconfig(tmp_path / "broken.json") == read_tsconfig(tmp_path / "list.json") == {}


def test_members_of_a_workspace_that_a_project_depends_on(tmp_path):
    write(
        tmp_path,
        {
            "package.json": {"workspaces": {"packages": ["./packages/*", "tools/one"]}},
            "packages/thing/package.json": {"name": "thing", "dependencies": {"@acme/a": "^1.0.0", "ms": "2"}},
            "packages/a/package.json": {"name": "@acme/a", "version": "1.4.0", "dependencies": {"b": "*"}},
            "packages/b/package.json": {"name": "b", "version": "3.0.0", "dependencies": {"old": "^1.0.0"}},
            "packages/old/package.json": {"name": "old", "version": "2.0.0"},
            "elsewhere/package.json": {"name": "elsewhere"},
        },
    )
    root = tmp_path / "packages" / "thing"
    workspace = find_workspace(root)
    assert workspace.root == tmp_path
    assert [each.name for each in local_dependencies(root, workspace)] == ["a", "b"]
    assert reached(tmp_path, find_reach(root)) == {"packages/a", "packages/b"}
    assert find_workspace(tmp_path / "elsewhere") is None


@pytest.mark.parametrize(
    ("version", "wanted", "fits"),
    [
        ("1.2.0", "*", True),
        ("1.2.0", "workspace:^", True),
        ("1.2.0", "^1.0.0", True),
        ("0.6.0", "^0.5.0", False),
        ("0.5.1", "^0.5.0", True),
        ("1.2.0", "~1.2.0", True),
        ("1.3.0", "~1.2.0", False),
        ("1.2.0", "1.x", True),
        ("1.2.0", "1.2.0", True),
        ("1.2.1", "1.2.0", False),
        ("2.0.0", ">=1", True),
        ("2.0.0", "^1.0.0 || ^2.0.0", True),
        ("1.0.0", "git+ssh://host/x", False),
    ],
)
def test_a_member_is_linked_where_npm_would_link_it(version, wanted, fits):
    assert satisfies(version, wanted) is fits


@needs_node
def test_a_monorepo_builds_as_the_compiler_builds_it_in_place(tmp_path, project):
    """A shared base configuration, sources of a neighbour, a path alias and a referenced project."""
    options = {"target": "ES2020", "module": "commonjs", "strict": True, "declaration": True, "composite": True}
    write(
        tmp_path,
        {
            "tsconfig.base.json": {"compilerOptions": options},
            "common/src/greet.ts": "export const greet = (name: string): string => `hello ${name}`;",
            "types/shared/tsconfig.json": {
                "extends": "../../tsconfig.base.json",
                "compilerOptions": {"outDir": "dist", "rootDir": "src"},
                "include": ["src"],
            },
            "types/shared/src/named.ts": "export type Named = {Name: string};",
        },
    )
    write(
        project,
        {
            "tsconfig.json": {
                "extends": "../../tsconfig.base.json",
                "compilerOptions": {
                    "composite": False,
                    "outDir": "dist",
                    "types": [],
                    "baseUrl": ".",
                    "paths": {"@shared/*": ["../shared/src/*"]},
                },
                "include": ["src"],
                "references": [{"path": "../shared"}],
            },
            "src/handlers.ts": "import {greet} from '../../../common/src/greet';\n"
            "import type {Named} from '@shared/named';\n"
            "export const entrypoint = (model: Named): string => greet(model.Name);\n",
        },
    )
    (project / "package.json").unlink()  # the test's own, with the compiler
    built = build(project)
    program = "console.log(require('./dist/types/thing/src/handlers').entrypoint({Name: 'a'}))"
    assert node("-e", program, cwd=built).strip() == "hello a"
    assert not (project / "dist").exists()
    (tmp_path / "common" / "src" / "greet.ts").write_text("export const greet = (name: string): number => 1;")
    with pytest.raises(Exception, match="TypeScript compiler failed"):
        build(project)


@pytest.mark.parametrize(
    "lists",
    [
        {"pnpm-workspace.yaml": "packages:\n  - 'packages/*'\n  - '!packages/left'\n"},
        {"lerna.json": {"version": "independent", "packages": ["**/*"]}},
        {"lerna.json": {"version": "1.0.0"}},
    ],
    ids=["pnpm", "lerna with all", "lerna by default"],
)
def test_the_lists_of_pnpm_and_lerna_name_members(tmp_path, lists):
    write(
        tmp_path,
        {
            **lists,
            "packages/thing/package.json": {"name": "thing", "dependencies": {"@acme/a": "workspace:^", "ms": "2"}},
            "packages/a/package.json": {"name": "@acme/a", "version": "1.4.0"},
            "packages/a/node_modules/b/package.json": {"name": "b", "version": "3.0.0"},
        },
    )
    root = tmp_path / "packages" / "thing"
    workspace = find_workspace(root)
    assert (workspace.root, workspace.by_npm, set(workspace.members)) == (tmp_path, False, {"thing", "@acme/a"})
    assert is_linked(root, "@acme/a", workspace)
    assert not is_linked(root, "ms", workspace)
    assert reached(tmp_path, find_reach(root)) == {"packages/a"}


def test_a_package_of_the_registry_may_be_called_as_a_member_is(tmp_path):
    write(
        tmp_path,
        {
            "lerna.json": {"packages": ["*"]},
            "thing/package.json": {"name": "thing", "dependencies": {"common": "^0.5.0", "other": "*"}},
            "common/package.json": {"name": "common", "version": "0.6.0"},
            "other/package.json": {"name": "other"},
            "node_modules/common/package.json": {"name": "common", "version": "0.5.0"},
            "node_modules/ms/package.json": {"name": "ms"},
        },
    )
    modules = tmp_path / "node_modules"
    (modules / "other").symlink_to(tmp_path / "other", target_is_directory=True)
    assert list(registry_packages(modules, find_workspace(tmp_path / "thing"))) == ["common", "ms"]


def test_members_after_an_exclamation_mark_are_none(tmp_path):
    write(
        tmp_path,
        {
            "package.json": {"workspaces": ["packages/**", "!packages/left"]},
            "packages/deep/thing/package.json": {"name": "thing"},
            "packages/left/package.json": {"name": "left"},
        },
    )
    assert set(find_workspace(tmp_path / "packages" / "deep" / "thing").members) == {"thing"}
    assert find_workspace(tmp_path / "packages" / "left") is None


def test_what_a_build_needs_of_the_folders_around_it(tmp_path, project):
    write(
        tmp_path,
        {"tsconfig.base.json": {"extends": "@tsconfig/node12/tsconfig.json", "compilerOptions": {"types": ["node"]}}},
    )
    write(
        project,
        {
            "tsconfig.json": {"extends": "../../tsconfig.base.json", "include": ["src/**/*.ts"]},
            "__tests__/handlers.test.ts": "import {mock} from '@acme/gone';\n",
            "src/handlers.ts": "import {S3} from 'aws-sdk';\nimport type {A} from '@acme/kept/deep';\nimport './own';\n",
        },
    )
    reach = find_reach(project)
    for name in ("typescript", "@types/node", "@tsconfig/node12", "aws-sdk", "@acme/kept"):
        assert reach.needs_from_around("devDependencies", name), name
    for name in ("jest", "eslint", "@acme/gone"):
        assert not reach.needs_from_around("devDependencies", name), name
        assert reach.needs_from_around("dependencies", name)
