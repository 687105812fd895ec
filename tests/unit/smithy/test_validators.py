"""What single validators say, on the smallest model that shows it. The corpora hold many more."""

import pytest

from formwork.convert.validators import CFN_VALIDATORS
from formwork.smithy.load import library, load_texts
from formwork.smithy.validate import validate
from formwork.smithy.validators.xml_namespaces import is_uri

LIBRARIES = ("prelude", "aws.api", "aws.iam", "aws.cloudformation", "aws.protocols", "smithy.protocols.rpcv2")


def said(body, event_id):
    """The events of one id about a model in the namespace ns, as text without the id."""
    text = f'$version: "2"\nnamespace ns\n{body}\n'
    loaded = load_texts([("model.smithy", text)], base=library(*LIBRARIES))
    events = validate(loaded.model, after=loaded.events, extra=tuple(CFN_VALIDATORS))
    return [str(event).rpartition(" | ")[0] for event in events if event.is_or_under(event_id)]


EXAMPLES = """
@examples([EXAMPLE])
operation Get { input := { @required id: Id, at: At, size: Size }, output := { @timestampFormat("http-date") seen: At }, errors: [Gone] }
@length(min: 2) string Id
@range(max: 9) double Size
timestamp At
@error("client") structure Gone { @required why: String }
@error("client") structure Other {}
"""


def example(text):
    return said(EXAMPLES.replace("EXAMPLE", text), "ExamplesTrait")


def test_an_example_that_fits_says_nothing():
    given, seen = '{id: "ab", at: "2020-01-01T00:00:00Z"}', "Tue, 29 Apr 2014 18:30:38 GMT"
    assert example(f'{{title: "t", input: {given}, output: {{seen: "{seen}"}}}}') == []


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ('{title: "t"}', ["Example input of `t`: Missing required structure member `id` for `ns#GetInput`"]),
        (
            '{title: "t", input: {id: "a"}}',
            [("Example input of `t`.id: String value provided for `ns#Id` must be >= 2 characters, but the provided "
             "value is only 1 characters.")],
        ),
        (
            '{title: "t", input: {id: "ab", size: "NaN"}}',
            [("Example input of `t`.size: Value provided for `ns#Size` must be a number because the `smithy.api#range` "
             'trait is applied, but found "NaN"')],
        ),
        (
            '{title: "t", input: {id: "ab", size: "many"}}',
            [("Example input of `t`.size: Value for `ns#Size` must either be numeric or one of the following strings: "
             '["NaN", "Infinity", "-Infinity"], but was "many"')],
        ),
        (
            '{title: "t", input: {id: "ab", at: true}}',
            [("Example input of `t`.at: Invalid boolean value provided for timestamp, `ns#At`. Expected a number that "
             "contains epoch seconds with optional millisecond precision, or a string that contains an RFC 3339 "
             'formatted timestamp (e.g., "1985-04-12T23:20:50.52Z")')],
        ),
        (
            '{title: "t", input: {id: "ab"}, output: {seen: "today"}}',
            [("Example output of `t`.seen: Invalid value provided for http-date formatted timestamp. Expected a string "
             "value that matches the IMF-fixdate production of RFC 9110 section-5.6.7. Found: today")],
        ),
        (
            '{title: "t", input: {id: "ab"}, output: {}, error: {shapeId: Gone, content: {why: ""}}}',
            ["Example: `t` has both output and error defined, only one should be present."],
        ),
        (
            '{title: "t", input: {id: "ab"}, error: {shapeId: Other, content: {}}}',
            ["Error parameters provided for operation without the `ns#Other` error: `t`"],
        ),
        (
            '{title: "t", input: {id: "ab"}, error: {shapeId: Gone, content: {}}}',
            ["Example error of `t`: Missing required structure member `why` for `ns#Gone`"],
        ),
        (
            '{title: "t", input: {id: "ab"}, allowConstraintErrors: true}',
            ["Example: `t` has allowConstraintErrors enabled, so error must be defined."],
        ),
    ],
)  # fmt: skip
def test_examples(given, expected):
    assert example(given) == [f"[ERROR] ns#Get: {each}" for each in expected]


def test_an_example_of_an_error_may_break_constraints():
    found = example(
        '{title: "t", input: {id: "a"}, allowConstraintErrors: true, error: {shapeId: Gone, content: {why: "w"}}}'
    )
    assert [each.partition(" ")[0] for each in found] == ["[WARNING]"]


@pytest.mark.parametrize(
    ("prefix", "member", "expected"),
    [
        ("{id}.data.", "@required @hostLabel id: String", []),
        (
            "{id}-data",
            "@required @hostLabel id: String",
            [("[DANGER] ns#Get: `endpoint` trait hostPrefix contains host labels and does not end in a period (`.`). "
             "This can result in clients inadvertently sending data to domains you do not control.")],
        ),
        (
            "da ta.",
            "",
            [("[ERROR] ns#Get: The `endpoint` trait hostPrefix, da ta., could not expand in to a valid RFC 3986 host: "
             "da ta.")],
        ),
        (
            "{id}.",
            "@required @hostLabel name: String",
            [("[ERROR] ns#GetInput$name: This `name` structure member is marked with the `hostLabel` trait, but no "
             "corresponding `endpoint` label could be found when used as the input of the `ns#Get` operation."),
             ("[ERROR] ns#Get: This operation uses ns#GetInput as input, but the following host labels found in the "
             "operation's `endpoint` trait do not have a corresponding member marked with the `hostLabel` trait: `id`")],
        ),
    ],
)  # fmt: skip
def test_host_labels(prefix, member, expected):
    body = f'@endpoint(hostPrefix: "{prefix}") operation Get {{ input := {{ {member} }} }}'
    assert said(body, "HostLabelTrait") == expected


def service(traits, rest=""):
    return f'{traits} service S {{ version: "1", operations: [One, Two], resources: [] }}\n{rest}'


HTTP = '@http(method: "GET", uri: "/") @readonly operation One {}\n operation Two {}'


def test_bindings_missing():
    assert said(service("", HTTP), "HttpBindingsMissing") == [
        (
            "[WARNING] ns#Two: One or more operations in the `ns#S` service define the `http` trait, but this operation is "
            "missing the `http` trait."
        )
    ]
    assert said(service("@aws.protocols#restJson1", HTTP), "HttpBindingsMissing") == [
        (
            "[ERROR] ns#Two: The `aws.protocols#restJson1` protocol requires all operations in the `ns#S` service define "
            "the `http` trait, but this operation is missing the `http` trait."
        )
    ]


def test_uris_in_ascii():
    body = '@http(method: "GET", uri: "/größe") @readonly operation One {}'
    assert said(body, "HttpUriFormat") == ["[ERROR] ns#One: @http trait `uri` is invalid: /größe"]


def test_schemes_of_api_keys_stand_in_headers():
    body = service('@httpApiKeyAuth(name: "X", in: "query", scheme: "K")', "operation One {}\noperation Two {}")
    assert said(body, "HttpApiKeyAuthTrait") == [
        (
            "[ERROR] ns#S: The httpApiKeyAuth trait must have an `in` value of `header` when a `scheme` is provided, "
            "found: query"
        )
    ]


def test_namespaces_of_xml():
    body = '@xmlNamespace(uri: "bad uri") structure A {}'
    assert said(body, "XmlNamespaceTrait") == [
        "[ERROR] ns#A: An `xmlNamespace` trait is applied to the (structure: `ns#A`) shape with an invalid uri: bad uri"
    ]


@pytest.mark.parametrize("text", ["http://a.b/c?d=[e]#f", "urn:x:y", "", "a/b", "//host", "http://[::1]:80/", "ä", "#"])
def test_uris(text):
    assert is_uri(text)


@pytest.mark.parametrize("text", ["a b", "http:", ":a", "1a:b", "a#b#c", "%zz", "{a}", "/a[b]", "\\", "http://"])
def test_what_is_no_uri(text):
    assert not is_uri(text)


@pytest.mark.parametrize("protocol", ["Cbor", "Json"])
def test_versions_for_event_streams(protocol):
    trait = f"@smithy.protocols#rpcv2{protocol}"
    body = service(f'{trait}(http: ["h2"], eventStreamHttp: ["h3"])', "operation One {}\noperation Two {}")
    assert said(body, f"Rpcv2{protocol}Trait") == [
        (
            "[ERROR] ns#S: The following values of the `eventStreamHttp` property do not also appear in the `http` "
            f"property of the smithy.protocols#rpcv2{protocol} protocol trait: [h3]"
        )
    ]


@pytest.mark.parametrize(
    ("trait", "expected"),
    [
        ('cloudTrailEventSource: "a.amazonaws.com"', []),
        (
            'cloudTrailEventSource: "REPLACE_ME"',
            ["aws.api#service|cloudTrailEventSource must not use placeholders, but found: REPLACE_ME"],
        ),
        (
            'cloudTrailEventSource: "b.amazonaws.com"',
            [("aws.api#service|cloudTrailEventSource does not match the expected value. Expected 'a.amazonaws.com', but "
             "found 'b.amazonaws.com'.")],
        ),
    ],
)  # fmt: skip
def test_event_sources(trait, expected):
    body = service(
        f'@aws.api#service(sdkId: "An Id", arnNamespace: "a", {trait})', "operation One {}\noperation Two {}"
    )
    assert said(body, "EventSource") == [f"[WARNING] ns#S: {each}" for each in expected]


@pytest.mark.parametrize(
    ("sdk_id", "expected"),
    [
        ("Config Service", []),
        ("Resource Thing", []),
        ("A", ["Must be between 2 and 50 characters long."]),
        ("Thing API", ["Must not case-insensitively end with `api`"]),
        (
            "AWS-Client",
            [("Does not match the required pattern `^[a-zA-Z][a-zA-Z0-9]*( [a-zA-Z0-9]+)*$`;Must not contain any of the "
             "following company names: [`AWS`, `Amazon`, `Aws`];Must not case-insensitively end with `client`")],
        ),
    ],
)  # fmt: skip
def test_sdk_ids(sdk_id, expected):
    body = service(f'@aws.api#service(sdkId: "{sdk_id}")', "operation One {}\noperation Two {}")
    start = f"[DANGER] ns#S: Invalid SDK service ID value, `{sdk_id}`: "
    assert said(body, "SdkServiceId") == [start + each for each in expected]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("thing/{id}/{kind}", []),
        (
            "thing/{id}",
            [("Invalid aws.api#arn trait resource, `thing/{id}`. The following resource identifier names were missing "
             "from the `arn` template: `kind`")],
        ),
        (
            "{id}/{kind}/{x}",
            [("Invalid aws.api#arn trait resource, `{id}/{kind}/{x}`. Found template labels in the trait that are not "
             "the names of the identifiers of the resource: [id, kind]. Extraneous identifiers: [`x`]")],
        ),
        (
            "{i d}",
            [("aws.api#arn trait contains invalid template labels: `i d`. Template labels must match the following "
             "regular expression: ^[!|+]?[a-zA-Z_][a-zA-Z0-9_]*$")],
        ),
    ],
)  # fmt: skip
def test_templates_of_arns(template, expected):
    body = (
        '@aws.api#service(sdkId: "An Id") service S { version: "1", resources: [R] }\n'
        f'@aws.api#arn(template: "{template}") resource R {{ identifiers: {{ id: String, kind: String }} }}'
    )
    assert said(body, "ArnTemplate") == [f"[ERROR] ns#R: {each}" for each in expected]


def test_later_validators_wait_for_traits_that_fit():
    body = '@unstable @trait structure new {}\n@new @timestampFormat("http-date") string A'
    assert said(body, "TraitTarget") != []
    assert said(body, "UnstableTrait") == []


def test_suppressions_hold_for_what_loading_says():
    body = '@suppress(["ModelDeprecation"]) @enum([{value: "a"}]) string A'
    assert [each.partition(" ")[0] for each in said(body, "ModelDeprecation")] == ["[SUPPRESSED]"]


@pytest.mark.parametrize(
    ("trait", "problem"),
    [
        ("@deprecated(since: 1)", "Error creating trait `deprecated`: Expected `since` to be a string; found number"),
        ("@tags([1])", "Error creating trait `tags`: Expected array element 0 to be a string but found number."),
        (
            '@aws.cloudformation#cfnResource(additionalSchemas: ["x"])',
            "Error creating trait `aws.cloudformation#cfnResource`: Invalid shape ID: x",
        ),
    ],
)
def test_values_of_wrong_types_inside_values(trait, problem):
    assert said(f"{trait} resource A {{}}", "Model") == [f"[ERROR] ns#A: {problem}"]
    assert said(f"{trait} resource A {{}}", "TraitValue") == []


INVALID = {
    "resource R { identifiers: { id: String }, properties: { p: String }, create: C }\n"
    "operation C { input := { p: String }, output := { id: String } }": (
        "ResourceOperationInputOutput",
        "Member `id` does not target a property or identifier",
    ),
    '@metadata(key: "suppressions") string S': ("MetadataTrait", "has been reserved by Smithy"),
    '@requestCompression(encodings: ["gzip"]) operation C {}': ("RequestCompressionTrait", "have an input shape"),
    'service S { version: "1", operations: [C], rename: {"ns#A": "no!"} }\n'
    "operation C { input := { a: A } }\nstructure A {}": ("Service", 'to an invalid identifier, "no!"'),
    '@externalDocumentation(Home: "invalid!") string S': ("Model", "must be a valid URL"),
    "@references([{resource: String}]) structure S {}": ("ReferencesTrait", "targets a string shape not a resource"),
    "operation C { output := { @required body: B } }\n@streaming @requiresLength blob B": (
        "StreamingTrait",
        "can only be used as operation inputs",
    ),
    '@http(method: "GET", uri: "/{a+}/{b+}") @readonly operation C { input := { @required @httpLabel a: String, '
    "@required @httpLabel b: String } }": ("HttpUriGreedyLabel", "At most one greedy label"),
}


@pytest.mark.parametrize("body", INVALID, ids=[each[:40] for each in INVALID])
def test_invalid_models_are_told(body):
    event_id, words = INVALID[body]
    assert any(words in each for each in said(body, event_id))


@pytest.mark.parametrize(
    ("closure", "words"),
    [
        ('{id: "ns#S", includeNamespaces: ["ns"]}', "must not match the ids of shapes"),
        ('{id: "ns#New"}', "must define at least one of"),
        ('{id: "ns#New", includeBySelector: "union"}', "matches no shapes in the model."),
        (
            '{id: "ns#New", includeNamespaces: ["ns"], includeBySelector: "[id = ns#S]"}',
            "already in an included namespace",
        ),
    ],
)
def test_shape_closures(closure, words):
    text = f'$version: "2"\nmetadata shapeClosures = [{closure}]\nnamespace ns\nstring S\n'
    loaded = load_texts([("model.smithy", text)], base=library(*LIBRARIES))
    assert any(words in str(each) for each in validate(loaded.model, after=loaded.events))


def test_updates_with_defaults_are_known_by_lifecycle_and_name():
    body = 'operation PatchThing { input := { a: String = "x"\n} }'
    assert "Affected members: [a]" in said(body, "DefaultValueInUpdate")[0]
