"""A program of its own: moto's server on a free loopback port, for as long as standard input stays open.

`python -I moto_program.py FOLDER...`, where the folders are the places to import from. It writes one line,
`ready PORT`, and ends when its standard input does, since whoever started it ended in whatever way (a `kill -9` too).
"""

import logging
import os
import sys
import threading


def _end_with_standard_input() -> None:
    while os.read(0, 1024):  # sys.stdin has a lock, which a failing start would meet at its end
        pass
    os._exit(0)  # no state to save, and requests that hang must not keep the process


def _main() -> None:
    threading.Thread(target=_end_with_standard_input, daemon=True).start()
    sys.path[:] = sys.argv[1:]
    from moto.moto_server.werkzeug_app import (  # noqa: PLC0415 - after the path is set
        DomainDispatcherApplication,
        create_backend_app,
    )
    from werkzeug.serving import make_server  # noqa: PLC0415 - comes with moto's server

    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # it logs each request
    application = DomainDispatcherApplication(create_backend_app)
    server = make_server("127.0.0.1", 0, application, threaded=True)
    sys.stdout.write(f"ready {server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    _main()
