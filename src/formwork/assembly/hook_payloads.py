"""Stores the payloads for hooks of stacks and change sets in the local S3, with presigned URLs."""

import contextlib
import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from formwork.aws.temporary_keys import TemporaryKeys
from formwork.object_store.errors import S3Error
from formwork.object_store.store import ObjectStore
from formwork.object_store.urls import deliver_object

if TYPE_CHECKING:  # the registry is slow to import
    from formwork.aws.scope import Scope

_LIFETIME = timedelta(hours=1)


class HookPayloads:
    """`Payloads` (engine) in a bucket of each account; the URLs are good for an hour."""

    def __init__(self, store: ObjectStore, temporary: TemporaryKeys, address: Callable[[], str]) -> None:
        """`address` says where the store is served; that server has to know the `temporary` keys if it verifies any."""
        self._store = store
        self._temporary = temporary
        self._address = address

    def publish(self, scope: "Scope", name: str, payload: Mapping[str, Any]) -> str:
        """See `Payloads.publish`."""
        bucket, key = _place(scope, name)
        with contextlib.suppress(S3Error):  # it is there already
            self._store.create_bucket(bucket, account=scope.account, region=scope.region)
        content = json.dumps(payload).encode()
        deliver_object(self._store, account=scope.account, bucket=bucket, key=key, content=content)
        return self._presign(scope, f"{self._address()}/{bucket}/{key}")

    def withdraw(self, scope: "Scope", name: str) -> None:
        """See `Payloads.withdraw`."""
        bucket, key = _place(scope, name)
        with contextlib.suppress(S3Error):
            self._store.delete(self._store.expect_bucket(bucket, account=scope.account), key)

    def _presign(self, scope: "Scope", url: str) -> str:
        from botocore.auth import S3SigV4QueryAuth  # noqa: PLC0415 - few requests need it
        from botocore.awsrequest import AWSRequest  # noqa: PLC0415 - the same
        from botocore.credentials import Credentials  # noqa: PLC0415 - the same

        arn = f"arn:{scope.partition}:sts::{scope.account}:assumed-role/cloudformation/hooks"
        key = self._temporary.give(account=scope.account, arn=arn, lifetime=_LIFETIME)
        credentials = Credentials(key.access_key_id, key.secret.reveal(), key.token.reveal())
        request = AWSRequest("GET", url)
        S3SigV4QueryAuth(credentials, "s3", scope.region, expires=int(_LIFETIME.total_seconds())).add_auth(request)
        return str(request.url)


def _place(scope: "Scope", name: str) -> tuple[str, str]:
    return f"cloudformation-hook-payloads-{scope.account}-{scope.region}", f"{name}.json"
