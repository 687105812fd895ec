"""AWS::Serverless-2016-10-31: AWS SAM's resources become CloudFormation's own, by AWS's own translator.

It is an optional part (docs/decisions/1240), and slow to import, hence imported where it is used.
"""

import copy
import importlib.util
import threading
from typing import Any

from formwork.aws.scope import Scope
from formwork.preparation.dependencies import TransformCall
from formwork.stacks.errors import MacroError

SERVERLESS = "AWS::Serverless-2016-10-31"
_MISSING = (
    "AWS SAM's translator is not installed here; install it with: pip install aws-sam-translator, "
    "and start `cfn serve` again."
)
_ONE = threading.Lock()  # the translator keeps the Region in a variable of its class


def translate_serverless(scope: Scope, call: TransformCall) -> Any:
    """Translate the call's template from AWS SAM to CloudFormation.

    Raises:
        MacroError: the translator is not installed, or finds the template invalid.
    """
    if importlib.util.find_spec("samtranslator") is None:
        raise MacroError(SERVERLESS, _MISSING)
    import boto3  # noqa: PLC0415 - see the module
    from samtranslator.internal.managed_policies import get_bundled_managed_policy_map  # noqa: PLC0415
    from samtranslator.model.exceptions import InvalidDocumentException  # noqa: PLC0415
    from samtranslator.parser.parser import Parser  # noqa: PLC0415
    from samtranslator.translator.translator import Translator  # noqa: PLC0415

    policies = get_bundled_managed_policy_map(scope.partition) or {}
    with _ONE:
        translator = Translator(policies, Parser(), boto_session=boto3.Session(region_name=scope.region))
        try:
            return translator.translate(copy.deepcopy(call.fragment), parameter_values=dict(call.values))
        except InvalidDocumentException as error:
            told = " ".join([error.message, *(each.message for each in error.causes)])
            raise MacroError(SERVERLESS, told) from error
