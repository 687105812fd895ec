"""Path aliases that compiled code still names."""

import json

import pytest

from formwork.toolchain.path_aliases import alias_of, aliases_of, unresolved_aliases


def write(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")


@pytest.mark.parametrize(
    ("module", "alias"),
    [("@shared/named", "@shared/*"), ("config", "config"), ("@shared", None), ("configs", None), ("aws-sdk", None)],
)
def test_which_alias_a_module_is_written_with(module, alias):
    assert alias_of(module, ("@shared/*", "config")) == alias


def test_aliases_of_an_extended_configuration(tmp_path):
    write(
        tmp_path,
        {
            "base.json": {"compilerOptions": {"paths": {"@shared/*": ["./shared/*"], "*": ["./types/*"]}}},
            "thing/tsconfig.json": {"extends": "../base"},
        },
    )
    assert aliases_of(tmp_path / "thing") == ("@shared/*",)
    assert aliases_of(tmp_path / "nothing") == ()


def test_aliases_that_are_left_in_compiled_code_are_found(tmp_path):
    write(
        tmp_path,
        {
            "thing/tsconfig.json": {"compilerOptions": {"paths": {"@shared/*": ["../shared/*"], "kept": ["./kept"]}}},
            "thing/dist/handlers.js": 'const a = require("@shared/named");\nconst b = require("kept");\n'
            'const c = require("./own");\n',
            "thing/dist/other.mjs": 'import {a} from "@shared/named";\n',
            "thing/node_modules/x/index.js": 'require("@shared/named")',
            "node_modules/kept/index.js": "",
        },
    )
    assert list(unresolved_aliases(tmp_path / "thing", tmp_path)) == [
        ("dist/handlers.js", "@shared/named", "@shared/*"),
        ("dist/other.mjs", "@shared/named", "@shared/*"),
    ]
