"""A CloudFormation template as a value: its sections, typed, each part with its position.

Source: CloudFormation user guide, "Template anatomy"; limits as the service's quotas.
"""

from collections.abc import Mapping

from msgspec import Struct, field

from formwork.diagnostics import Location
from formwork.documents import Document, Json
from formwork.template.expressions import Expression, Members, Path, literal

PSEUDO_PARAMETERS = frozenset(
    {
        "AWS::AccountId",
        "AWS::NoValue",
        "AWS::NotificationARNs",
        "AWS::Partition",
        "AWS::Region",
        "AWS::StackId",
        "AWS::StackName",
        "AWS::URLSuffix",
    }
)


class Parameter(Struct, frozen=True):
    """A parameter's declaration; a member that the template does not give is None.

    Numbers are kept as the template writes them: `Default: "5"` and `Default: 5` mean the same to the service.
    """

    name: str
    type: str
    path: Path
    default: Json = None
    has_default: bool = False
    description: str | None = None
    allowed_values: tuple[Json, ...] | None = None
    allowed_pattern: str | None = None
    constraint_description: str | None = None
    min_length: int | None = None
    max_length: int | None = None
    min_value: float | None = None
    max_value: float | None = None
    no_echo: bool = False


class Resource(Struct, frozen=True):
    """A resource of the template, or a use of a module where `type` ends in `::MODULE`.

    `properties` and the attributes are expressions as written; None where absent. `depends_on` holds logical ids.
    """

    logical_id: str
    type: str
    path: Path
    properties: Expression | None = None
    depends_on: tuple[str, ...] = ()
    condition: str | None = None
    metadata: Expression | None = None
    deletion_policy: Expression | None = None
    update_replace_policy: Expression | None = None
    creation_policy: Expression | None = None
    update_policy: Expression | None = None

    @property
    def is_module(self) -> bool:
        """Whether the resource is to be replaced by a module's fragment."""
        return self.type.endswith("::MODULE")


class Output(Struct, frozen=True):
    """An output; `export` is the expression of `Export.Name`, None where nothing is exported."""

    name: str
    value: Expression
    path: Path
    description: str | None = None
    condition: str | None = None
    export: Expression | None = None


class Rule(Struct, frozen=True):
    """A rule on parameters: if `condition` holds (or is None), every assertion must; each has a description."""

    name: str
    path: Path
    condition: Expression | None
    assertions: tuple[tuple[Expression, str | None], ...]


class Template(Struct, frozen=True):
    """A parsed template; `document` is its text with places.

    `mappings` are name → first key → second key → value (a string, a number or a list of them). `loops` are the
    `Fn::ForEach::…` members by section, as written, that AWS::LanguageExtensions expands before anything else;
    `extended` says whether that transform is named, or has made the template.
    """

    document: Document
    description: str | None = None
    transforms: tuple[Expression, ...] = ()
    metadata: Expression | None = None
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    rules: Mapping[str, Rule] = field(default_factory=dict)
    mappings: Mapping[str, Mapping[str, Mapping[str, Json]]] = field(default_factory=dict)
    conditions: Mapping[str, Expression] = field(default_factory=dict)
    resources: Mapping[str, Resource] = field(default_factory=dict)
    outputs: Mapping[str, Output] = field(default_factory=dict)
    loops: Mapping[str, Mapping[str, Expression]] = field(default_factory=dict)
    extended: bool = False

    def locate(self, path: Path, *, key: bool = False) -> Location:
        """Return the place of a path of this template."""
        return self.document.locate(path, key=key)

    @property
    def transform_names(self) -> tuple[str, ...]:
        """The names of the macros that the template as a whole asks for."""
        names = (each.members.get("Name", each) if isinstance(each, Members) else each for each in self.transforms)
        return tuple(name for each in names if (name := literal(each)) is not None)
