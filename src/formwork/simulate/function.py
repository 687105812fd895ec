"""The simulator as a Lambda function of its own.

A function needs a folder with a module that says which schema, for instance `main.py`:

    from pathlib import Path
    from formwork.simulate.function import simulate
    handler = simulate(Path(__file__).with_name("schema.json"))
"""

from pathlib import Path

from formwork.diagnostics import BadInputError
from formwork.schema import load_resource_schema
from formwork.simulate.simulator import Behaviour, Simulator


def simulate(schema: Path, *, behaviour: Behaviour | None = None, seed: int = 0) -> Simulator:
    """Return a handler function for the type in the file `schema`; its resources live as long as its process.

    Raises:
        BadInputError: the schema has errors.
    """
    loaded = load_resource_schema(schema)
    if loaded.schema is None:
        raise BadInputError(loaded.diagnostics)
    return Simulator(loaded.schema, behaviour, seed=seed)
