"""The language-neutral types that code and documentation are generated from, and the naming they share."""

from formwork.model.build import SchemaLike, build_type_model
from formwork.model.naming import name_models, name_properties
from formwork.model.types import (
    AnyType,
    ListType,
    MapType,
    ModelType,
    ObjectModel,
    Property,
    Scalar,
    ScalarType,
    SetType,
    Type,
    TypeModel,
    UnionType,
    walk_type,
)

__all__ = [
    "AnyType",
    "ListType",
    "MapType",
    "ModelType",
    "ObjectModel",
    "Property",
    "Scalar",
    "ScalarType",
    "SchemaLike",
    "SetType",
    "Type",
    "TypeModel",
    "UnionType",
    "build_type_model",
    "name_models",
    "name_properties",
    "walk_type",
]
