"""The metadata of all files in one object."""

from collections.abc import Iterable, Iterator

from formwork.smithy.definitions import MetadataEntry, ModelFile
from formwork.smithy.events import Event, model_error
from formwork.smithy.nodes import Node, nodes_equal
from formwork.smithy.places import SourcePlace


def merge_metadata(files: Iterable[ModelFile]) -> tuple[dict[str, Node], dict[str, SourcePlace], list[Event]]:
    """Values and places by key; arrays of one key are concatenated, other values must be equal."""
    merged: dict[str, Node] = {}
    places: dict[str, SourcePlace] = {}
    events: list[Event] = []
    for entry in _entries(files):
        if entry.key not in merged:
            merged[entry.key], places[entry.key] = entry.value, entry.place
        elif places[entry.key] == entry.place:
            continue  # the same file, loaded twice
        elif isinstance(merged[entry.key], list) and isinstance(entry.value, list):
            merged[entry.key] = [*merged[entry.key], *entry.value]
        elif not nodes_equal(merged[entry.key], entry.value):
            message = (
                f"Metadata conflict for key `{entry.key}`. Defined in both `{entry.place}` and `{places[entry.key]}`"
            )
            events.append(model_error(message, place=entry.place))
    return merged, places, events


def _entries(files: Iterable[ModelFile]) -> Iterator[MetadataEntry]:
    return (entry for file in files for entry in file.metadata)
