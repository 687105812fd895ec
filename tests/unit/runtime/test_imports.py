"""What an import costs: the modules that a cold start pulls in are pinned, since time cannot be."""

import subprocess
import sys

HEAVY = {"boto3", "botocore", "dataclasses", "inspect", "logging", "json", "urllib.request", "http.client", "hashlib"}


def modules_after(program):
    code = f"{program}\nimport sys\nprint(*sorted(sys.modules))"
    result = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    return set(result.stdout.split())


def own(modules):
    prefix = "cloudformation_cli_python_lib."
    return {name.removeprefix(prefix) for name in modules if name.startswith(prefix)}


def test_the_package_alone_imports_nothing():
    assert own(modules_after("import cloudformation_cli_python_lib")) == set()


def test_the_interface_imports_what_models_need():
    modules = modules_after("import cloudformation_cli_python_lib.interface")
    assert own(modules) == {"interface", "model", "records", "shapes", "values"}
    assert not HEAVY & modules


def test_a_resources_handlers_import_nothing_heavy():
    modules = modules_after(
        "from cloudformation_cli_python_lib import Action, OperationStatus, ProgressEvent, Resource, SessionProxy\n"
        "from cloudformation_cli_python_lib import exceptions, identifier_utils\n"
        "resource = Resource('A::B::C', type)"
    )
    assert not HEAVY & modules
    assert not {"chain", "hook", "log_delivery", "metrics", "utils"} & own(modules)


def test_a_request_with_credentials_imports_nothing_heavy():
    modules = modules_after(
        "from cloudformation_cli_python_lib import *\n"
        "from cloudformation_cli_python_lib import Action, OperationStatus, ProgressEvent, Resource, BaseModel\n"
        "class Model(BaseModel):\n"
        "    _fields = classmethod(lambda cls: {})\n"
        "resource = Resource('A::B::C', Model)\n"
        "handle = lambda session, request, context: ProgressEvent(OperationStatus.SUCCESS)\n"
        "resource.handler(Action.CREATE)(handle)\n"
        "credentials = {'accessKeyId': 'a', 'secretAccessKey': 'b', 'sessionToken': 'c'}\n"
        "answer = resource({'action': 'CREATE', 'awsAccountId': '1', 'bearerToken': 't', 'region': 'r',\n"
        "                   'requestData': {'callerCredentials': credentials}}, None)\n"
        "assert answer['status'] == 'SUCCESS', answer"
    )
    assert not HEAVY & modules


def test_every_name_of_the_package_is_there():
    import cloudformation_cli_python_lib as package

    for name in package.__all__:
        assert getattr(package, name).__name__.rpartition(".")[2] == name
    assert set(package.__all__) <= set(dir(package))


def test_an_unknown_name_is_an_attribute_error():
    import pytest

    import cloudformation_cli_python_lib as package

    with pytest.raises(AttributeError, match="Nope"):
        package.Nope  # noqa: B018
