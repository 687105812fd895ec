"""Hypothesis strategies: resource schemas of any shape, with names that some language has other plans for."""

from hypothesis import strategies as st

# What Python, Java, Go and TypeScript have other plans for, and names that meet after a change of case or spelling.
WORD_LIST = (
    "None True False class from self cls str type match print object String Integer List Map Set Object "
    "package interface func chan range map nil default switch int float final void enum this super new delete "
    "function var let undefined null any number async await Mapping Optional Sequence Union Any AbstractSet BaseModel "
    "ResourceModel TypeConfigurationModel ResourceHandlerRequest HookInputModel shapes json model fields foo Foo FOO "
    "None_ Model README Readme 2FA 0 items properties definitions Tags tags Key oneOf patternProperties"
)
# What is no identifier anywhere, meets another name once it is made one, or ends a literal, a comment or a tag.
ODD_NAMES = [
    "", "_", "__", "-", "a-b", "a_b", "a.b", "a b", "é", "É", "日", "本", "😀", '"', "'", "\\", "`", "${x}", "*/", "a,b",
    "a\nb", "\u2028", "\0x", "__proto__", "__init__", "constructor", "toString", "hasOwnProperty", "x" * 100,
    "System", "Exception", "ResourceCall", "HookCall", "TypeName", "Request", "main", "init",
]  # fmt: skip
NAMES = st.one_of(
    st.sampled_from(WORD_LIST.split()),
    st.sampled_from(ODD_NAMES),
    st.from_regex(r"[A-Za-z0-9]{1,6}", fullmatch=True),
)
SCALARS = st.sampled_from([{"type": each} for each in ("string", "integer", "number", "boolean")])
REFERENCES = NAMES.map(lambda each: {"$ref": f"#/definitions/{each.replace('/', '~1')}"})


def objects(inner):
    members = st.dictionaries(NAMES, inner, min_size=1, max_size=4)
    closed = st.fixed_dictionaries(
        {"type": st.just("object"), "properties": members, "additionalProperties": st.just(False)}
    )
    return st.one_of(closed, st.fixed_dictionaries({"properties": members}))


def containers(inner):
    return st.one_of(
        objects(inner),
        st.builds(lambda each: {"type": "array", "items": each}, inner),
        st.builds(lambda each: {"type": "array", "items": each, "uniqueItems": True, "insertionOrder": False}, inner),
        st.builds(lambda each: {"patternProperties": {".*": each}}, inner),
        st.builds(lambda each: {"oneOf": each}, st.lists(inner, min_size=1, max_size=3)),
    )


NODES = st.recursive(st.one_of(SCALARS, REFERENCES, st.just({})), containers, max_leaves=6)
SCHEMAS = st.fixed_dictionaries(
    {
        "typeName": st.just("Acme::Store::Thing"),
        "properties": st.dictionaries(NAMES, NODES, min_size=1, max_size=5),
        "definitions": st.dictionaries(NAMES, objects(NODES), max_size=5),
        "additionalProperties": st.just(False),
        "description": st.text(),
    }
)
