"""Snapshots of plans, events and templates."""

import pytest

from formwork.testing import AcceptanceFailure
from formwork.testing.servers import open_account
from formwork.testing.snapshots import Snapshots
from support.shelves import TEMPLATE, Shelf


def deploy(cloudformation):
    cloudformation.register(Shelf)
    return cloudformation.deploy(TEMPLATE, stack="shop")


def test_plans_and_events_have_no_ids_and_times_of_a_run(cloudformation):
    shop = deploy(cloudformation)
    shop.update(parameters={"Size": 2})
    assert cloudformation.normalized(shop.plan) == (
        'Modify Shelf  Acme::Books::Shelf, replacement False\n  /Properties/Size: "1" → "2"\n'
    )
    events = cloudformation.normalized(shop.events)
    assert events.startswith("News  AWS::SNS::Topic\n  CREATE_IN_PROGRESS\n")
    assert cloudformation.account not in events
    topic = cloudformation.normalized(shop.resources["News"].physical_id)
    assert topic == "arn:aws:sns:us-east-1:<account>:shop-News-<random>\n"


def test_a_snapshot_is_the_same_in_another_account(cloudformation, formwork_servers, tmp_path):
    with open_account(formwork_servers) as other:
        assert other.account.account != cloudformation.account
        for account, update in ((cloudformation, True), (other.account, False)):
            shop = deploy(account)
            snapshots = Snapshots(tmp_path / "test_shop.py", "test_it", update=update)
            for name, value in {"events": shop.events, "template": shop.template, "resources": shop.resources}.items():
                snapshots.check(name, account.normalized(value))


def test_a_snapshot_that_differs_is_shown(tmp_path):
    module = tmp_path / "test_shop.py"
    with pytest.raises(AcceptanceFailure, match=r"was never written\n.*__snapshots__/test_shop/test_it-a.plan.txt"):
        Snapshots(module, "test_it[a]").check("plan", "one\n")
    Snapshots(module, "test_it[a]", update=True).check("plan", "one\n")
    Snapshots(module, "test_it[a]").check("plan", "one\n")
    with pytest.raises(AcceptanceFailure, match=r"(?s)differs.*-one.*\+two"):
        Snapshots(module, "test_it[a]").check("plan", "two\n")
