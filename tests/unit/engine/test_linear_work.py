"""What an operation reads of a resource does not depend on how many resources its stack has."""

import json

import pytest

from formwork.stacks.store import resources
from support.engines import Bench


def template(size, color):
    thing = {"Type": "Acme::Web::Thing", "Properties": {"Color": color}}
    return json.dumps({"Resources": {f"R{each}": thing for each in range(size)}})


@pytest.fixture
def count_reads(database, monkeypatch):
    """Counts the records of resources that making and updating a stack of a size reads, for each resource."""
    bench = Bench(database)
    read = []
    inner = resources._record
    monkeypatch.setattr(resources, "_record", lambda row: read.append(row) or inner(row))

    def count(size):
        read.clear()
        name = f"of{size}"
        bench.create(template(size, "red"), name=name)
        bench.update(template(size, "blue"), name=name)
        assert bench.stack(name).status == "UPDATE_COMPLETE"
        return len(read) / size

    return count


def test_reads(count_reads):
    few, many = count_reads(5), count_reads(50)
    assert many <= few * 1.2
