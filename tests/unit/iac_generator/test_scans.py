"""Resource scans: what is found, what is related, what is refused."""

import pytest

from formwork.iac_generator import ResourceScans, ScannedQuery
from formwork.iac_generator.discovery import Scanner, TooManyResourcesError
from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Failed
from formwork.stacks.errors import StackError
from support.engines import HERE, Bench, thing_schema

THING, PART = "Acme::Web::Thing", "Acme::Web::Part"
DAY = 24 * 3600


def part_schema():
    return thing_schema(
        PART,
        properties={
            "Number": {"type": "string", "pattern": "^part-[0-9a-f]{8}$"},
            "ThingId": {"type": "string"},
            "Label": {"type": "string"},
            "Key": {"type": "string"},
            "Tags": {"type": "object", "patternProperties": {".*": {"type": "string"}}, "additionalProperties": False},
        },
        primaryIdentifier=["/properties/Number"],
        readOnlyProperties=["/properties/Number"],
        createOnlyProperties=["/properties/ThingId"],
        conditionalCreateOnlyProperties=["/properties/Label"],
        writeOnlyProperties=["/properties/Key"],
        required=["ThingId"],
        tagging={"taggable": True, "tagProperty": "/properties/Tags"},
        handlers={
            **{each: {"permissions": []} for each in ("create", "read", "update", "delete")},
            "list": {
                "permissions": [],
                "handlerSchema": {"properties": {"ThingId": {"type": "string"}}, "required": ["ThingId"]},
            },
        },
    )


@pytest.fixture
def bench(database):
    bench = Bench(database, thing_schema(), part_schema())
    bench.scans = ResourceScans(bench.engine, bench.work, lambda _scope: [THING, PART], strict_quotas=True)
    return bench


def make(bench, type_name=THING, **model):
    bench.serial = getattr(bench, "serial", 0) + 1
    call = HandlerCall(action="CREATE", desired=model, token=f"t{bench.serial}")
    return bench.table.by_name[type_name].invoke(call).model


def scan(bench, types=None, token=None):
    return bench.scans.describe(HERE, bench.scans.start(HERE, types, token).arn)


def found(bench, arn, **query):
    return [
        (each.type, *each.identifier.values()) for each in bench.scans.list_resources(HERE, arn, ScannedQuery(**query))
    ]


def test_a_scan_lists_and_reads_every_type(bench):
    one, two = make(bench, Name="one"), make(bench, Name="two", Secret="hush")
    part = make(bench, PART, ThingId=two["Id"], Tags={"team": "web"})
    bench.create("Resources: {Mine: {Type: Acme::Web::Thing, Properties: {Name: mine}}}")
    done = scan(bench)
    assert (done.status, done.percentage, done.types) == ("COMPLETE", 100.0, (THING, PART))
    assert (done.listed, done.read, done.reason) == (4, 4, None)
    mine = bench.resources()["Mine"].physical_id
    managed = {
        each.identifier.get("Id"): each.managed for each in bench.scans.list_resources(HERE, done.arn, ScannedQuery())
    }
    assert managed == {one["Id"]: False, two["Id"]: False, mine: True, None: False}
    assert found(bench, done.arn, tag_key="team") == [(PART, part["Number"])]
    assert found(bench, done.arn, tag_key="team", tag_value="web", type_prefix="Acme::Web::P") == [
        (PART, part["Number"])
    ]
    assert found(bench, done.arn, tag_value="db") == []
    assert found(bench, done.arn, identifier=one["Id"]) == [(THING, one["Id"])]


def test_lists_that_need_an_input_get_it_from_resources_that_were_found(bench):
    thing = make(bench, Name="one")
    make(bench, PART, ThingId=thing["Id"])
    make(bench, PART, ThingId="thing-00000000")  # of a thing that is not there
    done = scan(bench, [PART])
    assert set(done.types) == {THING, PART}, "a part is listed by its thing"
    wanted = [call.desired for call in bench.table.by_name[PART].calls if call.action == "LIST"]
    assert wanted == [{"ThingId": thing["Id"]}]
    assert done.filters == (PART,)
    assert [each.arn for each in bench.scans.list_scans(HERE, partial=True)] == [done.arn]
    assert bench.scans.list_scans(HERE, partial=False) == []


def test_resources_that_mention_each_other_are_related(bench):
    one, two = make(bench, Name="one"), make(bench, Name="two")
    part = make(bench, PART, ThingId=one["Id"], Label=two["Name"])
    arn = scan(bench).arn
    related = bench.scans.list_related(HERE, arn, [(THING, {"Id": one["Id"]})])
    assert [each.identifier for each in related] == [{"Number": part["Number"]}]
    related = bench.scans.list_related(HERE, arn, [(PART, {"Number": part["Number"]})])
    assert [each.identifier for each in related] == [{"Id": one["Id"]}]
    with pytest.raises(StackError, match="is not in the resource scan"):
        bench.scans.list_related(HERE, arn, [(THING, {"Id": "thing-ffffffff"})])


def test_what_can_not_be_listed_or_read_is_told(bench):
    make(bench, Name="one")
    bench.table.by_name[THING].fail("LIST", code="AccessDenied", message="no")
    done = scan(bench)
    assert (done.status, done.read, done.reason) == ("COMPLETE", 0, f"LIST of {THING}: AccessDenied: no")
    bench.table.by_name[THING].answer("READ", Failed("NotFound", "gone"))
    done = scan(bench)
    assert (done.listed, done.read, done.reason) == (1, 0, None)


def test_requests_that_are_refused(bench):
    with pytest.raises(StackError, match="an asterisk is allowed only at the end"):
        scan(bench, ["Acme::*::Thing"])
    with pytest.raises(StackError, match="Acme::Web::Nothing is not supported"):
        scan(bench, ["Acme::Web::Nothing"])
    for call in (bench.scans.describe, lambda scope, arn: bench.scans.list_resources(scope, arn, ScannedQuery())):
        with pytest.raises(StackError) as caught:
            call(HERE, "arn:aws:cloudformation:eu-west-1:111122223333:resourceScan/none")
        assert caught.value.code == "ResourceScanNotFound"


def test_a_token_starts_one_scan_and_one_scan_runs_at_a_time(bench):
    first = scan(bench, token="again")
    assert scan(bench, token="again").arn == first.arn
    bench.work.start = lambda *_arguments: None
    running = scan(bench)
    assert running.status == "IN_PROGRESS"
    with pytest.raises(StackError) as caught:
        scan(bench)
    assert caught.value.code == "ResourceScanInProgress"
    with pytest.raises(StackError) as caught:
        found(bench, running.arn)
    assert caught.value.code == "ResourceScanInProgress"


def test_three_full_scans_a_day_and_they_expire(bench):
    make(bench, Name="one")
    arns = [scan(bench).arn for _ in range(3)]
    with pytest.raises(StackError) as caught:
        scan(bench)
    assert caught.value.code == "ResourceScanLimitExceeded"
    assert scan(bench, [THING]).status == "COMPLETE", "a partial scan"
    bench.clock.sleep(31 * DAY)
    assert {each.status for each in bench.scans.list_scans(HERE, partial=False)} == {"EXPIRED"}
    assert found(bench, arns[0]) == []
    bench.scans.resume()
    assert scan(bench).status == "COMPLETE"


def test_a_scan_that_was_stopped_is_done_again(bench):
    make(bench, Name="one")
    start, bench.work.start = bench.work.start, lambda *_arguments: None
    arn = scan(bench).arn
    bench.work.start = start
    bench.scans.resume()
    assert bench.scans.describe(HERE, arn).status == "COMPLETE"
    assert len(found(bench, arn)) == 1


def test_more_resources_than_aws_scans_fail_the_scan(bench, monkeypatch):
    monkeypatch.setattr("formwork.iac_generator.discovery.MOST_RESOURCES", 1)
    make(bench, Name="one")
    make(bench, Name="two")
    with pytest.raises(TooManyResourcesError):
        list(Scanner(HERE, bench.table.find, lambda *_what: False).scan([THING]))
    done = scan(bench)
    assert done.status == "FAILED"
    assert done.reason.startswith("The resource scan exceeded")
