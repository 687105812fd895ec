"""What a text is that no name and no project says."""

import pytest

from formwork.editor.kinds import DocumentKind, kind_of


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"typeName": "A::B::C", "properties": {}}', DocumentKind.SCHEMA),
        ('{"primaryIdentifier": [], "handlers": {}}', DocumentKind.SCHEMA),  # its name is missing: a finding
        ('{"properties": {}, "additionalProperties": false}', DocumentKind.OTHER),  # any JSON Schema
        ("Resources:\n  A: {Type: A::B::C}\n", DocumentKind.TEMPLATE),
        ('{"smithy": "2.0", "shapes": {}}', DocumentKind.SMITHY),
        ('{"version": "1.0", "sources": []}', DocumentKind.OTHER),
    ],
)
def test_a_text(text, kind):
    assert kind_of(None, text, language="json", root=None, project=None) is kind
