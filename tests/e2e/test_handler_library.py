"""`cfn` in an environment that has AWS's handler library under the import name of ours, as requirements.txt asks for."""

import pytest

from support.commands import Desk

# Of AWS's library only what tells it from ours: it lacks our modules, and would be found first.
AWS = {
    "cloudformation_cli_python_lib/__init__.py": "from .interface import ProgressEvent\n",
    "cloudformation_cli_python_lib/interface.py": "class ProgressEvent: pass\n",
    "cloudformation_cli_python_lib/exceptions.py": "class InvalidRequest(Exception): pass\n",
    "cloudformation_cli_python_lib-2.1.20.dist-info/METADATA": (
        "Metadata-Version: 2.1\nName: cloudformation-cli-python-lib\nVersion: 2.1.20\n"
    ),
}
INIT = ("init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "--sample", "python311", "--no-docker")


@pytest.fixture
def aws_environment(tmp_path):
    folder = tmp_path / "site"
    for name, text in AWS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return {"PYTHONPATH": str(folder)}


def test_cfn_works_where_the_library_of_aws_is_installed(tmp_path, aws_environment):
    desk, project = Desk(tmp_path), tmp_path / "project"
    project.mkdir()
    for words in (INIT, ("generate",), ("test", "--", "-k", "contract_create_read"), ("package",)):
        ended = desk.cfn(*words, cwd=project, env=aws_environment)
        assert ended.code == 0, str(ended)


def test_models_of_an_older_version_are_named(tmp_path):
    desk = Desk(tmp_path)
    assert desk.cfn(*INIT, cwd=tmp_path).code == 0
    models = tmp_path / "src" / "acme_store_thing" / "models.py"
    models.write_text(
        models.read_text().replace(
            ".formwork_models import BaseModel", "cloudformation_cli_python_lib import BaseModel"
        )
    )
    ended = desk.cfn("test", "--", "-k", "contract_create_read", cwd=tmp_path)
    assert ended.code == 0, str(ended)
    assert "models.py" in ended.err
    assert "cfn generate" in ended.err
