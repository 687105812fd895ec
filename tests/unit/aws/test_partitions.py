import json
from importlib.resources import files

import pytest

from cloudformation_cli_python_lib import envelope
from formwork.aws.partitions import dns_suffix_of, partition_of

KNOWN = json.loads(files("botocore").joinpath("data/partitions.json").read_text())["partitions"]
REGIONS = {region: partition for partition in KNOWN for region in partition["regions"] if "global" not in region}


@pytest.mark.parametrize("region", REGIONS)
def test_regions_are_in_the_partition_that_botocore_has_them_in(region):
    partition = REGIONS[region]
    assert partition_of(region) == partition["id"]
    assert dns_suffix_of(region) == partition["outputs"]["dnsSuffix"]
    assert envelope.partition_of(region) == partition["id"]
