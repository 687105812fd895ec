"""Answers the two STS calls that the incumbent's `cfn test` makes, so that it runs without an account.

Found by Python at start-up where this folder is on PYTHONPATH; only the bench puts it there.
"""

import datetime as dt

ANSWERS = {
    "GetCallerIdentity": {"Account": "123456789012", "Arn": "arn:aws:iam::123456789012:user/bench", "UserId": "B"},
    "GetSessionToken": {
        "Credentials": {
            "AccessKeyId": "BENCHACCESSKEY000000",
            "SecretAccessKey": "bench-secret",
            "SessionToken": "bench-token",
            "Expiration": dt.datetime(2100, 1, 1, tzinfo=dt.UTC),
        }
    },
}


def _patch():  # the bench has no other place to do it
    try:
        from botocore.client import BaseClient
    except ImportError:
        return
    call = BaseClient._make_api_call

    def answered(self, operation, arguments):
        return ANSWERS[operation] if operation in ANSWERS else call(self, operation, arguments)

    BaseClient._make_api_call = answered


_patch()
