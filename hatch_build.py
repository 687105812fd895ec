"""The build's hook: README's links made absolute, since the pages of package indexes have no files beside them."""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

_RELATIVE_LINK = re.compile(r"(?<=\]\()(?!https?://|#|mailto:)")


class ReadmeHook(MetadataHookInterface):
    """`readme` of the metadata, from README.md and the address in `[tool.hatch.metadata.hooks.custom]`."""

    def update(self, metadata: dict[str, object]) -> None:
        """Put the text in."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        absolute = _RELATIVE_LINK.sub(f"{self.config['source']}/blob/main/", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute}
