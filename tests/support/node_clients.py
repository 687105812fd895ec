"""AWS clients that run on Node: the CDK's command line and the SDK for JavaScript, from npm, installed once."""

import json
import os
import subprocess

from formwork.toolchain import BuildSettings
from formwork.toolchain.node import find_node
from formwork.toolchain.npm import installed_packages
from support.typescript import CACHE

PACKAGES = {"aws-cdk": "2.1148.1", "@aws-sdk/client-cloudformation": "3.1169.0"}


def install(folder):
    """The node_modules folder with the clients; `folder` is the test's own."""
    manifest = {"name": "clients", "version": "1.0.0", "private": True, "dependencies": PACKAGES}
    (folder / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
    return installed_packages(folder, BuildSettings(dict(os.environ), CACHE))


def run(server, folder, *words):
    """Run Node against the server; its exit code and all that it wrote."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    settings = {
        "AWS_ENDPOINT_URL": server.url,
        "AWS_ACCESS_KEY_ID": "111111111111",
        "AWS_SECRET_ACCESS_KEY": "x",
        "AWS_REGION": "us-east-1",
        "HOME": str(folder),  # the CDK remembers accounts there
        "CI": "true",
        "NODE_NO_WARNINGS": "1",
        "CDK_DISABLE_VERSION_CHECK": "1",
    }
    ended = subprocess.run(
        [find_node(os.environ).executable, *map(str, words)],
        cwd=folder,
        env={**own, **settings},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return ended.returncode, ended.stdout + ended.stderr
