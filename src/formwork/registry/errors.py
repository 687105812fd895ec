"""What the registry's operations refuse, with AWS's codes and, where they are known, its texts."""

from formwork.diagnostics import Diagnostic, FormworkError, Severity


class RegistryError(FormworkError):
    """A refusal: `code` as it stands on the wire, `http_status` as AWS sends it."""

    def __init__(self, code: str, message: str, *, http_status: int = 400) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.http_status = http_status

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The one refusal."""
        return (Diagnostic("registry", Severity.ERROR, f"{self.code}: {self.message}"),)


def registry_error(message: str) -> RegistryError:
    """Return the registry's generic error."""
    return RegistryError("CFNRegistryException", message)


def validation_error(message: str) -> RegistryError:
    """Return a request that makes no sense."""
    return RegistryError("ValidationError", message)


def type_not_found(name: str) -> RegistryError:
    """Return the error for a type or version that the caller's account does not have."""
    return RegistryError("TypeNotFoundException", f"The type '{name}' cannot be found.", http_status=404)


def configuration_not_found(what: str) -> RegistryError:
    """Return the error for a type configuration that does not exist."""
    return RegistryError(
        "TypeConfigurationNotFoundException", f"The type configuration '{what}' cannot be found.", http_status=404
    )
