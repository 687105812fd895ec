"""Model files to resource schemas: what `cfn convert` and projects with Smithy sources do."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from formwork.convert.converter import Conversion, ConvertedType, convert_each, file_name
from formwork.convert.errors import conversion_error
from formwork.convert.options import CfnOptions
from formwork.convert.traits import cfn_library
from formwork.convert.validators import CFN_VALIDATORS
from formwork.diagnostics import Diagnostic
from formwork.documents import parse_document
from formwork.schema import validate_schema
from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.load import load_paths
from formwork.smithy.loading.assemble import LoadedModel
from formwork.smithy.model import Model
from formwork.smithy.places import SourcePlace
from formwork.smithy.transforms import transform
from formwork.smithy.validate import validate


class CheckedModel(Struct, frozen=True):
    """A model and everything that loading and validating it found, in the order it was found."""

    model: Model
    events: tuple[Event, ...]

    def told(self, least: EventSeverity) -> list[Event]:
        """Return the events of at least the severity `least`, sorted by place.

        Finding places in JSON costs a pass over the file: only those of reported findings are looked up.
        """
        return sorted((event for event in self.events if event.severity.rank >= least.rank), key=_by_place)

    @property
    def usable(self) -> bool:
        """Whether schemas may be generated from the model."""
        return not any(event.breaks_model for event in self.events)


def check_models(paths: Sequence[Path], *, allow_unknown_traits: bool = False) -> CheckedModel:
    """Load and validate model files and folders of them.

    With `allow_unknown_traits` only what keeps files from being read makes the model unusable.

    Raises:
        BadInputError: a path cannot be read.
    """
    loaded: LoadedModel = load_paths(paths, base=cfn_library(), allow_unknown_traits=allow_unknown_traits)
    events = validate(loaded.model, after=loaded.events, extra=tuple(CFN_VALIDATORS))
    if allow_unknown_traits:
        # Without the definitions of its traits a model cannot be judged for certain: findings are only told.
        own = len(loaded.events)
        found = (replace(each, severity=min(each.severity, EventSeverity.WARNING, key=_rank)) for each in events[own:])
        events = [*events[:own], *found]
    return CheckedModel(loaded.model, tuple(events))


def _rank(severity: EventSeverity) -> int:
    return severity.rank


def _by_place(event: Event) -> tuple[str, int, int, str]:
    position = event.place.position
    return (event.place.source.name, position.line if position else 0, position.column if position else 0, event.id)


def convert_model_types(
    model: Model, options: CfnOptions, transforms: Sequence[tuple[str, Mapping[str, Any]]] = ()
) -> Conversion:
    """The resource schemas of the model after `transforms`, each type by itself, with the places that they come from.

    Raises:
        BadInputError: the options don't allow any conversion.
    """
    for name, arguments in transforms:
        model = transform(model, name, arguments)
    return convert_each(model, options)


def check_converted(converted: ConvertedType) -> list[Diagnostic]:
    """What the checks of hand-written schemas say about a converted one, at the lines of the model it comes from."""
    document = parse_document(render_schema(converted.schema), name=file_name(converted.type_name))
    return [relocate(each, converted.places) for each in validate_schema(document)]


def relocate(diagnostic: Diagnostic, places: Mapping[str, SourcePlace]) -> Diagnostic:
    """Return the diagnostic moved to the model's line that the schema part comes from; its pointer stays."""
    pointer = diagnostic.location.pointer or ""
    tokens = pointer.split("/")
    known = ("/".join(tokens[:length]) for length in range(len(tokens), 0, -1))
    place = next((places[each] for each in known if each in places), None)
    if place is None or place.position is None:
        return diagnostic
    origin = f"in the schema converted from it: {pointer}" if pointer else "in the schema converted from it"
    return replace(diagnostic, location=place.location, notes=(*diagnostic.notes, origin))


def only_service(model: Model) -> str:
    """Return the one service of a model.

    Raises:
        BadInputError: it has none, or several.
    """
    services = [each.id for each in model.services if not each.has_trait("mixin")]
    if len(services) == 1:
        return services[0]
    if not services:
        raise conversion_error("the model has no service", hint="a resource is converted as part of a service")
    raise conversion_error(
        f"the model has {len(services)} services: {', '.join(services)}", hint="name one with --service"
    )


def render_schema(schema: Mapping[str, Any]) -> str:
    """Return a schema as the text of a file."""
    return json.dumps(schema, indent=4, ensure_ascii=False, default=float) + "\n"
