"""Refused calls: why, and the sentence that says what can be done about each."""

from enum import Enum

from msgspec import Struct


class RefusalCause(Enum):
    """Why a call was refused; the value says it in a few words."""

    NO_AWS = "this run has no AWS"
    NO_CERTIFICATES = "no library here can make certificates"
    NOT_TRUSTED = "the client does not trust the certificate"
    NOT_AN_API = "not an endpoint of an API"
    NOT_ALLOWED = "no rule allows the host"
    NOT_HTTP = "no rule allows the port"
    NOT_RECORDED = "not recorded"


class RefusedCall(Struct, frozen=True):
    """A call that was refused.

    `request` is its method and path, None where they were not read; `detail` says more where there is more to say.
    """

    host: str
    port: int
    cause: RefusalCause
    request: str | None = None
    detail: str = ""


_REASONS = {
    RefusalCause.NO_AWS: (
        "handlers have no AWS in this run. --aws moto answers such calls on this machine, --aws real lets them through"
    ),
    RefusalCause.NO_CERTIFICATES: (
        "answering it takes a certificate: pip install cryptography brings the library that makes one"
    ),
    RefusalCause.NOT_TRUSTED: (
        "its client refused the run's certificate: it has to trust the system's certificates, or those in "
        "SSL_CERT_FILE or AWS_CA_BUNDLE"
    ),
    RefusalCause.NOT_AN_API: (
        "it is not the endpoint of a service, so the run has no stand-in for it. --aws real lets the call through"
    ),
    RefusalCause.NOT_ALLOWED: (
        "no rule of this run allows the host. --allow {host} lets the call through, --stub {host}=openapi.yaml answers "
        "it on this machine, and so do recorded answers (--replay)"
    ),
    RefusalCause.NOT_HTTP: "no rule of this run allows the port. --allow {host}:{port} lets the connection through",
    RefusalCause.NOT_RECORDED: "{detail}",
}


def refusal_warning(call: RefusedCall) -> str:
    """Return the sentence for one refused call, with the choices."""
    place = call.host if call.port in (80, 443) else f"{call.host}:{call.port}"
    method, _, path = (call.request or "").partition(" ")
    what = f"{method} {place}{path}" if call.request else place
    aws = ", which is AWS itself" if call.cause in (RefusalCause.NO_AWS, RefusalCause.NOT_AN_API) else ""
    reason = _REASONS[call.cause].format(host=call.host, port=call.port, detail=call.detail)
    return f"refused a call of the handlers to {what}{aws}: {reason}"
