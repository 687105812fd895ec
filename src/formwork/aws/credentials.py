"""The credentials that travel inside a request, for the handler to call AWS with."""

from collections.abc import Callable

from msgspec import Struct

from formwork.diagnostics.secrets import Secret


class Credentials(Struct, frozen=True):
    """Temporary credentials; the secret parts don't show in a repr."""

    access_key_id: str
    secret_access_key: Secret
    session_token: Secret

    def to_wire(self) -> dict[str, str]:
        """As a resource request holds them."""
        return {
            "accessKeyId": self.access_key_id,
            "secretAccessKey": self.secret_access_key.reveal(),
            "sessionToken": self.session_token.reveal(),
        }

    def to_environment(self) -> dict[str, str]:
        """As AWS's SDKs read them from the environment."""
        return {
            "AWS_ACCESS_KEY_ID": self.access_key_id,
            "AWS_SECRET_ACCESS_KEY": self.secret_access_key.reveal(),
            "AWS_SESSION_TOKEN": self.session_token.reveal(),
        }


# Called anew for each request, since the service refreshes credentials with every re-invocation; None: the type has no
# execution role, and the handler gets no session.
CredentialSource = Callable[[], Credentials | None]


def local_credentials() -> Credentials:
    """Return made-up credentials, for handlers whose AWS calls go to a local endpoint or are refused."""
    return Credentials(
        "FORMWORKLOCALACCESS0", Secret("formwork-local-secret-key"), Secret("formwork-local-session-token")
    )


def handler_access_key(handler: str) -> str:
    """Return the id of an access key that says which handler (`create`, `preCreate`) uses it."""
    return f"FORMWORK{handler.upper():0<12.12}"
