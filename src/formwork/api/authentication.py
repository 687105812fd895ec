"""From a signature to a caller: form checked always, the signature itself where keys are configured."""

from collections.abc import Mapping
from datetime import UTC, datetime

from msgspec import Struct

from formwork.api.caller import Caller, account_of_key, is_temporary
from formwork.api.signature import AuthError, AuthProblem, Signature, parse_signature
from formwork.api.verification import Signed, verify_signature
from formwork.aws.partitions import partition_of
from formwork.aws.temporary_keys import TemporaryKeys
from formwork.diagnostics.secrets import Secret


class Authenticated(Struct, frozen=True):
    """The caller of a request and its signature; `key` is the signing key, None where signatures are not verified."""

    caller: Caller
    signature: Signature
    key: bytes | None


class Authenticator:
    """Identifies callers. With `keys` (access key id to secret) it accepts only these and temporary keys."""

    def __init__(self, temporary: TemporaryKeys, keys: Mapping[str, Secret] | None = None) -> None:
        self.temporary = temporary
        self._keys = keys

    @property
    def verifies(self) -> bool:
        """Whether only known keys may call."""
        return self._keys is not None

    def authenticate(self, signed: Signed, *, service: str) -> Authenticated:
        """Return who made this request to the service that signatures call `service`.

        Raises:
            AuthError: it has no signature, a malformed one, one for another service, or one that `keys` say is wrong.
        """
        signature = parse_signature(signed.headers, signed.query)
        if signature is None:
            raise AuthError(AuthProblem.MISSING, "Request is missing Authentication Token")
        if signature.service != service:
            raise AuthError(AuthProblem.MISMATCH, f"Credential should be scoped to correct service: '{service}'.")
        key = self._verify(signed, signature) if self._keys is not None else None
        return Authenticated(self._caller(signature), signature, key)

    def _verify(self, signed: Signed, signature: Signature) -> bytes:
        assert self._keys is not None
        temporary = self.temporary.get(signature.access_key_id, signature.token)
        secret = temporary.secret if temporary is not None else self._keys.get(signature.access_key_id)
        if secret is None:
            raise AuthError(AuthProblem.UNKNOWN_KEY, "The security token included in the request is invalid.")
        return verify_signature(signed, signature, secret, now=datetime.now(UTC))

    def _caller(self, signature: Signature) -> Caller:
        key, region = signature.access_key_id, signature.region
        account = account_of_key(key)
        temporary = self.temporary.get(key, signature.token)
        if temporary is not None:
            arn = temporary.arn
        elif is_temporary(key):
            arn = f"arn:{partition_of(region)}:sts::{account}:assumed-role/formwork/formwork"
        else:
            arn = f"arn:{partition_of(region)}:iam::{account}:user/formwork"
        return Caller(account, region, key, arn)
