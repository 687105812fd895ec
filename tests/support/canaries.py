"""Values that are planted as secrets, and the search for them in everything that is written, in every encoding.

The search shares nothing with the masking: the recognisable part of a canary is letters and digits only, so that
escapes for JSON, URLs, HTML, XML or Python leave it as it is, and only base64, hexadecimal and UTF-16 hide it.
"""

import base64
import io
import itertools
import json
import re
import zipfile
from collections import defaultdict

_ARCHIVE = b"PK\x03\x04"
_DIGITS = "73019"
_BRIEF = re.compile(r"q(?<!\wq)[A-Z]\dj(?!\w)")  # begins with a letter to be found fast
_MARK = "CanaryZqxW"  # what each begins with, so that a search is for a few texts


class Canaries:
    """The canaries of one test: each is planted at one place, and tells it when it is found.

    A second set in the same test has another `first` number, hundreds away.
    """

    def __init__(self, first=10):
        self._numbers = itertools.count(first)
        self._letters = itertools.count(first + 90)
        self.places = {}  # what is searched for -> where it was planted
        self.brief = {}  # the same, of those too short to be searched for in sealed bytes

    def __len__(self):
        return len({place.rpartition(" #")[0] for place in (*self.places.values(), *self.brief.values())})

    def plant(self, place, shape="plain"):
        """A new secret value of a shape, for a place in words."""
        return getattr(self, f"_{shape}")(place)

    def _core(self, place):
        number = next(self._numbers)
        core = f"{_MARK}{number}K{number * 7919 % 9973:04d}v"
        self.places[core] = f"{place} #{len(self.places)}"
        return core

    def _plain(self, place):
        return self._core(place)

    def _quoted(self, place):
        """With everything that JSON, URLs, HTML and Python write otherwise."""
        return f"{self._core(place)}\"<&'\\/%+ ä€😀{self._core(place)}"

    def _lines(self, place):
        return f"-----BEGIN KEY-----\n{self._core(place)}{self._core(place)}\n{self._core(place)}\n-----END KEY-----\n"

    def _document(self, place):
        """A JSON document, whose parts are secrets too."""
        return json.dumps({"user": self._core(place), "inner": [{"password": self._core(place)}]})

    def _escapes(self, place):
        """With sequences that a terminal obeys."""
        return f"\x1b[31m{self._core(place)}\x1b[0m\x07"

    def _number(self, place):
        number = int(f"{_DIGITS}{next(self._numbers) * 7919 % 10_000:04d}")  # which Java's Integer holds
        self.places[str(number)] = f"{place} #{len(self.places)}"
        return number

    def _brief(self, place):
        """Four characters."""
        number = next(self._letters)
        text = f"q{chr(65 + number % 26)}{number % 10}j"
        self.brief[text] = f"{place} #{len(self.brief)}"
        return text

    def found(self, content, *, texts=True):
        """Where the canaries in `content` were planted; `texts`: it is read by people, and short ones count too."""
        content = content.encode() if isinstance(content, str) else content
        found = set()
        for mark in (_MARK, _DIGITS):
            # The forms of what begins with the mark begin with its forms: only those that occur are searched further.
            numbers = [number for number, form in enumerate(_forms(mark)) if form in content]
            if numbers:
                found |= {
                    place
                    for core, place in self.places.items()
                    if core.startswith(mark) and any(_forms(core)[number] in content for number in numbers)
                }
        if texts:
            text = content.decode(errors="replace")
            found |= {self.brief[each] for each in set(_BRIEF.findall(text)) & self.brief.keys()}
        if content.startswith(_ARCHIVE):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                found |= {place for name in archive.namelist() for place in self.found(archive.read(name), texts=texts)}
        return found


def _forms(text, _known={}):  # noqa: B006 - remembered
    if text not in _known:
        plain = text.encode()
        coded = [base64.b64encode(b"\0" * offset + plain) for offset in range(3)]
        inner = [each[(0, 2, 3)[offset] : len(each) // 4 * 4 - 4] for offset, each in enumerate(coded)]
        _known[text] = (plain, *inner, plain.hex().encode(), plain.hex().upper().encode(), text.encode("utf-16-le"))
    return _known[text]


class Leaks:
    """What was found, by place planted and place found; printed as a list."""

    def __init__(self, canaries, allowed=()):
        self._canaries = canaries
        self._allowed = allowed  # (pattern of where it was found, pattern of where it was planted, why)
        self._found = defaultdict(set)
        self.searched = 0

    def search(self, where, content, *, texts=True):
        """Search in what a place holds."""
        self.searched += 1
        for planted in self._canaries.found(content, texts=texts):
            name = planted.rpartition(" #")[0]
            if not any(re.search(at, where) and re.search(of, name) for at, of, _why in self._allowed):
                self._found[where].add(name)

    def search_files(self, root, *, skip=lambda _path: False):
        """Search in every file below a folder; databases and logs of them as bytes."""
        for path in sorted(root.rglob("*")):
            if path.is_file() and not path.is_symlink() and not skip(path):
                binary = ".db" in path.name
                self.search(f"file {path.relative_to(root)}", path.read_bytes(), texts=not binary)
                self.search(f"name of {path.relative_to(root)}", str(path.relative_to(root)))

    def __str__(self):
        return "\n".join(f"{where}\n    " + "\n    ".join(sorted(each)) for where, each in sorted(self._found.items()))

    def __bool__(self):
        return bool(self._found)
