"""Partitions of AWS: the Regions, ARNs and DNS names of the public Regions, China, GovCloud and the others.

Source: `partitions.json` of botocore; a test compares the two.
"""

from functools import lru_cache

_PUBLIC = "aws", "amazonaws.com"
# The beginning of a Region's name: the partition's name, its DNS suffix.
_OTHERS = {
    "cn-": ("aws-cn", "amazonaws.com.cn"),
    "us-gov-": ("aws-us-gov", "amazonaws.com"),
    "us-isob-": ("aws-iso-b", "sc2s.sgov.gov"),
    "us-isof-": ("aws-iso-f", "csp.hci.ic.gov"),
    "us-iso-": ("aws-iso", "c2s.ic.gov"),
    "eu-isoe-": ("aws-iso-e", "cloud.adc-e.uk"),
    "eusc-": ("aws-eusc", "amazonaws.eu"),
}


def partition_of(region: str) -> str:
    """Return the partition of a Region (`aws-cn` for `cn-north-1`): the second part of its ARNs."""
    return _find(region)[0]


def dns_suffix_of(region: str) -> str:
    """Return the DNS suffix of a Region's service endpoints, which `AWS::URLSuffix` stands for."""
    return _find(region)[1]


@lru_cache(64)
def _find(region: str) -> tuple[str, str]:
    return next((found for prefix, found in _OTHERS.items() if region.startswith(prefix)), _PUBLIC)
