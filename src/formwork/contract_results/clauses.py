"""Every clause of the handler contract: its id, its text, and its level (MUST, SHOULD).

Sources: the handler contract document (seed 003), the user guide's contract-test, error-code and ProgressEvent chapters
(seed 002), the schema documents (seeds 000, 004). What those leave to the incumbent is judged as it judges.
"""

from enum import StrEnum
from functools import cache

from msgspec import Struct

from formwork.extensions import ExtensionKind


class Level(StrEnum):
    """RFC 2119: a violated MUST fails the run, a violated SHOULD is a warning, a MAY is never judged."""

    MUST = "MUST"
    SHOULD = "SHOULD"
    MAY = "MAY"


class Clause(Struct, frozen=True):
    """One clause; `unprovable` says why nothing outside the handler can show it, None where something can.

    A practice (`practice.*`) is not a clause of the contract but good practice: only ever a warning.
    """

    id: str
    text: str
    level: Level
    unprovable: str | None = None

    @property
    def group(self) -> str:
        """`create` of `create.echo`."""
        return self.id.partition(".")[0]

    @property
    def is_practice(self) -> bool:
        """Whether it is a recommended practice that the contract does not require."""
        return self.group == "practice"


_MUST, _SHOULD, _MAY = Level.MUST, Level.SHOULD, Level.MAY

_ROWS = (
    ("event.status", "status is one of PENDING, IN_PROGRESS, SUCCESS, FAILED", _MUST),
    (
        "event.object",
        "the handler answers with a ProgressEvent object, not an unhandled error and not another JSON value",
        _MUST,
    ),
    (
        "event.time.cud",
        "create, update and delete answer each invocation within 60 s (2N under `--enforce-timeout N`)",
        _MUST,
    ),
    ("event.time.rl", "read and list answer within 30 s (N under `--enforce-timeout N`)", _MUST),
    (
        "event.shape",
        (
            "a returned model conforms to the schema: types, numeric, string, array and object keywords; "
            "undeclared properties are refused where additionalProperties is false; `required`, `dependencies`, "
            "`propertyNames`, and the conditional and boolean combinators are not judged"
        ),
        _MUST,
    ),
    (
        "event.identifier",
        (
            "every IN_PROGRESS and SUCCESS event of create and update carries a model with the primaryIdentifier;"
            " a FAILED event's model, where there is one, has it too. A FAILED create without a model is a "
            "violation only if a resource was left behind"
        ),
        _MUST,
    ),
    (
        "event.writeonly",
        (
            "no SUCCESS, read or list model contains a writeOnlyProperty; an IN_PROGRESS model may, since the "
            "service calls again with the model it got back"
        ),
        _MUST,
    ),
    ("event.null", "no returned model contains a property that is null", _MUST),
    ("event.failed.code", "FAILED carries an error code, and one of the documented ones", _MUST),
    ("event.failed.message", "FAILED carries a message", _MUST),
    (
        "event.failed.quiet",
        "FAILED has no positive callback delay (absent, 0 or negative) and no resourceModels",
        _MUST,
    ),
    ("event.failed.scope", "AlreadyExists comes from create only, NotUpdatable from update only", _MUST),
    ("event.success.quiet", "SUCCESS has no error code and no positive callback delay", _MUST),
    (
        "event.progress.quiet",
        (
            "IN_PROGRESS has no resourceModels; an error code there is allowed by the guide's ProgressEvent "
            "chapter and refused by the incumbent: a warning for resources, MUST NOT for hooks"
        ),
        _MUST,
    ),
    (
        "event.progress.ends",
        (
            "an operation reaches a terminal status within the handler's timeoutInMinutes; where the desired "
            "state can't be reached in that time it is FAILED with a code and a message"
        ),
        _MUST,
    ),
    ("event.delay", "a negative callback delay means: no re-invocation", _MUST),
    (
        "create.applied",
        "SUCCESS only after every requested property is applied: an immediate read shows them all",
        _MUST,
    ),
    ("create.echo", "the SUCCESS model holds every requested property, exactly, writeOnly ones aside", _MUST),
    (
        "create.complete",
        (
            "the SUCCESS model holds every property that has a value, defaults and readOnly ones too: the same "
            "properties as a read right after"
        ),
        _MUST,
    ),
    ("create.partial", "an IN_PROGRESS model holds what is set so far and nothing more", _SHOULD),
    ("create.read.primary", "a read by the primaryIdentifier alone succeeds afterwards", _MUST),
    ("create.read.additional", "a read by each additionalIdentifier alone succeeds afterwards", _MUST),
    ("create.list", "a complete list (all pages) contains the primaryIdentifier afterwards", _MUST),
    (
        "create.idempotent",
        (
            "the same request with the same client request token makes one resource, not two; a second call that "
            "ends FAILED is a warning, one that ends with another resource the violation"
        ),
        _MUST,
    ),
    (
        "create.exists",
        (
            "creating what exists already, with another token, is FAILED with AlreadyExists; not run where the "
            "primary or any additional identifier is readOnly"
        ),
        _MUST,
    ),
    ("create.one", "one create makes exactly one resource: the list grows by one", _MUST),
    ("create.readonly", "a readOnly property in the request is refused (any FAILED)", _SHOULD),
    ("create.runtime", "right after SUCCESS an update is not refused with ResourceConflict", _MAY),
    (
        "create.tags",
        "requested tags are applied, unless the schema says tagOnCreate false (the defaults are all true)",
        _MUST,
    ),
    (
        "tags.declared",
        "a type without tag support says `taggable: false`; a warning where `tagging` is absent altogether",
        _MUST,
    ),
    (
        "tags.system",
        "where cloudFormationSystemTags is true, create accepts `aws:`-prefixed tags from the service",
        _SHOULD,
    ),
    ("update.applied", "SUCCESS only after every requested property is applied: an immediate read shows them", _MUST),
    ("update.echo", "the SUCCESS model holds every requested property, exactly, writeOnly ones aside", _MUST),
    ("update.complete", "the SUCCESS model holds every property that has a value", _MUST),
    ("update.identity", "the primaryIdentifier in every event equals that of the request", _MUST),
    (
        "update.replace",
        (
            "lists and collections are replaced in full, never merged; what the request sets, nested objects too,"
            " comes back exactly"
        ),
        _MUST,
    ),
    ("update.dropped", "a property that the request leaves out is gone or back at its default", _SHOULD),
    ("update.partial", "an IN_PROGRESS model holds what is set so far and nothing more", _SHOULD),
    ("update.additional", "an update by each additionalIdentifier instead of the primary one succeeds", _MUST),
    ("update.missing", "updating what does not exist is FAILED with NotFound", _MUST),
    (
        "update.one",
        "no new physical resource: the list keeps its length, and readOnly identifiers (an Arn) stay",
        _MUST,
    ),
    (
        "update.createonly",
        (
            "a changed createOnly property outside the identifiers is refused (any FAILED, best NotUpdatable), "
            "and nothing changed"
        ),
        _SHOULD,
    ),
    ("update.list", "the updated resource is in the list", _MUST),
    ("update.tags", "changed and removed tags are applied, unless the schema says tagUpdatable false", _MUST),
    ("delete.minimal", "a delete by the primaryIdentifier alone succeeds", _MUST),
    ("delete.additional", "a delete by each additionalIdentifier alone succeeds", _MUST),
    ("delete.billing", "a deleted resource costs nothing more", _SHOULD, "costs cannot be seen from outside"),
    ("delete.empty", "the SUCCESS event has no model", _MUST),
    ("delete.missing", "deleting what does not exist is FAILED with NotFound; a second delete too", _MUST),
    ("delete.read", "a read afterwards is NotFound", _MUST),
    ("delete.update", "an update afterwards is NotFound", _MUST),
    ("delete.list", "a complete list afterwards lacks the primaryIdentifier", _MUST),
    ("delete.create", "a create with the same identifiers afterwards does not fail with AlreadyExists", _MUST),
    (
        "delete.progress",
        (
            "an IN_PROGRESS delete event carries a model with the primaryIdentifier (the service calls again with"
            " that model)"
        ),
        _MUST,
    ),
    ("delete.leak", "delete really deletes: the list is back at the length it had before the create", _MUST),
    ("read.final", "SUCCESS or FAILED, never IN_PROGRESS", _MUST),
    ("read.model", "SUCCESS carries a model", _MUST),
    ("read.complete", "the model holds every property that has a value: set, default and readOnly ones", _MUST),
    ("read.missing", "a read of what does not exist is FAILED with NotFound", _MUST),
    (
        "read.stable",
        ("two reads in a row return equal models, readOnly values aside (order counts where insertionOrder is true)"),
        _MUST,
    ),
    ("list.final", "SUCCESS or FAILED, never IN_PROGRESS", _MUST),
    ("list.array", "SUCCESS carries an array, an empty one where nothing exists", _MUST),
    ("list.identifiers", "each entry holds the primaryIdentifier", _MUST),
    ("list.readable", "each listed primaryIdentifier can be read without NotFound", _MUST),
    (
        "list.token",
        "the token returned fetches the next page: following tokens yields every resource once, none twice",
        _MUST,
    ),
    ("list.ends", "the token is null when all results are out: following tokens ends", _MUST),
    ("list.filter", "given properties filter with AND", _MAY),
    ("hook.success", "compliant input: SUCCESS, no error code (a callback delay other than 0: SHOULD NOT)", _MUST),
    (
        "hook.failed",
        (
            "non-compliant input: FAILED with an error code and a message; without invalid inputs or an overrides"
            ' INVALID key "not provable with these inputs": compliance can\'t be guessed from a schema'
        ),
        _MUST,
    ),
    ("hook.progress", "IN_PROGRESS has no error code and no result field", _MUST),
    ("hook.targets", "every handler answers for every target it names", _MUST),
    ("hook.time", "the handler answers each invocation within 30 s (N under `--enforce-timeout N`)", _MUST),
    ("hook.unknown", "a target it does not name is refused with an error, not passed", _SHOULD),
    (
        "permissions.missing",
        "each action of AWS that a handler uses is among its permissions in the schema, wildcards understood",
        _MUST,
    ),
    ("permissions.unused", "each permission of a handler is for an action that it uses", _SHOULD),
    ("permissions.broad", "no permission is for all actions of a service where it is known which are used", _SHOULD),
    ("practice.invalid", "invalid input is refused, though a handler may assume that its input is valid", _SHOULD),
    (
        "practice.redelivery",
        "a callback that is delivered a second time changes nothing: AWS Lambda promises delivery at least once",
        _SHOULD,
    ),
    (
        "faults.code",
        (
            "a handler that fails since a call failed says so by its error code: Throttling, ServiceInternalError,"
            " NetworkFailure, AccessDenied or InvalidCredentials"
        ),
        _MUST,
    ),
    ("faults.success", "SUCCESS is answered only where the operation was done, whichever call failed", _MUST),
    ("faults.once", "whichever call fails, and though the request comes again, nothing is made twice", _MUST),
    (
        "faults.leak",
        "what an operation made that then failed is gone after the delete of CloudFormation's rollback",
        _MUST,
    ),
    ("faults.lost", "what existed before an operation that failed still exists, and can be updated and deleted", _MUST),
    (
        "faults.recovery",
        "once a call does not fail any more, the same request with the same token succeeds (after a kill: SHOULD)",
        _MUST,
    ),
    ("faults.end", "each invocation answers, and the operation ends, though a call fails each time", _MUST),
    ("faults.secret", "the message of a failure contains no secret", _MUST),
)

CLAUSES: dict[str, Clause] = {row[0]: Clause(*row) for row in _ROWS}

# The clauses that apply to a hook besides `hook.*`: those of an answer as such.
_EVENTS_OF_HOOKS = frozenset(
    {"event.status", "event.object", "event.failed.code", "event.failed.quiet", "event.progress.ends", "event.delay"}
)


@cache
def clauses_of(kind: ExtensionKind) -> tuple[str, ...]:
    """Return the ids of the clauses that apply to a kind of extension, in order; a module has none.

    Those of handlers whose calls fail (`faults`) are not among them: they are judged by runs of their own.
    """
    match kind:
        case ExtensionKind.RESOURCE:
            return tuple(each for each in CLAUSES if not each.startswith(("hook.", "faults.")))
        case ExtensionKind.HOOK:
            return tuple(
                each for each in CLAUSES if each.startswith(("hook.", "permissions.")) or each in _EVENTS_OF_HOOKS
            )
        case _:
            return ()
