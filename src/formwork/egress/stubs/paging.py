"""Pages of lists, as the parameters of an operation ask for them and its responses describe them.

The name of a parameter says what it is: a size (`limit`, `per_page`, `maxResults`), a page's number, an offset, an
opaque cursor (`nextToken`, `cursor`), or the id of the last item (`starting_after`).
"""

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

from msgspec import Struct

from formwork.egress.stubs.envelopes import is_object
from formwork.egress.stubs.names import NAMES, plain
from formwork.egress.stubs.operations import ApiOperation, ApiParameter
from formwork.egress.stubs.refusals import RefusalError
from formwork.egress.stubs.schemas import ClosedSchema

_USUAL_SIZE = 100
_CURSOR_MARK = "after:"
_MEMBERS = {each: frozenset(names) for each, names in NAMES["pages"].items()}


class ListPage(Struct, frozen=True):
    """A page of a list: `items` of `total`; `following` are the query's parameters of the next page, None for the last.

    `token` is the cursor in them, and `last` the id that a cursor by id is.
    """

    items: Sequence[tuple[str, Any]]
    total: int
    number: int
    size: int
    start: int
    following: Mapping[str, str] | None
    token: str | None

    @property
    def pages(self) -> int:
        """How many pages there are; at least one."""
        return max(1, -(-self.total // max(self.size, 1)))


def take_page(operation: ApiOperation, query: Mapping[str, Any], items: Sequence[tuple[str, Any]]) -> ListPage:
    """Return the page of `items` (key and value) that the parameters ask for; everything where none is declared.

    Raises:
        RefusalError: a cursor that no page had.
    """
    by_role = {role: each for each in reversed(operation.parameters) if (role := _role(each)) is not None}
    paged = by_role.keys() - {"size"}
    size = _size(by_role.get("size"), query) if by_role.keys() >= {"size"} or paged else max(len(items), 1)
    if "size" in by_role and not paged:
        return ListPage(items[:size], len(items), 1, size, 0, None, None)
    start, number = _start(by_role, query, items, size)
    end = start + size
    following, token = None, None
    if end < len(items):
        following, token = _following(by_role, query, number + 1, end, items[end - 1][0])
    return ListPage(items[start:end], len(items), number, size, start, following, token)


def _role(parameter: ApiParameter) -> str | None:
    if parameter.place != "query":
        return None
    name = plain(parameter.name)
    return next((role for role, names in NAMES["parameters"].items() if name in names), None)


def _size(parameter: ApiParameter | None, query: Mapping[str, Any]) -> int:
    if parameter is None:
        return _USUAL_SIZE
    merged = parameter.schema.merged(parameter.schema.root)
    for value in (query.get(parameter.name), merged.get("default"), merged.get("maximum"), _USUAL_SIZE):
        if isinstance(value, int | float) and not isinstance(value, bool) and value >= 1:
            return int(min(value, 10**6))
    return _USUAL_SIZE


def _first_number(parameter: ApiParameter) -> int:
    merged = parameter.schema.merged(parameter.schema.root)
    return 0 if 0 in (merged.get("minimum"), merged.get("default")) else 1


def _start(
    by_role: Mapping[str, ApiParameter], query: Mapping[str, Any], items: Sequence[tuple[str, Any]], size: int
) -> tuple[int, int]:
    """Return the index of the first item and the number of its page."""
    for role in ("cursor", "last"):
        value = query.get(by_role[role].name) if role in by_role else None
        if value not in (None, ""):
            key = _key_of(str(value)) if role == "cursor" else str(value)
            at = next((index for index, (own, _) in enumerate(items) if own == key), None)
            if at is None:
                raise RefusalError((400, 422), f'query parameter "{by_role[role].name}": "{value}" was in no page')
            return at + 1, (at + 1) // size + 1
    offset = _whole(query.get(by_role["offset"].name)) if "offset" in by_role else None
    if offset is not None:
        return max(offset, 0), max(offset, 0) // size + 1
    number = _whole(query.get(by_role["number"].name)) if "number" in by_role else None
    if number is not None:
        first = _first_number(by_role["number"])
        return max(number - first, 0) * size, max(number, first)
    return 0, _first_number(by_role["number"]) if "number" in by_role else 1


def _whole(value: Any) -> int | None:
    if isinstance(value, str) and value.isdecimal():
        return int(value[:9])
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 10**9 else None


def _following(
    by_role: Mapping[str, ApiParameter], query: Mapping[str, Any], number: int, end: int, key: str
) -> tuple[dict[str, str] | None, str | None]:
    sent = {each.name for each in by_role.values() if each.name in query}
    roles = sorted(by_role.keys() - {"size"}, key=lambda role: (by_role[role].name not in sent, role != "cursor"))
    values = {"cursor": _cursor(key), "last": key, "offset": str(end), "number": str(number)}
    token = next((values[role] for role in roles), None)
    return ({by_role[roles[0]].name: values[roles[0]]}, token) if roles else (None, None)


def _cursor(key: str) -> str:
    return base64.urlsafe_b64encode(f"{_CURSOR_MARK}{key}".encode()).decode().rstrip("=")


def _key_of(cursor: str) -> str:
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except (binascii.Error, ValueError):
        return cursor
    return text.removeprefix(_CURSOR_MARK)


def next_url(page: ListPage, address: str, query: str) -> str | None:
    """Return the URL of the next page, given that of the list without its query; None for the last page."""
    if page.following is None:
        return None
    kept = [(name, value) for name, value in parse_qsl(query, keep_blank_values=True) if name not in page.following]
    return f"{address}?{urlencode([*kept, *page.following.items()])}"


def page_members(schema: ClosedSchema, node: Any, page: ListPage, url: str | None, address: str) -> dict[str, Any]:
    """Return the members of a list's body about the page, as far as the schema declares them."""
    made: dict[str, Any] = {}
    for name, sub in schema.properties(node).items():
        known, merged = plain(name), schema.merged(sub)
        if known in _MEMBERS["parts"] and is_object(schema, sub):
            made[name] = page_members(schema, sub, page, url, address)
            continue
        if known in _MEMBERS["parts"] and "array" in merged.get("type", ()):
            made[name] = _links(schema, merged.get("items", {}), url, address)
            continue
        types = merged.get("type", ("string",))
        value = next(_values(known, types, merged.get("format"), page, url), None)
        if value is not None:
            made[name] = value
        elif known in _MEMBERS["next"] | _MEMBERS["next_link"] | _MEMBERS["previous"] and "null" in types:
            made[name] = None
    return made


def _values(known: str, types: Sequence[str], form: Any, page: ListPage, url: str | None) -> Iterator[Any]:
    shown = {"total": page.total, "count": len(page.items), "pages": page.pages}
    sent = {"size": page.size, "number": page.number, "offset": page.start}
    numbers = {name: value for part, value in shown.items() for name in _MEMBERS[part]}
    numbers |= {name: value for role, value in sent.items() for name in NAMES["parameters"][role]}
    if known in _MEMBERS["next"] and "string" in types and page.token is not None:
        yield (
            url
            if form in ("uri", "url", "uri-reference") or (known == "next" and page.token.isdecimal())
            else page.token
        )
    elif (
        known in _MEMBERS["next"]
        and {"integer", "number"} & set(types)
        and page.token is not None
        and page.token.isdecimal()
    ):
        yield int(page.token)
    elif known in _MEMBERS["next_link"] and "string" in types and url is not None:
        yield url
    elif known in _MEMBERS["more"] and "boolean" in types:
        yield page.following is not None
    elif known in numbers and {"integer", "number"} & set(types):
        yield numbers[known]


def _links(schema: ClosedSchema, node: Any, url: str | None, address: str) -> list[dict[str, str]]:
    declared = schema.properties(node)
    if not {"rel", "href"} <= declared.keys():
        return []
    shown = [("self", address), *([("next", url)] if url is not None else [])]
    return [{"rel": relation, "href": href} for relation, href in shown]
