"""The multi-module build ("reactor") that a Java project is a module of, and what it is built from outside its folder.

The words are Maven's: an aggregator lists `<modules>`, relative to its own folder, which Maven 4 calls `<subprojects>`;
`-pl MODULE -am` builds one with those that it needs. Modules that a profile lists are there where it is active.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from formwork.documents.pom import POM, pom_and_parents, pom_at, read_pom

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_SETTINGS = ".mvn"
_LISTS = ("modules/module", "subprojects/subproject")


class Reactor(Struct, frozen=True):
    """The multi-module build of a module: `aggregators` are the files that list it, from the nearest to the root's."""

    project: Path
    aggregators: tuple[Path, ...]

    @property
    def root(self) -> Path:
        """The folder of the outermost aggregator."""
        return self.aggregators[-1].parent

    @property
    def options(self) -> tuple[str, ...]:
        """Return Maven's options: build the project's module, and before it those that it needs."""
        module = ("-f", self.aggregators[-1].name, "-pl", os.path.relpath(self.project, self.root), "-am")
        return (*module, "-P", ",".join(self._profiles)) if self._profiles else module

    @property
    def _profiles(self) -> tuple[str, ...]:
        """The profiles without which an aggregator does not have the module, or the aggregator below it."""
        below = ((self.project / POM).resolve(), *self.aggregators)
        found = (_profile(above, each) for each, above in zip(below, self.aggregators, strict=False))
        return tuple(dict.fromkeys(filter(None, found)))


def find_reactor(project: Path) -> Reactor | None:
    """Return the reactor of the project in the folder `project`; None where no aggregator around it lists it.

    Aggregators are looked for among the project's parents and in the folders above it.
    """
    chain = [(project / POM).resolve()]
    while (above := _aggregator(chain[-1])) is not None and above not in chain:
        chain.append(above)
    return Reactor(project.resolve(), tuple(chain[1:])) if chain[1:] else None


def outside_inputs(project: Path, names: Sequence[str]) -> tuple[Path, ...]:
    """Return the files outside of the folder `project` that its build depends on.

    These are its parents and, in a reactor, the aggregators, Maven's settings, and for each module that is built before
    it the parents, the schemas, and the files that `names` lists for every project.
    """
    own = project / POM
    found = dict.fromkeys(_parents(own))
    reactor = find_reactor(project)
    if reactor is not None:
        found |= dict.fromkeys((*reactor.aggregators, reactor.root / _SETTINGS))
        for pom in _needed(own.resolve(), reactor):
            folder = pom.parent
            found |= dict.fromkeys((pom, *(folder / each for each in names), *sorted(folder.glob("*.json"))))
            found |= dict.fromkeys(_parents(pom))
    return tuple(found)


def _aggregator(pom: Path) -> Path | None:
    """Return the file that lists `pom` as a module."""
    above = (folder / POM for folder in pom.parent.parents)
    return next((each for each in (*_parents(pom), *above) if pom in _modules(each)), None)


def _modules(pom: Path) -> Iterator[Path]:
    """Yield the modules that the file lists, those of its profiles too."""
    tree = read_pom(pom)
    if tree is not None:
        for each in (tree, *tree.iterfind("profiles/profile")):
            yield from _listed(pom, each)


def _listed(pom: Path, lists: "Element") -> Iterator[Path]:
    for each in (found for name in _LISTS for found in lists.iterfind(name)):
        yield pom_at(pom.parent / (each.text or "").strip()).resolve()


def _profile(pom: Path, module: Path) -> str | None:
    """Return the profile of the file that has to be named for `module`; None where the module is there without."""
    tree = read_pom(pom)
    if tree is None or module in _listed(pom, tree):
        return None
    profiles = [each for each in tree.iterfind("profiles/profile") if module in _listed(pom, each)]
    if any(each.findtext("activation/activeByDefault", "").strip() == "true" for each in profiles):
        return None
    return next((each.findtext("id", "").strip() for each in profiles), None)


def _parents(pom: Path) -> list[Path]:
    return [path.resolve() for path, _ in pom_and_parents(pom)][1:]


def _needed(own: Path, reactor: Reactor) -> Iterator[Path]:
    """Yield the modules that are built before `own`.

    Whatever one names by its artifactId counts: dependencies, managed ones and plugins, its own and its parents'.
    """
    modules = {pom: tree.findtext("artifactId", "").strip() for pom, tree in _all_modules(reactor)}
    seen, ahead = {own}, [own]
    while ahead:
        trees = [tree for _, tree in pom_and_parents(ahead.pop())]
        named = {(each.text or "").strip() for tree in trees for each in tree.iter("artifactId")}
        new = {pom for pom, name in modules.items() if name in named} - seen
        seen |= new
        ahead += new
        yield from sorted(new)


def _all_modules(reactor: Reactor) -> "Iterator[tuple[Path, Element]]":
    seen, ahead = set[Path](), [reactor.aggregators[-1]]
    while ahead:
        pom = ahead.pop()
        tree = read_pom(pom)
        if pom not in seen and tree is not None:
            seen.add(pom)
            ahead += _modules(pom)
            yield pom, tree
