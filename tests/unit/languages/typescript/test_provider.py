"""What of installed packages travels to Lambda."""

import pytest

from formwork.languages.typescript.provider import is_read


@pytest.mark.parametrize(
    "name",
    [
        "node_modules/aws-sdk/clients/licensemanager.js",
        "node_modules/aws-sdk/apis/license-manager-2018-08-01.min.json",
        "node_modules/x/license.js",
        "node_modules/x/changelog/index.js",
        "node_modules/x/licenses.node",
        "node_modules/x/authors.json",
        "node_modules/x/world.map",
        "node_modules/x/package.json",
    ],
)
def test_what_node_loads_is_kept(name):
    assert is_read(name)


@pytest.mark.parametrize(
    "name",
    [
        "node_modules/x/LICENSE",
        "node_modules/x/license.txt",
        "node_modules/x/LICENCE-MIT",
        "node_modules/x/LICENSE.BSD",
        "node_modules/x/README.md",
        "node_modules/x/CHANGELOG.markdown",
        "node_modules/x/index.d.ts",
        "node_modules/x/index.d.mts",
        "node_modules/x/src/index.ts",
        "node_modules/x/index.js.map",
        "node_modules/x/index.d.ts.map",
    ],
)
def test_what_only_readers_and_compilers_need_is_left_out(name):
    assert not is_read(name)
