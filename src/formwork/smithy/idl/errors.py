"""The two ways to stop reading a model file."""

from formwork.smithy.places import SourcePlace


class SmithySyntaxError(Exception):
    """The text doesn't follow the grammar; the parser continues at the next statement that it recognises."""

    def __init__(self, message: str, place: SourcePlace, *, shape: str | None = None) -> None:
        position = place.position
        at = f"Syntax error at line {position.line}, column {position.column}: " if position else ""
        super().__init__(at + message)
        self.place = place
        self.shape = shape


class UnusableFileError(Exception):
    """A syntax error after which the rest of the file can't be parsed."""

    def __init__(self, message: str, place: SourcePlace) -> None:
        super().__init__(message)
        self.place = place
