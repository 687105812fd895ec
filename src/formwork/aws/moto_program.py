"""A separate program: moto's server on a free loopback port, for as long as standard input stays open.

`python -I moto_program.py FOLDER...`, where the folders are the places to import from. It writes one line,
`ready PORT`, and ends when its standard input closes, as it does when the parent process ends (by `kill -9`, too).
"""

import contextlib
import io
import json
import logging
import os
import re
import sys
import threading
from typing import Any
from urllib.parse import parse_qs, unquote_to_bytes

MODELS = "/formwork/stack-models"
CONTENTS = "/formwork/contents"
_ACCOUNT = "123456789012"  # moto's, for keys that it did not make
_FORM = "application/x-www-form-urlencoded"  # what IAM and CloudFormation are asked in
_NAMED, _LISTED = b"iam::aws:policy/", b"Action=ListPolicies"
_loading = threading.Lock()
_NO_STATE = frozenset({"moto_api", "instance_metadata", "cloudtrail"})
_PARTITIONS = frozenset({"aws", "aws-cn", "aws-us-gov", "global"})
_DEPTH, _MANY = 2, 500


def _end_with_standard_input() -> None:
    while os.read(0, 1024):  # sys.stdin has a lock, which a failing start would meet at its end
        pass
    os._exit(0)  # no state to save, and requests that hang must not keep the process


def _with_models(application: Any) -> Any:
    """Return the application with two more paths: `CONTENTS` lists what exists, `MODELS` the types it can provision.

    With `stack=NAME&region=NAME&names=NAME,NAME`, `MODELS` answers the physical id and attributes of its resource.
    """

    def respond(environ: dict[str, Any], start_response: Any) -> Any:
        path = environ.get("PATH_INFO")
        if path not in (MODELS, CONTENTS):
            return application(environ, start_response)
        asked = {name: values[0] for name, values in parse_qs(environ.get("QUERY_STRING", "")).items()}
        found = _contents() if path == CONTENTS else _made(**asked) if asked else _models()
        body = json.dumps(found, default=str).encode()
        start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
        return [body]

    return respond


def _with_managed_policies(application: Any) -> Any:
    """Return the application; the first request that names or lists one of AWS's managed policies loads them.

    moto has over a thousand of them; its own setting for them would create them all at every reset.
    """

    def respond(environ: dict[str, Any], start_response: Any) -> Any:
        length = environ.get("CONTENT_LENGTH")
        if length and environ.get("CONTENT_TYPE", "").startswith(_FORM):
            body = environ["wsgi.input"].read(int(length))
            environ["wsgi.input"] = io.BytesIO(body)
            if _NAMED in unquote_to_bytes(body) or _LISTED in body:
                _load_managed_policies()
        return application(environ, start_response)

    return respond


def _load_managed_policies() -> None:
    """Give AWS's managed policies to each account's IAM that lacks them; nothing where moto keeps them elsewhere."""
    with contextlib.suppress(ImportError, AttributeError, TypeError), _loading:
        from moto.iam.aws_managed_policies import aws_managed_policies_data  # noqa: PLC0415 - 5 MB
        from moto.iam.models import AWSManagedPolicy, ManagedPolicy, iam_backends  # noqa: PLC0415

        backends = [
            iam_backends[_ACCOUNT]["aws"],
            *(each for account in iam_backends.values() for each in account.values()),
        ]
        for iam in (each for each in backends if not each.aws_managed_policies):
            made: list[ManagedPolicy] = [
                AWSManagedPolicy.from_data(name, iam.account_id, iam.region_name, data)
                for name, data in json.loads(aws_managed_policies_data).items()
            ]
            iam.managed_policies |= {each.arn: each for each in made}
            iam.aws_managed_policies = made


def _guarded(application: Any) -> Any:
    """Return the application, which web pages can't reach: moto itself answers every origin."""
    from formwork.request_guard import RequestGuard  # noqa: PLC0415 - after the path is set

    guard = RequestGuard()

    def respond(environ: dict[str, Any], start_response: Any) -> Any:
        headers = {
            name.removeprefix("HTTP_").replace("_", "-").lower(): value
            for name, value in environ.items()
            if name.startswith("HTTP_")
        }
        refusal = guard.refusal(headers)
        if refusal is None:
            return application(environ, start_response)
        body = json.dumps({"__type": "AccessDeniedException", "message": refusal}).encode()
        start_response("403 Forbidden", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
        return [body]

    return respond


def _models() -> dict[str, list[str]]:
    """Return type name to the actions that moto supports for it; {} if this release of moto keeps them elsewhere."""
    try:
        from moto.cloudformation.parsing import get_model_map  # noqa: PLC0415 - slow: it imports every service

        return {
            name: [action for action in ("update", "delete") if _has(model, action)]
            for name, model in get_model_map().items()
        }
    except Exception:  # noqa: BLE001 - whatever it is, moto has nothing to offer then
        return {}


def _made(stack: str, region: str, names: str = "") -> dict[str, Any]:
    """Return the one resource of a stack, without attributes that moto can't compute; {} if there is no resource."""
    try:
        from moto.cloudformation.models import cloudformation_backends  # noqa: PLC0415 - as above

        resources = cloudformation_backends[_ACCOUNT][region].get_stack(stack).resource_map
        made: Any = resources[next(iter(resources.resources))]
    except Exception:  # noqa: BLE001 - as above
        return {}
    if made is None:
        return {}
    found = {}
    for name in filter(None, names.split(",")):
        with contextlib.suppress(Exception):  # moto raises what comes to hand for attributes that it does not know
            found[name] = made.get_cfn_attribute(name)
        if name not in found:
            own = getattr(made, re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower(), None)
            if isinstance(own, str):
                found[name] = own
    return {"id": made.physical_resource_id, "attributes": found}


def _contents() -> dict[str, list[str]]:
    """Return the keys of all tables of the services that were called, nested tables included."""
    from moto.core.base_backend import BackendDict  # noqa: PLC0415 - after the path is set

    modules = [module for name, module in list(sys.modules.items()) if re.fullmatch(r"moto\.\w+\.models", name)]
    loaded = {id(each): each for module in modules for each in vars(module).values() if isinstance(each, BackendDict)}
    found: dict[str, list[str]] = {}
    for backends in loaded.values():
        if backends.service_name in _NO_STATE:
            continue
        for regions in list(backends.values()):
            for region, backend in list(regions.items()):
                within = "" if region in _PARTITIONS else f"{region}/"
                _add_tables(found, backends.service_name, within, backend, _DEPTH)
    return found


def _add_tables(found: dict[str, list[str]], place: str, within: str, holder: Any, depth: int) -> None:
    """Add the keys of each table among the attributes of `holder`, then those of the tables in its values."""
    for name, table in list(getattr(holder, "__dict__", {}).items()):
        if name.startswith("_") or not isinstance(table, dict):
            continue
        below = f"{place} {name}" if " " not in place else f"{place}.{name}"
        for key, value in list(table.items()):
            named = getattr(value, "name", key)
            label = key if named == key or not isinstance(named, str) else f"{named} ({key})"
            found.setdefault(below, []).append(f"{within}{label}")
            if depth and len(table) < _MANY and type(value).__module__.startswith("moto."):
                _add_tables(found, below, f"{within}{label}/", value, depth - 1)


def _has(model: Any, action: str) -> bool:
    if action == "delete" and hasattr(model, "delete"):
        return True
    return not hasattr(getattr(model, f"{action}_from_cloudformation_json"), "__isabstractmethod__")


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
    server = make_server("127.0.0.1", 0, _guarded(_with_models(_with_managed_policies(application))), threaded=True)
    sys.stdout.write(f"ready {server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    _main()
