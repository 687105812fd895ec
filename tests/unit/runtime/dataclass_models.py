"""Models in the form that the CloudFormation CLI's Python plugin generates, which existing projects have committed."""
# ruff: noqa: UP045 - this is how they are spelled

import sys
from collections.abc import Mapping, MutableMapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from inspect import getmembers, isclass
from typing import Any, Optional

from cloudformation_cli_python_lib.interface import BaseModel, BaseResourceHandlerRequest
from cloudformation_cli_python_lib.recast import recast_object
from cloudformation_cli_python_lib.utils import deserialize_list


def set_or_none(value):
    return set(value) if value else None


@dataclass
class ResourceHandlerRequest(BaseResourceHandlerRequest):
    desiredResourceState: Optional["ResourceModel"]
    previousResourceState: Optional["ResourceModel"]
    typeConfiguration: Optional[Any]


@dataclass
class ResourceModel(BaseModel):
    Title: str | None  # and how a later hand may have spelled one
    Count: Optional[int]
    Ratio: Optional[float]
    Enabled: Optional[bool]
    Memo: Optional["_Memo"]
    Tags: Optional[AbstractSet["_Tag"]]
    Zones: Optional[AbstractSet[str]]
    Authors: Optional[Sequence[str]]
    Rules: Optional[Sequence["_Tag"]]
    Labels: Optional[MutableMapping[str, int]]
    Limits: Optional[Sequence[MutableMapping[str, int]]]
    Nested: Optional[MutableMapping[str, Sequence["_Tag"]]]
    Blobs: Optional[AbstractSet[Any]]
    Policy: Optional[Any]

    @classmethod
    def _deserialize(cls, json_data: Optional[Mapping[str, Any]]) -> Optional["_ResourceModel"]:
        if not json_data:
            return None
        dataclasses = {n: o for n, o in getmembers(sys.modules[__name__]) if isclass(o)}
        recast_object(cls, json_data, dataclasses)
        return cls(
            Title=json_data.get("Title"),
            Count=json_data.get("Count"),
            Ratio=json_data.get("Ratio"),
            Enabled=json_data.get("Enabled"),
            Memo=Memo._deserialize(json_data.get("Memo")),
            Tags=set_or_none(json_data.get("Tags")),
            Zones=set_or_none(json_data.get("Zones")),
            Authors=json_data.get("Authors"),
            Rules=deserialize_list(json_data.get("Rules"), Tag),
            Labels=json_data.get("Labels"),
            Limits=json_data.get("Limits"),
            Nested=json_data.get("Nested"),
            Blobs=set_or_none(json_data.get("Blobs")),
            Policy=json_data.get("Policy"),
        )


_ResourceModel = ResourceModel


@dataclass
class Memo(BaseModel):
    Heading: Optional[str]
    Marks: Optional[AbstractSet["_Tag"]]

    @classmethod
    def _deserialize(cls, json_data: Optional[Mapping[str, Any]]) -> Optional["_Memo"]:
        if not json_data:
            return None
        return cls(Heading=json_data.get("Heading"), Marks=set_or_none(json_data.get("Marks")))


_Memo = Memo


@dataclass
class Tag(BaseModel):
    Key: Optional[str]
    Value: Optional[str]

    @classmethod
    def _deserialize(cls, json_data: Optional[Mapping[str, Any]]) -> Optional["_Tag"]:
        if not json_data:
            return None
        return cls(Key=json_data.get("Key"), Value=json_data.get("Value"))


_Tag = Tag
