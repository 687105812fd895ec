"""Random Smithy models of services with resources, as JSON ASTs: what conversion can meet, in any combination."""

from hypothesis import strategies as st

NAMESPACE = "ex.cloud"
OTHER = "ex.other"
SERVICE = f"{NAMESPACE}#Cloud"
WORDS = ("alpha", "Beta", "gamma_ray", "arn", "fooId", "zetaId", "tags", "size", "x1", "Name")
TEXTS = st.sampled_from(["One line.", " <p>HTML &amp; more</p>\n", "", "Two\nlines", 'quote " and \\', "\u00a0é\u2028"])
SIMPLE = ("string", "blob", "boolean", "byte", "short", "integer", "long", "float", "double", "bigInteger",
          "bigDecimal", "timestamp", "document")  # fmt: skip
PRELUDE = ("String", "Integer", "Boolean", "Timestamp", "PrimitiveInteger", "PrimitiveBoolean", "Double", "Document",
           "Blob", "BigDecimal", "Long")  # fmt: skip
FORMATS = st.sampled_from(["date-time", "epoch-seconds", "http-date"])
LIFECYCLE = ("put", "create", "read", "update", "delete", "list")


def optional(draw, traits, name, values, *, chance=4):
    if draw(st.integers(1, chance)) == 1:
        traits[name if "#" in name else f"smithy.api#{name}"] = draw(values)


def annotation():
    return st.just({})


def described(draw, traits):
    optional(draw, traits, "documentation", TEXTS)
    optional(draw, traits, "title", TEXTS, chance=12)
    deprecated = st.fixed_dictionaries({}, optional={"since": st.just("1.2"), "message": TEXTS})
    optional(draw, traits, "deprecated", deprecated, chance=10)
    optional(draw, traits, "tags", st.just(["a", "b"]), chance=15)
    optional(draw, traits, "sensitive", annotation(), chance=20)


def bounds(low, high):
    return st.sampled_from([{"min": low}, {"max": high}, {"min": low, "max": high}])


def constrained(draw, traits, kind):
    if kind in ("string", "enum"):
        optional(draw, traits, "pattern", st.sampled_from(["^[a-z]+$", "\\d", ".*\\S.*"]))
    if kind in ("string", "list", "map", "blob"):
        optional(draw, traits, "length", bounds(1, 63))
    if kind in ("byte", "short", "integer", "long", "float", "double", "bigInteger", "bigDecimal"):
        optional(draw, traits, "range", bounds(0, 100) | st.just({"min": -1.5, "max": 2.0}))
    if kind == "timestamp":
        optional(draw, traits, "timestampFormat", FORMATS)
    if kind in ("string", "blob"):
        optional(draw, traits, "mediaType", st.just("application/json"), chance=10)


class Shapes:
    """The data shapes of a model, and structures and operations that are added as they are needed."""

    def __init__(self, draw):
        self.draw = draw
        self.shapes = {}
        self.kinds = {f"smithy.api#{name}": name.removeprefix("Primitive").lower() for name in PRELUDE}
        self.count = 0

    def name(self, stem):
        self.count += 1
        namespace = NAMESPACE if self.draw(st.integers(0, 5)) else OTHER
        return f"{namespace}#{stem}{self.draw(st.sampled_from(['', '_', '_b']))}{self.count}"

    def add(self, stem, shape, *, traits=None, kind=None):
        shape_id = self.name(stem)
        self.shapes[shape_id] = {**shape, "traits": traits or {}}
        self.kinds[shape_id] = kind or shape["type"]
        return shape_id

    def target(self, *kinds):
        wanted = kinds or {kind for kind in self.kinds.values() if kind not in ("operation", "resource", "mixin")}
        known = [each for each, kind in self.kinds.items() if kind in wanted]
        return self.draw(st.sampled_from(known))

    def data_shapes(self):
        for _ in range(self.draw(st.integers(2, 9))):
            kind = self.draw(st.sampled_from([*SIMPLE, "enum", "intEnum", *("list", "map", "structure", "union") * 3]))
            traits = {}
            described(self.draw, traits)
            constrained(self.draw, traits, kind)
            getattr(self, f"_{kind}", self._simple)(kind, traits)

    def _simple(self, kind, traits):
        if kind == "string":
            values = [{"value": "a", "name": "A"}, {"value": "b b", "name": "B"}]
            optional(self.draw, traits, "enum", st.just(values), chance=6)
        optional(self.draw, traits, "default", st.none(), chance=25)
        self.add(kind.capitalize(), {"type": kind}, traits=traits)

    def _enum(self, kind, traits):
        values = ["ONE", "two words", "3"] if kind == "enum" else [1, 5, -2]
        members = {}
        for name, value in zip(("ONE", "TWO", "THREE"), values, strict=True):
            member = {"smithy.api#enumValue": value}
            described(self.draw, member)
            member.pop("smithy.api#sensitive", None)
            members[name] = {"target": "smithy.api#Unit", "traits": member}
        self.add("Choice", {"type": kind, "members": members}, traits=traits)

    _intEnum = _enum

    def _list(self, kind, traits):
        member = self.member()
        optional(self.draw, traits, "uniqueItems", annotation(), chance=5)
        optional(self.draw, traits, "sparse", annotation(), chance=8)
        self.add("List", {"type": kind, "member": member}, traits=traits)

    def _map(self, kind, traits):
        key = {"target": self.target("string", "enum"), "traits": {}}
        optional(self.draw, key["traits"], "pattern", st.just("^k"))
        self.add("Map", {"type": kind, "key": key, "value": self.member()}, traits=traits)

    def _structure(self, kind, traits):
        members = {name: self.member(in_structure=True) for name in self.some(WORDS)}
        shape_id = self.add("Part", {"type": kind, "members": members}, traits=traits)
        if self.draw(st.integers(0, 3)) == 0:
            # Back to itself, by way of a list: what a schema says with a reference.
            again = self.add("Again", {"type": "list", "member": {"target": shape_id}})
            members["again"] = {"target": again, "traits": {}}

    def _union(self, kind, traits):
        members = {name: self.member() for name in self.some(WORDS, least=1)}
        if self.draw(st.integers(0, 4)) == 0:
            members["nothing"] = {"target": "smithy.api#Unit", "traits": {}}
        self.add("Either", {"type": kind, "members": members}, traits=traits)

    def some(self, names, *, least=0):
        return self.draw(st.lists(st.sampled_from(names), unique=True, min_size=least, max_size=5))

    def member(self, target=None, *, in_structure=False):
        target = target or self.target()
        traits = {}
        described(self.draw, traits)
        constrained(self.draw, traits, self.kinds[target])
        if in_structure:
            optional(self.draw, traits, "required", annotation())
            optional(self.draw, traits, "jsonName", st.just("other"), chance=12)
            optional(self.draw, traits, "aws.cloudformation#cfnName", st.sampled_from(["Renamed", "lower"]), chance=14)
            optional(self.draw, traits, "aws.cloudformation#cfnExcludeProperty", annotation(), chance=14)
            optional(self.draw, traits, "default", self._default(target), chance=8)
        return {"target": target, "traits": traits}

    def _default(self, target):
        match self.kinds[target]:
            case "string":
                return st.sampled_from(["", "text"]) | st.none()
            case "boolean":
                return st.booleans()
            case "list":
                return st.just([])
            case "map":
                return st.just({})
            case "byte" | "short" | "integer" | "long" | "float" | "double":
                return st.integers(0, 5)
            case _:
                return st.none()


class Resources(Shapes):
    """Resources with their operations: properties by a few names, so that the same ones meet in several places."""

    def __init__(self, draw):
        super().__init__(draw)
        self.data_shapes()
        self.targets = {name: self.target() for name in WORDS}
        self.targets["tags"] = self._tags()

    def _tags(self):
        pair = {"Key": {"target": "smithy.api#String"}, "Value": {"target": "smithy.api#String"}}
        tag = self.add("Tag", {"type": "structure", "members": pair})
        traits = {}
        constrained(self.draw, traits, "list")
        return self.add("Tags", {"type": "list", "member": {"target": tag}}, traits=traits)

    def property_member(self):
        def build(name):
            target = self.targets[name] if self.draw(st.integers(0, 20)) else self.target()
            member = self.member(target, in_structure=True)
            traits = member["traits"]
            mutability = st.sampled_from(["full", "create", "read", "write", "create-and-read"])
            optional(self.draw, traits, "aws.cloudformation#cfnMutability", mutability, chance=8)
            optional(self.draw, traits, "idempotencyToken", annotation(), chance=20)
            optional(self.draw, traits, "property", st.sampled_from([{}, {"name": "bound"}]), chance=20)
            optional(self.draw, traits, "httpHeader", st.just("x-h"), chance=15)
            optional(self.draw, traits, f"{NAMESPACE}#marker", annotation(), chance=25)
            if self.kinds[target] in ("string", "enum"):
                optional(self.draw, traits, "aws.cloudformation#cfnAdditionalIdentifier", annotation(), chance=10)
            return member

        return build

    def container(self, stem, identifiers):
        build = self.property_member()
        members = {name: build(name) for name in self.some(WORDS)}
        for name, target in identifiers.items():
            how = self.draw(st.integers(0, 4))
            if how:
                traits = {"smithy.api#required": {}} if how > 1 else {}
                key = name
                if how == 4:
                    key, traits = f"{name}Of", {"smithy.api#resourceIdentifier": name}
                members[key] = {"target": target, "traits": traits}
        shape = {"type": "structure", "members": members}
        if self.draw(st.integers(0, 5)) == 0:
            mixed = {f"mixed{self.count}": build("size"), "shared": build("x1")}
            mixin = self.add(
                "Mixin", {"type": "structure", "members": mixed}, traits={"smithy.api#mixin": {}}, kind="mixin"
            )
            shape["mixins"] = [{"target": mixin}]
        shape_id = self.add(stem, shape)
        if self.draw(st.integers(0, 7)) == 0:
            nested = {"target": shape_id, "traits": {"smithy.api#nestedProperties": {}, "smithy.api#required": {}}}
            outer = {"nested": nested, "beside": {"target": "smithy.api#String", "traits": {}}}
            return self.add(stem, {"type": "structure", "members": outer})
        return shape_id

    def operation(self, stem, identifiers):
        given = self.container(f"{stem}Input", identifiers) if self.draw(st.integers(0, 9)) else "smithy.api#Unit"
        back = self.container(f"{stem}Output", identifiers) if self.draw(st.integers(0, 4)) else "smithy.api#Unit"
        traits = {}
        actions = st.just(["other:Action", "a:B"])
        optional(self.draw, traits, "aws.iam#requiredActions", actions, chance=6)
        iam = st.fixed_dictionaries({}, optional={"requiredActions": actions, "name": st.just("N")})
        optional(self.draw, traits, "aws.iam#iamAction", iam, chance=8)
        shape = {"type": "operation", "input": {"target": given}, "output": {"target": back}}
        return self.add(stem, shape, traits=traits)

    def resource(self, identifiers, depth=0):
        identifiers = dict(identifiers)
        for name in self.draw(st.lists(st.sampled_from(["fooId", "zetaId", "Name"]), unique=True, max_size=2)):
            identifiers.setdefault(name, self.target("string"))
        shape = {"type": "resource", "identifiers": {key: {"target": each} for key, each in identifiers.items()}}
        for lifecycle in self.some(LIFECYCLE, least=1):
            shape[lifecycle] = {"target": self.operation(lifecycle.capitalize(), identifiers)}
        properties = self.draw(st.lists(st.sampled_from(["alpha", "tags", "size"]), unique=True, max_size=3))
        if properties:
            shape["properties"] = {name: {"target": self.targets[name]} for name in properties}
        if depth < 2 and self.draw(st.integers(0, 2)) == 0:
            shape["resources"] = [{"target": self.resource(identifiers, depth + 1)}]
        traits = self._resource_traits(identifiers, properties)
        return self.add("Thing", shape, traits=traits)

    def _resource_traits(self, identifiers, properties):
        traits = {}
        described(self.draw, traits)
        cfn = {}
        if self.draw(st.integers(0, 3)) == 0:
            cfn["name"] = f"Named{self.count}"
        if self.draw(st.integers(0, 2)) == 0:
            cfn["additionalSchemas"] = [self.container("Extra", identifiers)]
        if self.draw(st.integers(0, 11)) == 0 and properties:
            cfn["primaryIdentifier"] = properties[0]
        if self.draw(st.integers(0, 9)):
            traits["aws.cloudformation#cfnResource"] = cfn
        links = {"Documentation Url": "https://docs", "source": "https://src", "Guide": "https://guide"}
        optional(self.draw, traits, "externalDocumentation", st.just(links), chance=6)
        optional(self.draw, traits, "noReplace", annotation(), chance=8)
        taggable = {"disableSystemTags": st.booleans()}
        if "tags" in properties:
            taggable["property"] = st.just("tags")
        optional(self.draw, traits, "aws.api#taggable", st.fixed_dictionaries({}, optional=taggable), chance=6)
        return traits

    def tag_operations(self):
        operations = []
        for name in ("TagResource", "UntagResource", "ListTagsForResource"):
            members = {"resourceArn": {"target": "smithy.api#String"}, "tags": self.member(self.targets["tags"])}
            given = self.add(f"{name}Request", {"type": "structure", "members": members})
            shape_id = f"{NAMESPACE}#{name}"
            self.shapes[shape_id] = {
                "type": "operation", "input": {"target": given}, "output": {"target": "smithy.api#Unit"},
            }  # fmt: skip
            operations.append({"target": shape_id})
        return operations


@st.composite
def resource_models(draw):
    """The AST of a model with one service and one to three resources, children not counted."""
    made = Resources(draw)
    made.shapes[f"{NAMESPACE}#marker"] = {
        "type": "structure",
        "traits": {"smithy.api#trait": {}, "smithy.api#notProperty": {}},
    }
    resources = [{"target": made.resource({})} for _ in range(draw(st.integers(1, 3)))]
    traits = {}
    if draw(st.booleans()):
        traits["aws.api#service"] = draw(
            st.fixed_dictionaries(
                {"sdkId": st.just("The Cloud")},
                optional={"arnNamespace": st.just("sky"), "cloudFormationName": st.just("Heaven")},
            )
        )
    service = {"type": "service", "version": "1", "resources": resources, "traits": traits}
    if draw(st.integers(0, 9)):
        traits["aws.api#tagEnabled"] = {}
        service["operations"] = made.tag_operations()
    data = [each for each, kind in made.kinds.items() if kind in ("structure", "enum") and each in made.shapes]
    if data and draw(st.integers(0, 3)) == 0:
        service["rename"] = {draw(st.sampled_from(data)): "Renamed_1"}
    made.shapes[SERVICE] = service
    return {"smithy": "2.0", "shapes": made.shapes}


def cfn_settings():
    """Settings of the conversion, the service included."""
    switches = (
        "disableHandlerPermissionGeneration", "disableDeprecatedPropertyGeneration", "disableRequiredPropertyGeneration",
        "disableCapitalizedProperties", "useIntegerType", "supportNonNumericFloats", "disableDefaultValues",
        "disableIntEnums", "addReferenceDescriptions", "useInlineMaps", "disableDefaultDeprecatedMessage",
    )  # fmt: skip
    other = {
        "enumStrategy": st.sampled_from(["enum", "oneOf"]),
        "defaultTimestampFormat": FORMATS,
        "serviceName": st.just("Other"),
        "disableFeatures": st.lists(
            st.sampled_from(["default", "pattern", "minLength", "title", "required"]), max_size=2
        ),
    }
    plain = st.fixed_dictionaries({"service": st.just(SERVICE), "organizationName": st.just("Ex")})
    return plain | st.fixed_dictionaries(
        {"service": st.just(SERVICE), "organizationName": st.just("Ex")},
        optional={**{each: st.booleans() for each in switches}, **other},
    )
