"""What is built is installed in fresh environments on every Python of this machine, and used there as the pages say.

Apart from `make test`, because an editable install on one Python hid defects of the built package.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile

import pytest

from support.corpus import REPOSITORY
from support.installations import EXTRAS, build, new_installation, pythons, quick_installation, run
from support.sessions import play, read_session

pytestmark = pytest.mark.acceptance
LOWEST, HIGHEST = min(pythons()), max(pythons())


def on(minor):
    """One worker runs the tests of a Python, whose base installation is made once."""
    return pytest.mark.xdist_group(f"python3.{minor}")


every_python = pytest.mark.parametrize("minor", [pytest.param(each, marks=on(each)) for each in pythons()])
INIT = ("init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "--sample", f"python3{LOWEST}", "--no-docker")
MOST_DISTRIBUTIONS = 13
MOST_MEGABYTES = 38
# What an extra brings is used once: the word that a command prints then.
USES = {
    "aws": "import boto3; boto3.client('sts', region_name='us-east-1')",
    "gate": "import formwork.egress.authority",
    "guard": "import cloudformation_validate",
    "lsp": "import cfnlint",
    "mcp": "import mcp.server",
    "moto": "import moto.server",
    "postgresql": "import psycopg",
    "sam": "import samtranslator.translator.transform",
    "serve": "import sqlalchemy, starlette, uvicorn, formwork.command_context.registry_service",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def base(built, tmp_path_factory):
    """The wheel without extras, installed on a Python: a function of its minor version."""
    made = {}

    def installed(minor):
        if minor not in made:
            made[minor] = new_installation(tmp_path_factory.mktemp(f"base3{minor}") / "env", minor)
            made[minor].install(built[1])
        return made[minor]

    return installed


@pytest.fixture(scope="module")
def whole(built, tmp_path_factory):
    """The wheel with every extra, on a Python: a function of its minor version."""
    made = {}

    def installed(minor):
        if minor not in made:
            made[minor] = new_installation(tmp_path_factory.mktemp(f"whole3{minor}") / "env", minor)
            made[minor].install(f"formwork-cfn[{','.join(EXTRAS)}] @ {built[1].as_uri()}")
        return made[minor]

    return installed


def sessions_of(page, installation, folder, *, exact=False):
    """Play a page's sessions with the installed `cfn`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "FORMWORK_", "PYTHON"))}
    environment = {
        **kept,
        "HOME": str(folder),
        "NO_COLOR": "1",
        "PYTHONUNBUFFERED": "1",  # lines of both streams come in order, as on a terminal
        "PATH": installation.path,
        "FORMWORK_STATE": str(folder / ".state"),
    }
    play(read_session((REPOSITORY / page).read_text(encoding="utf-8")), folder, environment, exact=exact)


@every_python
def test_the_base_install_plays_the_readme_within_its_weight(minor, base, tmp_path):
    installation = base(minor)
    sessions_of("README.md", installation, tmp_path, exact=True)
    listed = run(installation.python, "-m", "pip", "list", "--format=freeze", cwd=tmp_path).split()
    names = {line.partition("==")[0].lower() for line in listed if "==" in line} - {"pip", "setuptools"}
    assert len(names) <= MOST_DISTRIBUTIONS, names
    [site] = (installation.folder / "lib").glob("python3*/site-packages")
    files = [path for path in site.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    own = ("pip", "setuptools", "pkg_resources", "_distutils_hack")  # of the environment: pip's and setuptools'
    size = sum(path.stat().st_size for path in files if not path.relative_to(site).parts[0].startswith(own))
    assert size <= MOST_MEGABYTES * 1_000_000, f"{size / 1e6:.1f} MB"


@on(LOWEST)
def test_a_hook_for_the_guides_targets_is_packaged_without_a_network_or_extras(base, tmp_path):
    installation = base(LOWEST)
    project = tmp_path / "acme-store-guard"
    project.mkdir()
    words = ("-a", "HOOK", "-t", "Acme::Store::Guard", "--sample", f"python3{LOWEST}", "--no-docker")
    installation.cfn("init", *words, cwd=project)
    path = project / "acme-store-guard.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    for handler in schema["handlers"].values():
        handler["targetNames"] = ["AWS::S3::Bucket", "AWS::SQS::Queue"]
    path.write_text(json.dumps(schema), encoding="utf-8")
    installation.cfn("generate", "--offline", cwd=project)
    assert (project / "target-schemas" / "aws-sqs-queue.json").is_file()
    installation.cfn("package", cwd=project)
    with zipfile.ZipFile(project / "acme-store-guard.zip") as archive:
        infos = json.loads(archive.read("target-info.json"))
    assert {name: info["SchemaFileAvailable"] for name, info in infos.items()} == {
        "AWS::S3::Bucket": True,
        "AWS::SQS::Queue": True,
    }
    path.write_text(json.dumps(schema).replace("AWS::S3::Bucket", "AWS::S3::*"), encoding="utf-8")
    shutil.rmtree(project / "target-schemas")
    refused = subprocess.run(
        [installation.folder / "bin" / "cfn", "package"], cwd=project, capture_output=True, text=True, check=False
    )
    assert refused.returncode == 1
    assert 'no type in the project or on this machine matches the target "AWS::S3::*"' in refused.stderr


@on(HIGHEST)
def test_every_name_of_the_command_runs(base, tmp_path):
    installation = base(HIGHEST)
    said = {
        run(installation.folder / "bin" / name, "--version", cwd=tmp_path)
        for name in ("cfn", "cfn-cli", "formwork-cfn")
    }
    said.add(run(installation.python, "-m", "formwork", "--version", cwd=tmp_path))
    assert len(said) == 1


@pytest.mark.parametrize("extra", EXTRAS)
@pytest.mark.parametrize("minor", [LOWEST, HIGHEST])
def test_an_extra_brings_what_it_is_for(minor, extra, built, tmp_path):
    """In an environment of its own: another extra would hide what this one lacks."""
    installation = quick_installation(tmp_path / "env", minor, f"formwork-cfn[{extra}] @ {built[1].as_uri()}")
    run(installation.python, "-c", USES[extra], cwd=tmp_path)


@every_python
def test_the_tutorial_goes_as_it_says_and_the_demo_to_its_end(minor, whole, tmp_path):
    installation = whole(minor)
    sessions_of("docs/tutorial/first-resource-type.md", installation, tmp_path)
    ended = run(installation.python, REPOSITORY / "examples" / "demo.py", cwd=tmp_path)
    assert "That was the whole loop" in ended


@pytest.mark.parametrize("minor", [LOWEST, HIGHEST])
def test_source_distribution_checkout_and_git_address_install(minor, built, tmp_path):
    # Checkout and address are built as the source distribution is: once is enough.
    others = (REPOSITORY, f"git+{REPOSITORY.as_uri()}") if minor == HIGHEST else ()
    for number, source in enumerate((built[0], *others)):
        installation = new_installation(tmp_path / f"env{number}", minor)
        installation.install(source)
        project = tmp_path / f"project{number}"
        project.mkdir()
        installation.cfn(*INIT, cwd=project)
        installation.cfn("package", cwd=project)


def test_one_environment_has_unit_tests_and_cfn_with_either_handler_library(built, tmp_path):
    """AWS's library is put over ours, as `pip install -r requirements.txt` does, and taken away again."""
    installation = new_installation(tmp_path / "env", HIGHEST)
    installation.install(built[1])
    project = tmp_path / "project"
    project.mkdir()
    installation.cfn(*INIT, cwd=project)

    def used():
        run(installation.python, "-m", "pytest", "-q", cwd=project)
        installation.cfn("test", "--", "-k", "contract_create_read", cwd=project)
        installation.cfn("generate", cwd=project)
        return run(
            installation.python, "-c", "import cloudformation_cli_python_lib as l; print(l.__file__)", cwd=project
        )

    assert "handler_libraries" in used()
    run(installation.python, "-m", "pip", "install", "--quiet", "-r", "requirements.txt", cwd=project)
    assert "handler_libraries" not in used()
    run(installation.python, "-m", "pip", "uninstall", "--quiet", "--yes", "cloudformation-cli-python-lib", cwd=project)
    assert "handler_libraries" in used()


@pytest.mark.parametrize("program", ["uv", "pipx", "pre-commit"])
def test_tools_that_install_for_themselves(program, built, tmp_path):
    """From the checkout, with the index for what it needs, as their users have it."""
    tools = new_installation(tmp_path / "tools", HIGHEST)
    run(tools.python, "-m", "pip", "install", "--quiet", program, cwd=tmp_path)
    home = {"HOME": str(tmp_path), "PATH": tools.path, "PIPX_HOME": str(tmp_path / "pipx")}
    if program == "uv":
        words = ("tool", "run", "--python", str(tools.python), "--from", str(REPOSITORY), "formwork-cfn", "--version")
        assert "0.1.0" in run(tools.folder / "bin" / "uv", *words, cwd=tmp_path, env=home)
    elif program == "pipx":
        run(tools.folder / "bin" / "pipx", "install", str(built[1]), cwd=tmp_path, env=home)
        assert "0.1.0" in run(tmp_path / ".local" / "bin" / "cfn", "--version", cwd=tmp_path, env=home)
    else:
        project = tmp_path / "project"
        project.mkdir()
        run(sys.executable, "-m", "formwork", *INIT, cwd=project)
        git = ("git", "-c", "user.name=a", "-c", "user.email=a@example.com")
        run(*git, "init", "-q", cwd=project)
        run(*git, "add", ".", cwd=project)
        words = ("try-repo", str(REPOSITORY), "cfn-validate", "--all-files")
        assert "Passed" in run(tools.folder / "bin" / "pre-commit", *words, cwd=project, env=home)
