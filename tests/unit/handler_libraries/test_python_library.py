"""The toolkit knows its handler library by place, and agrees with it about the words of the protocol."""

import cloudformation_cli_python_lib
from cloudformation_cli_python_lib.interface import HandlerErrorCode
from formwork.handler_libraries import LIBRARY_MODULE, python_library_folder
from formwork.invoke.vocabulary import ERROR_CODES


def test_its_place_is_that_of_the_installed_one():
    assert list(cloudformation_cli_python_lib.__path__) == [str(python_library_folder() / LIBRARY_MODULE)]


def test_the_contracts_error_codes_are_the_librarys_and_two_of_newer_runtimes():
    assert {code.value for code in HandlerErrorCode} | {"UnauthorizedTaggingOperation", "ServiceTimeout"} == ERROR_CODES
