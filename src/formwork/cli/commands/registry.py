"""Look at the types in a registry, and change them: on this machine (--local) or in your AWS account.

TYPE is a name or an ARN; in a project's folder it may be left out. Each VERB is one operation of CloudFormation's API,
or a few of them.
"""

import argparse
from collections.abc import Callable

from formwork.cli.registry_verbs.naming import add_type_arguments, parse_version
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import RegistryTarget, add_target_arguments, reach_registry

Verb = Callable[[RegistryTarget, argparse.Namespace, CommandOutput], int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verbs of `cfn registry` and their options."""
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    _add_looking(verbs)
    _add_changing(verbs)
    _add_publishing(verbs)


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Do what the verb says."""
    verb = _verb(arguments.verb)
    with reach_registry(arguments, output) as target:
        return verb(target, arguments, output)


def _verb(name: str) -> Verb:
    from formwork.cli.registry_verbs import changing, looking, publishing

    verbs: dict[str, Verb] = {
        "list": looking.list_types,
        "describe": looking.describe_type,
        "versions": looking.list_versions,
        "logs": looking.show_logs,
        "set-default": changing.set_default,
        "deregister": changing.deregister,
        "configure": changing.configure,
        "activate": changing.activate,
        "deactivate": changing.deactivate,
        "test": publishing.test_type,
        "publish": publishing.publish_type,
    }
    return verbs[name]


def _add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, summary: str
) -> argparse.ArgumentParser:
    verb = verbs.add_parser(name, help=summary, description=summary)
    add_target_arguments(verb)
    return verb


def _add_format(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--format", choices=("text", "json"), default="text", help="how to show it (default: text)")


def _add_looking(verbs: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    listing = _add(verbs, "list", "list types")
    listing.add_argument("--visibility", choices=["private", "public"], default="private", help="default: private")
    listing.add_argument("--kind", choices=["resource", "hook", "module"], help="only types of this kind")
    listing.add_argument("--prefix", metavar="TEXT", help="only types whose name begins with this")
    listing.add_argument(
        "--category",
        choices=["registered", "activated", "third-party", "aws-types"],
        help="only types of this category",
    )
    listing.add_argument("--deprecated", action="store_true", help="types that have been deregistered")
    _add_format(listing)
    describe = _add(verbs, "describe", "describe a type or one of its versions")
    add_type_arguments(describe, version="this version (default: the default one)")
    describe.add_argument("--schema", action="store_true", help="print its schema, and nothing else")
    _add_format(describe)
    versions = _add(verbs, "versions", "list the versions of a type")
    add_type_arguments(versions)
    versions.add_argument("--deprecated", action="store_true", help="versions that have been deregistered")
    _add_format(versions)
    logs = _add(verbs, "logs", "show what a type's handlers wrote")
    add_type_arguments(logs)
    logs.add_argument("--group", metavar="NAME", help="log groups whose name begins with this (default: those of TYPE)")
    logs.add_argument("--stream", metavar="NAME", help="only streams whose name begins with this")
    logs.add_argument("--lines", metavar="N", type=_count, default=200, help="the last N lines (default: 200)")
    _add_format(logs)


def _add_changing(verbs: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    default = _add(verbs, "set-default", "make a version the default one")
    add_type_arguments(default)
    default.add_argument("version_id", metavar="VERSION", type=parse_version, help="3, or 00000003")
    deregister = _add(verbs, "deregister", "deregister a version, or a type with its last version")
    add_type_arguments(deregister, version="this version only")
    deregister.add_argument("--all", action="store_true", help="the type with all its versions")
    configure = _add(verbs, "configure", "set the configuration of a type; without a FILE show it, values masked")
    add_type_arguments(configure)
    configure.add_argument("--file", metavar="FILE", help="the configuration, a JSON document; - is standard input")
    configure.add_argument("--alias", metavar="NAME", help="the configuration's alias (default: default)")
    _add_format(configure)
    activate = _add(verbs, "activate", "make a public type usable in this account and Region")
    activate.add_argument("type", metavar="TYPE", help="the ARN of a public type, or its name with --publisher")
    activate.add_argument("--kind", choices=["resource", "hook", "module"], help="what TYPE is (default: resource)")
    activate.add_argument("--publisher", metavar="ID", help="who published it")
    activate.add_argument("--alias", metavar="NAME", help="the name of the type in this account (default: its own)")
    activate.add_argument("--major", metavar="N", type=int, help="a major version (default: the latest)")
    activate.add_argument("--no-auto-update", action="store_true", help="do not follow new versions")
    activate.add_argument("--role-arn", metavar="ARN", help="the role that the handlers are called with")
    deactivate = _add(verbs, "deactivate", "make a public type unusable again")
    add_type_arguments(deactivate)


def _add_publishing(verbs: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    test = _add(verbs, "test", "run the contract tests of a registered version")
    add_type_arguments(test, version="this version (default: the default one)")
    test.add_argument("--log-bucket", metavar="NAME", help="a bucket for the logs")
    test.add_argument("--no-wait", action="store_true", help="start the tests without waiting for them")
    publish = _add(verbs, "publish", "make the default version public")
    add_type_arguments(publish)
    publish.add_argument("--public-version", metavar="X.Y.Z", help="its version number (default: the next minor one)")
    publish.add_argument("--accept-terms", action="store_true", help="register as a publisher, accepting the terms")


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f'"{text}" is not a number of lines')
    return int(text)
