"""Models as `cfn generate` writes them: every kind of property once."""
# ruff: noqa: PLR0917 - a model has as many properties as its schema

from collections.abc import Mapping, MutableMapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Optional

from cloudformation_cli_python_lib.interface import BaseModel
from cloudformation_cli_python_lib.shapes import (
    Fields,
    Shape,
    anything,
    array_of,
    boolean,
    integer,
    map_of,
    model,
    number,
    set_of,
    string,
)


class ResourceModel(BaseModel):
    Name: str | None
    Count: int | None
    Ratio: float | None
    Enabled: bool | None
    Policy: Any | None
    Memo: Optional["Memo"]
    Tags: AbstractSet["Tag"] | None
    Zones: AbstractSet[str] | None
    Rules: Sequence["Tag"] | None
    Grid: Sequence[Sequence["Tag"]] | None
    Labels: MutableMapping[str, int] | None
    Limits: Sequence[MutableMapping[str, int]] | None
    Parent: Optional["ResourceModel"]
    None_: Optional["Memo"]

    def __init__(
        self,
        Name: str | None = None,
        Count: int | None = None,
        Ratio: float | None = None,
        Enabled: bool | None = None,
        Policy: Any | None = None,
        Memo: Optional["Memo"] = None,
        Tags: AbstractSet["Tag"] | None = None,
        Zones: AbstractSet[str] | None = None,
        Rules: Sequence["Tag"] | None = None,
        Grid: Sequence[Sequence["Tag"]] | None = None,
        Labels: MutableMapping[str, int] | None = None,
        Limits: Sequence[MutableMapping[str, int]] | None = None,
        Parent: Optional["ResourceModel"] = None,
        None_: Optional["Memo"] = None,
    ) -> None:
        self.Name = Name
        self.Count = Count
        self.Ratio = Ratio
        self.Enabled = Enabled
        self.Policy = Policy
        self.Memo = Memo
        self.Tags = Tags
        self.Zones = Zones
        self.Rules = Rules
        self.Grid = Grid
        self.Labels = Labels
        self.Limits = Limits
        self.Parent = Parent
        self.None_ = None_

    _wire_names: Mapping[str, str] = {"None_": "None"}

    @classmethod
    def _fields(cls) -> Fields:
        return {
            "Name": string,
            "Count": integer,
            "Ratio": number,
            "Enabled": boolean,
            "Policy": anything,
            "Memo": model(Memo),
            "Tags": set_of(model(Tag)),
            "Zones": set_of(string),
            "Rules": array_of(model(Tag)),
            "Grid": array_of(array_of(model(Tag))),
            "Labels": map_of(integer),
            "Limits": array_of(map_of(integer)),
            "Parent": model(ResourceModel),
            "None_": model(Memo),
        }


class Memo(BaseModel):
    Heading: str | None

    def __init__(self, Heading: str | None = None) -> None:
        self.Heading = Heading

    @classmethod
    def _fields(cls) -> Fields:
        return {"Heading": string}

    @classmethod
    def _additional_shape(cls) -> Shape[Any] | None:
        return anything


class Tag(BaseModel):
    Key: str | None
    Value: str | None

    def __init__(self, Key: str | None = None, Value: str | None = None) -> None:
        self.Key = Key
        self.Value = Value

    @classmethod
    def _fields(cls) -> Fields:
        return {"Key": string, "Value": string}
