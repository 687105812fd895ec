"""A template with one resource of a type, as a start: its values are valid, and made up."""

from formwork.instances import InstanceGenerator, UnsatisfiableError
from formwork.schema import ResourceSchema
from formwork.template import render_yaml


def example_template(schema: ResourceSchema) -> str | None:
    """Return a template with what the type requires and nothing more, None where no valid model was found."""
    try:
        properties = InstanceGenerator(schema).minimal()
    except UnsatisfiableError:
        return None
    name = "My" + "".join(each for each in schema.type_name.rpartition("::")[2] if each.isascii() and each.isalnum())
    resource = {"Type": schema.type_name, **({"Properties": properties} if properties else {})}
    return render_yaml({"Resources": {name: resource}})
