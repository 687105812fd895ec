"""RangeTrait, LengthTrait, PatternTrait and MediaType: constraints that make sense."""

import re
from collections.abc import Iterator
from decimal import Decimal

import regex

from formwork.smithy.events import Event
from formwork.smithy.nodes import exact, is_number, render_number
from formwork.smithy.shapes import MemberShape, Shape, ShapeType
from formwork.smithy.validators.context import Validation, error, warning

_WHOLE = (
    ShapeType.BYTE,
    ShapeType.SHORT,
    ShapeType.INTEGER,
    ShapeType.INT_ENUM,
    ShapeType.LONG,
    ShapeType.BIG_INTEGER,
)
_WORD = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_MEDIA_TYPE = re.compile(rf'{_WORD}/{_WORD}(?:\s*;\s*{_WORD}\s*=\s*(?:{_WORD}|"(?:[^"\\]|\\.)*"))*', re.ASCII)
# Of URLs that Java takes.
_PROTOCOLS = ("http:", "https:", "ftp:", "file:", "mailto:", "jar:")


def ranges(validation: Validation) -> Iterator[Event]:
    """Check that the bounds of ranges fit the type and each other."""
    for shape in validation.model.with_trait("range"):
        bounds = shape.trait("range")
        target = validation.model.target(shape) if isinstance(shape, MemberShape) else shape
        if target is not None and target.type in _WHOLE:
            for name in ("min", "max"):
                value = bounds.get(name)
                if isinstance(value, float | Decimal) and not _is_whole(exact(value)):
                    yield error("RangeTrait", shape, _decimal(shape, target, name, render_number(value)))
        low, high = bounds.get("min"), bounds.get("max")
        if is_number(low) and is_number(high) and exact(low) > exact(high):
            message = "A range trait is applied with a `min` value greater than its `max` value."
            yield error("RangeTrait", shape, message, trait="smithy.api#range")


def _is_whole(value: Decimal) -> bool:
    return value.is_finite() and value == value.to_integral_value()


def _decimal(shape: Shape, target: Shape, name: str, value: str) -> str:
    if isinstance(shape, MemberShape):
        what, of = "Member", f"target (`{target.id}`)"
    else:
        what, of = "Shape", f"shape (`{target.type}`)"
    return (
        f"{what} `{shape.id}` is marked with the `range` trait, but its `{name}` property is a decimal ({value}) when "
        f"its {of} does not support decimals."
    )


def lengths(validation: Validation) -> Iterator[Event]:
    """Check that the bounds of lengths are not negative and fit each other."""
    for shape in validation.model.with_trait("length"):
        bounds = shape.trait("length")
        low, high = bounds.get("min"), bounds.get("max")
        for name, value in (("min", low), ("max", high)):
            if is_number(value) and value < 0:
                yield error("LengthTrait", shape, f"A length trait is applied with a negative `{name}` value.")
        if is_number(low) and is_number(high) and low > high:
            message = "A length trait is applied with a `min` value greater than its `max` value."
            yield error("LengthTrait", shape, message)


def documentation_links(validation: Validation) -> Iterator[Event]:
    """Check that links to external documentation are URLs, of a protocol that Java supports."""
    for shape in validation.model.with_trait("externalDocumentation"):
        for name, url in shape.trait("externalDocumentation").items():
            if not str(url).lower().startswith(_PROTOCOLS):
                message = (
                    "Error creating trait `externalDocumentation`: Each externalDocumentation value must be a valid "
                    f'URL. Found "{url}" for name "{name}"'
                )
                yield error("Model", shape, message, trait="smithy.api#externalDocumentation")


def patterns(validation: Validation) -> Iterator[Event]:
    """Check that patterns are valid expressions, and anchored."""
    for shape in validation.model.with_trait("pattern"):
        pattern = shape.trait("pattern")
        problem = _pattern_problem(pattern)
        if problem is not None:
            start = "Error creating trait `pattern`: Invalid pattern trait regular expression:"
            yield error("Model", shape, f"{start} `{pattern}`. {problem}", trait="smithy.api#pattern")
            continue
        missing = [
            words
            for words, is_there in (
                ("leading '^'", pattern.startswith("^")),
                ("trailing '$'", pattern.endswith("$")),
            )
            if not is_there
        ]
        if missing:
            message = (
                f"A pattern trait is applied without a {' and '.join(missing)}, meaning only part of the string "
                "must match the regular expression. Explicitly anchoring regular expressions is preferable because it "
                "is more restrictive by default and does not require modelers to understand that Smithy patterns are "
                "not automatically anchored."
            )
            yield warning("PatternTrait", shape, message, trait="smithy.api#pattern")


def _pattern_problem(pattern: str) -> str | None:
    try:
        regex.compile(pattern, flags=regex.V0)
    except regex.error as problem:
        # Classes and properties of other engines are none of ours to judge; unbalanced ones are wrong anywhere.
        text = str(problem)
        return text if any(word in text for word in ("missing", "unterminated", "bad escape")) else None
    return None


def media_types(validation: Validation) -> Iterator[Event]:
    """Check that media types are valid."""
    for shape in validation.model.with_trait("mediaType"):
        value = shape.trait("mediaType")
        if not _MEDIA_TYPE.fullmatch(value):
            yield error("MediaType", shape, f'Invalid mediaType value, "{value}"', trait="smithy.api#mediaType")
