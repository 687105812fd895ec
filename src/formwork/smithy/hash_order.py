"""Orders that the reference's output takes from its platform, where published schemas and messages show them."""

from collections.abc import Callable, Iterable

from formwork.smithy.shape_ids import namespace_of

_MASK = 0xFFFFFFFF


def string_hash(text: str) -> int:
    """Return the hash of a string on a Java platform, as an unsigned 32-bit number."""
    value = 0
    units = text.encode("utf-16-be", "surrogatepass")
    for index in range(0, len(units), 2):
        value = (31 * value + int.from_bytes(units[index : index + 2], "big")) & _MASK
    return value


def shape_id_hash(shape_id: str) -> int:
    """Return the hash that the reference gives the id of a root shape."""
    name = shape_id.partition("#")[2]
    return (17 + 31 * 31 * string_hash(namespace_of(shape_id)) + 17 * string_hash(name)) & _MASK


def hash_set_order(values: Iterable[str], *, hash_of: Callable[[str], int] = string_hash) -> list[str]:
    """Distinct values in the order in which a Java hash set, copied from a collection, gives them back."""
    distinct = list(dict.fromkeys(values))
    capacity = 1
    while capacity < max(int(len(distinct) / 0.75) + 1, 16):
        capacity *= 2
    buckets: dict[int, list[str]] = {}
    for value in distinct:
        spread = hash_of(value)
        buckets.setdefault((spread ^ (spread >> 16)) & (capacity - 1), []).append(value)
    return [value for bucket in sorted(buckets) for value in buckets[bucket]]
