"""`cfn registry list`: a request without a provisioning type names FULLY_MUTABLE types alone, so each is asked for."""

import argparse
import io
import json
from types import SimpleNamespace

from formwork.cli.registry_verbs.looking import list_types
from formwork.command_context.output import CommandOutput

TYPES = {None: "Acme::Web::Thing", "IMMUTABLE": "Acme::Web::Fixed", "NON_PROVISIONABLE": "Acme::Web::Shape"}


class Client:
    def list_types(self, **request):
        name = TYPES[request.get("ProvisioningType")]
        summaries = [{"TypeName": name, "Type": "RESOURCE"}]
        if "ProvisioningType" not in request:
            summaries.append({"TypeName": "Acme::Web::Guard", "Type": "HOOK"})
        return {"TypeSummaries": summaries}


def test_types_of_every_provisioning_type_are_listed():
    arguments = argparse.Namespace(
        visibility="private", kind=None, prefix=None, category=None, deprecated=False, format="json"
    )
    output = CommandOutput(io.StringIO(), io.StringIO(), colour=False, interactive=False)
    assert list_types(SimpleNamespace(client=lambda _service: Client()), arguments, output) == 0
    found = [each["TypeName"] for each in json.loads(output.out.getvalue())]
    assert found == sorted([*TYPES.values(), "Acme::Web::Guard"])
