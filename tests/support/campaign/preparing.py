"""What a server is given before the work begins: bucket, templates, types in every Region, the hook's settings."""

import json

from support.campaign.catalogue import BUCKET, CHILD, GUARD_SETTINGS, PROVED, REGIONS, hook_and_module, resource_types
from support.campaign.ledger import Ledger
from support.campaign.stories import KINDS
from support.crash_life import THING
from support.registry import GUARD, kind_of


def prepare(calls, folder):
    """Register everything; the ledger of the things."""
    ledger = Ledger(folder / "journal")
    packages = {**resource_types(ledger.path, folder / "proved"), **hook_and_module()}
    s3 = calls("s3")
    s3.create_bucket(Bucket=BUCKET)
    s3.put_object(Bucket=BUCKET, Key="child.json", Body=CHILD)
    for name, content in packages.items():
        s3.put_object(Bucket=BUCKET, Key=name.replace("::", "-"), Body=content)
    begun = [_register(calls(region="us-east-1"), name) for name in packages if name != PROVED]
    begun += [_register(calls(region=region), THING) for region in REGIONS if region != "us-east-1"]
    for client, token in begun:
        client.get_waiter("type_registration_complete").wait(RegistrationToken=token)
    calls().set_type_configuration(Type="HOOK", TypeName=GUARD, Configuration=json.dumps(GUARD_SETTINGS))
    return ledger


def _register(client, name):
    url = f"s3://{BUCKET}/{name.replace('::', '-')}"
    kind = str(kind_of(name)[0])
    return client, client.register_type(Type=kind, TypeName=name, SchemaHandlerPackage=url)["RegistrationToken"]


def tell_stories(calls, ledger, names):
    """A story for each name, which begins with its kind."""
    return [KINDS[name.rstrip("0123456789")](calls, ledger, name) for name in names]
