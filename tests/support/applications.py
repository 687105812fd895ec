"""The CDK for tests of applications: from npm and the package index, installed once into the cache of all runs."""

import hashlib
import json
import os
import subprocess
import sys

from formwork.toolchain import BuildSettings
from formwork.toolchain.cache import build_once
from formwork.toolchain.npm import installed_packages
from support.cdk import PACKAGES
from support.typescript import CACHE

# dateutil is the one that botocore needs: their folder comes before botocore's.
PYTHON_PACKAGES = ("aws-cdk-lib==2.275.0", "constructs==10.8.1", "python-dateutil==2.9.0.post0")


def cdk_for_node(folder):
    """The node_modules folder with the CDK and a compiler; `folder` is the test's own."""
    manifest = {"name": "shop", "version": "1.0.0", "private": True, "dependencies": PACKAGES}
    (folder / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
    return installed_packages(folder, BuildSettings(dict(os.environ), CACHE))


def cdk_for_python():
    """A folder for PYTHONPATH with the CDK."""
    key = hashlib.sha256(" ".join((sys.version, *PYTHON_PACKAGES)).encode()).hexdigest()[:20]
    return build_once(CACHE / "cdk-for-python" / key, _install)


def _install(folder):
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder]
    subprocess.run([*pip, "--only-binary", ":all:", *PYTHON_PACKAGES], check=True)
