"""How ids are written in one namespace: as short as they resolve to the same shape."""

from collections.abc import Iterable

from formwork.smithy.model import Model
from formwork.smithy.shape_ids import PRELUDE, namespace_of


class Names:
    """Names in a file of one namespace; collects what the file has to `use`."""

    def __init__(self, model: Model, namespace: str) -> None:
        self._model = model
        self._namespace = namespace
        self._local = {shape.name for shape in model.shapes.values() if shape.namespace == namespace}
        self._prelude = {shape.name for shape in model.shapes.values() if shape.namespace == PRELUDE}
        self._uses: dict[str, str] = {}

    def short(self, shape_id: str) -> str:
        """Return the shortest text that resolves to `shape_id`."""
        root, dollar, member = shape_id.partition("$")
        return self._short_root(root) + dollar + member

    def _short_root(self, root: str) -> str:
        namespace, _, name = root.partition("#")
        if namespace == self._namespace:
            # A name that isn't defined here would be taken from the prelude.
            return name if name in self._local or name not in self._prelude else root
        if namespace == PRELUDE:
            return name if name not in self._local and root in self._model.shapes else root
        taken = self._uses.get(name)
        if name in self._local or name in self._prelude or taken not in (None, root):
            return root
        self._uses[name] = root
        return name

    def uses(self) -> Iterable[str]:
        """Return the ids to import, sorted."""
        return sorted(self._uses.values())

    def is_known(self, shape_id: str) -> bool:
        """Return whether the model has that shape or member, so that its id may be written bare."""
        return "#" in shape_id and self._model.get(shape_id) is not None and bool(namespace_of(shape_id))
