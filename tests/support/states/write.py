"""Write the stored states with the code as it is: `python -m support.states.write [--keep-ends] [NAME…]`.

Each story is lived twice: without being stopped, which shows how it must end, and by a process that kills itself, whose
state is kept. Names that have a state already are left as they are, unless they are given.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from support.postgres import running_server
from support.states.picture import complaints, take_picture, wait_for_rest
from support.states.stored import FOLDER, KINDS, path_of, put_key, store, write_picture
from support.states.stories import CHILD_TEMPLATE, STORIES
from support.states.world import CHILD, Seen, open_world


def main(arguments):
    parser = argparse.ArgumentParser(description="Write the stored states.")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--keep-ends", action="store_true", help="leave the ends of the stories as they are stored")
    given = parser.parse_args(arguments)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with running_server() as make_database:
        for name in given.names or STORIES:
            missing = [kind for kind in KINDS if given.names or not path_of(kind, name).exists()]
            if not missing:
                continue
            if not given.keep_ends:
                with tempfile.TemporaryDirectory() as folder:
                    _live_to_the_end(name, Path(folder))
            for kind in missing:
                with tempfile.TemporaryDirectory() as folder:
                    _stop(name, Path(folder), make_database() if kind == "postgresql" else None)
            sys.stdout.write(f"{name}\n")
            sys.stdout.flush()


def _live_to_the_end(name, folder):
    story = STORIES[name]
    put_key(folder)
    with open_world(folder, hooks=story.hooks) as world:
        _live_before(world, story)
        story.stop.arm(world, dies=False)
        story.last(world)
        if isinstance(story.stop, Seen):
            story.stop.wait(world)
        story.then(world)
        wait_for_rest(world)
        assert not complaints(world), complaints(world)
        write_picture(name, take_picture(world))


def _live_before(world, story):
    world.templates[CHILD] = CHILD_TEMPLATE
    for act in story.before:
        act(world)
        wait_for_rest(world)


def _stop(name, folder, url):
    put_key(folder)
    command = [sys.executable, "-c", f"from support.states.write import live; live({name!r}, {str(folder)!r}, {url!r})"]
    done = subprocess.run(command, env=os.environ, timeout=60, check=False)
    assert done.returncode == -9, f"{name} was not stopped: {done.returncode}"
    store(name, folder, url)


def live(name, folder, url):
    """A process that lives a story until it stops itself."""
    story = STORIES[name]
    with open_world(Path(folder), url, hooks=story.hooks) as world:
        _live_before(world, story)
        story.stop.arm(world)
        story.last(world)
        wait_for_rest(world)


if __name__ == "__main__":
    main(sys.argv[1:])
