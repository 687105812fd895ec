"""What hooks fetch: behind a URL that is signed, and good for its account alone."""

import json
from urllib.parse import urlsplit

import pytest

from formwork.api.authentication import Authenticator
from formwork.api.signature import AuthError
from formwork.api.verification import Signed
from formwork.assembly.hook_payloads import HookPayloads
from formwork.aws.scope import Scope
from formwork.aws.temporary_keys import TemporaryKeys
from formwork.diagnostics import BadInputError
from formwork.object_store.store import ObjectStore
from formwork.object_store.urls import fetch_object


@pytest.mark.parametrize("region", ["us-east-1", "eu-west-1"])
def test_a_payload(tmp_path, region):
    store, scope = ObjectStore(tmp_path), Scope("111122223333", region)
    mine, servers = TemporaryKeys(b"a seed"), TemporaryKeys(b"a seed")
    payloads = HookPayloads(store, mine, lambda: "http://127.0.0.1:3001")
    for number in (1, 2):
        url = payloads.publish(scope, "stacks/x", {"n": number})
    assert json.loads(fetch_object(store, account=scope.account, url=url)) == {"n": 2}
    parts = urlsplit(url)
    signed = Signed("GET", parts.path, parts.query, {"host": parts.netloc}, "UNSIGNED-PAYLOAD")
    assert Authenticator(servers, keys={}).authenticate(signed, service="s3").caller.account == scope.account
    with pytest.raises(AuthError):
        Authenticator(TemporaryKeys(b"another"), keys={}).authenticate(signed, service="s3")
    with pytest.raises(BadInputError):
        fetch_object(store, account="444455556666", url=url)
    payloads.withdraw(scope, "stacks/x")
    with pytest.raises(BadInputError):
        fetch_object(store, account=scope.account, url=url)
