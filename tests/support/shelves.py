"""A type, a hook and a module for acceptance tests, as plain Python classes."""

from typing import ClassVar

from formwork.testing import HandlerFailure, HookFailure

SCHEMA = {
    "typeName": "Acme::Books::Shelf",
    "description": "A shelf of books.",
    "properties": {
        "Name": {"type": "string"},
        "Size": {"type": "integer"},
        "Label": {"type": "string"},
        "Arn": {"type": "string"},
    },
    "required": ["Name"],
    "createOnlyProperties": ["/properties/Name"],
    "readOnlyProperties": ["/properties/Arn"],
    "primaryIdentifier": ["/properties/Name"],
}

TEMPLATE = """
Parameters:
  Name: {Type: String, Default: novels}
  Size: {Type: Number, Default: 1}
Resources:
  Shelf:
    Type: Acme::Books::Shelf
    Properties: {Name: !Ref Name, Size: !Ref Size}
  News:
    Type: AWS::SNS::Topic
    Properties: {DisplayName: !Ref Shelf}
Outputs:
  Arn: {Value: !GetAtt Shelf.Arn, Export: {Name: shelf-arn}}
"""


class Shelf:
    """A shelf, kept in memory."""

    schema = SCHEMA

    def __init__(self):
        self.kept = {}

    def create(self, model):
        if model["Name"] in self.kept:
            raise HandlerFailure("AlreadyExists", f"{model['Name']} is there")
        return self.keep(model)

    def keep(self, model):
        self.kept[model["Name"]] = {**model, "Arn": f"arn:acme:{model['Name']}"}
        return self.kept[model["Name"]]

    def find(self, model):
        if model["Name"] not in self.kept:
            raise HandlerFailure("NotFound", f"{model['Name']} is not there")
        return self.kept[model["Name"]]

    def read(self, model):
        return self.find(model)

    def update(self, model, previous):
        self.find(model)
        return self.keep(model)

    def delete(self, model):
        self.find(model)
        del self.kept[model["Name"]]

    def list(self, model):
        return list(self.kept.values())


class SmallShelves:
    """Shelves have at most ten books."""

    type_name = "Acme::Books::SmallShelves"
    targets = ("Acme::Books::Shelf",)
    configuration: ClassVar = {"Most": {"type": "integer"}}

    def pre_create(self, call):
        most = int(call.configuration.get("Most", 10))
        if int(call.properties.get("Size", 0)) > most:
            raise HookFailure(f"{call.logical_id} has more than {most} books")

    pre_update = pre_create
