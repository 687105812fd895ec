"""Errors of property transforms."""


class TransformError(ValueError):
    """An expression that cannot be read or evaluated; `position` counts from 0, None where there is none."""

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.position = position
