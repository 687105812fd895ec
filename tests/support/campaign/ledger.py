"""What the handlers of a type have made: a journal that only the handlers and the outside world write."""

import json
from collections import Counter


class Ledger:
    """A journal as a list of what there is."""

    def __init__(self, path):
        self.path = path

    def _entries(self):
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        return [json.loads(line) for line in lines]

    def live(self):
        """The models of what there is, by id."""
        live = {}
        for entry in self._entries():
            if entry.get("gone"):
                live.pop(entry["id"], None)
            else:
                live[entry["id"]] = entry["model"]
        return live

    def made_twice(self):
        """The tokens that made more than one thing."""
        made = Counter(entry["token"] for entry in self._entries() if "token" in entry)
        return sorted(token for token, number in made.items() if number > 1)

    def of(self, prefix):
        """The things whose names begin with a story's prefix: by id, as (name, colour)."""
        return {
            each: (model.get("Name"), model.get("Color"))
            for each, model in self.live().items()
            if str(model.get("Name", "")).startswith(f"{prefix}-")
        }

    def add_outside(self, identifier, name, color):
        """Have a thing that no stack made, unless it was added before."""
        if any(entry["id"] == identifier for entry in self._entries()):
            return
        entry = {"id": identifier, "model": {"Id": identifier, "Name": name, "Color": color}}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
