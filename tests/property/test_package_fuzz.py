"""Whatever stands in the files that packaging reads, it is read or refused in words."""

import contextlib
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from formwork.diagnostics import FormworkError
from formwork.languages.python.packaging.target import Target
from formwork.languages.python.requirements import read_requirements
from formwork.package.template import Architecture, architecture_of
from formwork.project.comments import blank_comments
from formwork.project.exports import substitute_exports
from formwork.project.targets import read_named_schemas

WORDS = st.sampled_from(
    ["boto3", "a", "==1.0", ">=", "[", "]", ";", "python_version", "<", '"3.10"', "-r", "-e", "-c", "--hash=sha256:0", "-f", " ",
     "\n", "\\\n", "#", "@", "https://x.example/a.whl", "./", "../", "'", "\t", "--", "=", "\0", "é", "~=", "extra == 'x'"]
)  # fmt: skip
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
KEYS = st.sampled_from(["Globals", "Function", "Architectures", "Resources", "TypeFunction", "Properties", "typeName"])
VALUES = st.recursive(
    SCALARS | st.sampled_from(["x86_64", "arm64"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(WORDS, max_size=25).map("".join) | st.text(max_size=80))
@settings(deadline=None)
def test_any_requirements(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("r") / "requirements.txt"
    path.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
    with contextlib.suppress(FormworkError):
        for line in read_requirements(path, Target("3.12", Architecture.ARM64).markers):
            assert line.text
            assert "\n" not in line.text


@given(VALUES)
@settings(deadline=None)
def test_any_template(tmp_path_factory, value):
    path = tmp_path_factory.mktemp("t") / "template.yml"
    path.write_text(json.dumps(value), encoding="utf-8")
    with contextlib.suppress(FormworkError):
        assert architecture_of(path) in Architecture


@given(VALUES.map(json.dumps) | st.text(max_size=60))
def test_any_named_schema(text):
    with contextlib.suppress(FormworkError):
        for each in read_named_schemas([text]):
            assert each


@given(
    st.text(st.sampled_from('"{}a b:\\\n-#'), max_size=60), st.dictionaries(st.sampled_from(["a", "b a"]), st.text())
)
def test_exports_and_comments_end(text, exports):
    blanked = blank_comments(text)
    assert blank_comments(blanked).count("\n") == text.count("\n")
    assert set(substitute_exports(text, exports).missing).isdisjoint(exports)


def test_long_input_takes_linear_time():
    for text in ('"' * 200_000, "{{" * 100_000, "#" * 200_000, "# a\n" * 50_000, "\\" * 200_000, "{{a " * 50_000):
        blank_comments(text)
        substitute_exports(text, {})
