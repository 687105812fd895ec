"""What the settings of the plugin may say."""

import pytest

from formwork.convert.options import read_cfn_options, read_json_schema_options
from formwork.diagnostics import BadInputError


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"useIntegerType": "yes"}, "`useIntegerType` is string"),
        ({"disableFeatures": [1]}, "`disableFeatures/0` is number 1"),
        ({"enumStrategy": "ENUM"}, 'expected one of "enum", "oneOf"'),
        ({"service": "Foo"}, "not a shape id"),
        ({"jsonAdd": {"Foo": {}}}, "not a shape id"),
        ({"definitionPointer": "#/foo"}, "#/definitions"),
        ({"externalDocs": "Main"}, "array of strings"),
        ({"organisationName": "Acme"}, 'unknown option: "organisationName"'),
        ({"disableFeatures": ["minLenght"]}, 'unknown feature in `disableFeatures`: "minLenght"'),
    ],
)
def test_unusable_settings_name_the_option(settings, words):
    with pytest.raises(BadInputError, match=words.replace("[", r"\[").replace("/", "/")):
        read_cfn_options(settings)


def test_every_option_is_known_by_name_and_the_closest_one_is_named():
    for name in ("extensions", "allowUnknownTraits", "jsonAdd", "schemaDocumentExtensions"):
        read_cfn_options({name: False if name == "allowUnknownTraits" else {}})
    with pytest.raises(BadInputError) as caught:
        read_cfn_options({"disableCapitalisedProperties": True})
    assert caught.value.diagnostics[0].hint == 'write "disableCapitalizedProperties"'


def test_plain_json_schema_has_its_own_defaults():
    plain, cfn = read_json_schema_options({}), read_cfn_options({}).json_schema
    assert (plain.map_strategy, plain.alphanumeric_only_refs) == ("propertyNames", False)
    assert (cfn.map_strategy, cfn.alphanumeric_only_refs) == ("patternProperties", True)
    assert read_json_schema_options({"jsonSchemaVersion": "draft2020-12"}).pointer == "#/$defs"
