"""The environment of a handler process: Lambda's own variables and the function's, nothing of the user's."""

import os

from formwork.lambda_host.function import LambdaFunction
from formwork.lambda_host.processes import WINDOWS

# What Lambda has of its own search path on an ordinary machine.
_SEARCH_PATH = os.defpath if WINDOWS else "/usr/local/bin:/usr/bin:/bin"
_LOG_STREAM = "formwork/[$LATEST]local"


def lambda_variables(function: LambdaFunction, runtime_api: str) -> dict[str, str]:
    """Return what AWS Lambda sets for a function, then the function's own environment.

    AWS_SAM_LOCAL says "on a developer's machine", as in every local run of the incumbent's; handlers and Go's library
    look at it. The configuration files of the AWS SDKs point nowhere, so that no handler finds the user's profile.
    """
    variables = {
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_EXECUTION_ENV": f"AWS_Lambda_{function.runtime}",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(function.memory_mb or 128),
        "AWS_LAMBDA_FUNCTION_NAME": function.name,
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
        "AWS_LAMBDA_LOG_GROUP_NAME": f"/aws/lambda/{function.name}",
        "AWS_LAMBDA_LOG_STREAM_NAME": _LOG_STREAM,
        "AWS_LAMBDA_RUNTIME_API": runtime_api,
        "AWS_REGION": "us-east-1",
        "AWS_SAM_LOCAL": "true",
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "LAMBDA_RUNTIME_DIR": "/var/runtime",
        "LAMBDA_TASK_ROOT": str(function.task_root),
        "LANG": "en_US.UTF-8",
        "PATH": _SEARCH_PATH,
        "TZ": ":UTC",
        "_HANDLER": function.handler,
    }
    return variables | dict(function.environment)
