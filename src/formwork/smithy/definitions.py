"""The output of the readers of model files: definitions and applications that are merged into a model afterwards."""

from enum import StrEnum

from msgspec import Struct, field

from formwork.smithy.events import Event
from formwork.smithy.nodes import Node
from formwork.smithy.places import SourcePlace, SourceText
from formwork.smithy.shapes import ShapeType


class Version(StrEnum):
    """The version of the language a file is written in."""

    V1 = "1.0"
    V2 = "2.0"


# What `$version` and the AST's "smithy" may say.
VERSIONS = {"1": Version.V1, "1.0": Version.V1, "2": Version.V2, "2.0": Version.V2}


class MemberDefinition(Struct):
    """A member as written; `target` None means elided: a mixin or the bound resource says it."""

    name: str
    target: str | None
    place: SourcePlace


class ShapeDefinition(Struct):
    """A shape as written, before its traits, mixins and names are settled.

    `properties` holds what operations, resources and services say, by the AST's property names: shape ids as text,
    lists of them, or objects name → id.
    """

    id: str
    type: ShapeType
    place: SourcePlace
    version: Version
    members: dict[str, MemberDefinition] = field(default_factory=dict)
    mixins: list[str] = field(default_factory=list)
    bound_resource: str | None = None
    properties: dict[str, Node] = field(default_factory=dict)
    traits: dict[str, Node] = field(default_factory=dict)
    trait_places: dict[str, SourcePlace] = field(default_factory=dict)
    # Traits of members, those of members that only a mixin brings included.
    member_traits: dict[str, dict[str, Node]] = field(default_factory=dict)
    member_trait_places: dict[str, dict[str, SourcePlace]] = field(default_factory=dict)


class TraitApplication(Struct):
    """`trait` applied to `target`, both as written until names are resolved.

    `annotation` says that no value was written: the type of the trait decides what it means.
    """

    target: str
    trait: str
    value: Node
    place: SourcePlace
    annotation: bool = False


class MetadataEntry(Struct):
    """One `metadata key = value`."""

    key: str
    value: Node
    place: SourcePlace


class UnresolvedId(Struct):
    """A bare shape id inside a node value, to be replaced by the absolute id.

    It stands at `container[key]`, or is the whole value of a trait application or metadata entry.
    """

    container: "dict[str, Node] | list[Node] | TraitApplication | MetadataEntry"
    key: str | int
    name: str
    place: SourcePlace

    def settle(self, shape_id: str) -> None:
        """Put the resolved id where the name stood."""
        match self.container:
            case dict():
                self.container[str(self.key)] = shape_id
            case list():
                self.container[int(self.key)] = shape_id
            case _:
                self.container.value = shape_id


class ModelFile(Struct):
    """The content of one file. `namespace` is None for a file of metadata only, or a JSON AST (all ids absolute)."""

    source: SourceText
    version: Version = Version.V1
    namespace: str | None = None
    uses: dict[str, tuple[str, SourcePlace]] = field(default_factory=dict)
    definitions: list[ShapeDefinition] = field(default_factory=list)
    applications: list[TraitApplication] = field(default_factory=list)
    metadata: list[MetadataEntry] = field(default_factory=list)
    references: list[UnresolvedId] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
