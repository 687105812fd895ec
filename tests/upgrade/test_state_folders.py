"""State folders that earlier code was stopped in, in every stage of its work, are opened and brought to their ends."""

import json

import pytest

from support.states.picture import complaints, take_picture, wait_for_rest
from support.states.stored import FOLDER, load, picture_of
from support.states.stories import CHILD_TEMPLATE, STORIES
from support.states.world import CHILD, open_world


def resume(name, folder, url=None):
    """What there is in the end, and what must never be."""
    story = STORIES[name]
    load(name, folder, url)
    with open_world(folder, url, hooks=story.hooks, later=story.later) as world:
        world.templates[CHILD] = CHILD_TEMPLATE
        story.then(world)
        wait_for_rest(world)
        return take_picture(world), complaints(world)


def check(name, found):
    picture, wrong = found
    assert not wrong, wrong
    wanted = picture_of(name)
    assert json.dumps(picture, indent=1, sort_keys=True) == json.dumps(wanted, indent=1, sort_keys=True)


@pytest.mark.parametrize("name", STORIES)
def test_sqlite(tmp_path, name):
    check(name, resume(name, tmp_path))


# On PostgreSQL each costs a database of its own: every fourth is in the default tests.
_ON_POSTGRESQL = [
    pytest.param(name, marks=[pytest.mark.slow] if number % 4 else []) for number, name in enumerate(STORIES)
]


@pytest.mark.parametrize("name", _ON_POSTGRESQL)
def test_postgresql(tmp_path, make_database, name):
    check(name, resume(name, tmp_path, make_database()))


def test_every_story_is_stored():
    for kind in ("sqlite", "postgresql"):
        stored = {each.name.removesuffix(".sql.gz") for each in (FOLDER / kind).glob("*.sql.gz")}
        assert stored == {"tables", *STORIES}
    assert {each.stem for each in (FOLDER / "ends").iterdir()} == set(STORIES)
