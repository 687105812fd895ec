"""Why a conversion cannot continue."""

from formwork.diagnostics import BadInputError


def conversion_error(message: str, *, hint: str | None = None) -> BadInputError:
    """Return the model cannot be converted."""
    return BadInputError.of("convert.model", message, hint=hint)


def config_error(message: str, *, hint: str | None = None) -> BadInputError:
    """Return the configuration cannot be used."""
    return BadInputError.of("convert.config", message, hint=hint)
