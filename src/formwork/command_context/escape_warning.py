"""The warning about refused calls of handlers to AWS itself."""

from formwork.lambda_host import EscapeCause, EscapedCall

_REASONS = {
    EscapeCause.NO_AWS: (
        "handlers have no AWS in this run. --aws moto answers such calls on this machine, --aws real lets them through"
    ),
    EscapeCause.NO_CERTIFICATES: (
        "its client takes no endpoint from AWS_ENDPOINT_URL, and redirecting it takes a certificate: "
        "pip install cryptography brings the library that makes one"
    ),
    EscapeCause.NOT_TRUSTED: (
        "its client takes no endpoint from AWS_ENDPOINT_URL, and refused the run's certificate that redirects it: "
        "it has to trust the system's certificates or those in SSL_CERT_FILE or AWS_CA_BUNDLE"
    ),
    EscapeCause.NOT_AN_API: (
        "it is not the endpoint of a service, so the run has no stand-in for it. --aws real lets the call through"
    ),
}


def escape_warning(call: EscapedCall) -> str:
    """Return the sentence for one refused call."""
    return f"warning: refused a call of the handlers to {call.host}, which is AWS itself: {_REASONS[call.cause]}"
