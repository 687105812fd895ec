"""Values of a schema from a seed: minimal, maximal, random and deliberately invalid ones."""

from formwork.instances.errors import UnsatisfiableError
from formwork.instances.generator import Extent, InstanceGenerator
from formwork.instances.invalid import InvalidInstance

__all__ = ["Extent", "InstanceGenerator", "InvalidInstance", "UnsatisfiableError"]
