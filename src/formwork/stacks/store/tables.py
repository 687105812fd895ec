"""The engine's tables; `durable/migrations` makes them, and a test compares the two.

Times are seconds since the epoch; columns named `…_json` hold JSON texts. What may repeat a value of a template, a
model or an answer is sealed; names, identifiers and statuses are not. Properties are stored as the template was
evaluated: they contain dynamic references unresolved.
"""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from formwork.durable.sealed_text import SealedText

metadata = MetaData()

stacks = Table(
    "engine_stack",
    metadata,
    Column("id", String(36), primary_key=True),  # the last part of the ARN
    Column("account", String(12), nullable=False),
    Column("region", String(32), nullable=False),
    Column("name", String(128), nullable=False),
    Column("live", Boolean),  # true until it is deleted, then null: names are unique among stacks that are not deleted
    Column("status", String(64), nullable=False),
    Column("reason", SealedText),
    Column("created", Float, nullable=False),
    Column("updated", Float),
    Column("deleted", Float),
    Column("settings_json", SealedText, nullable=False),  # StackSettings
    Column("deployed_json", SealedText),  # Deployment; null until the first one
    Column("outputs_json", SealedText, nullable=False),
    Column("policy", Text),
    Column("drift_status", String(16), nullable=False),
    Column("drift_checked", Float),
    Column("operation_id", String(36)),  # the operation that runs, or the last one
    UniqueConstraint("account", "region", "name", "live", name="engine_stack_name"),
    Index("engine_stack_listing", "account", "region", "created", "id"),
)

# Other names of stacks, deleted with the stacks.
aliases = Table(
    "engine_stack_alias",
    metadata,
    Column("account", String(12), nullable=False),
    Column("region", String(32), nullable=False),
    Column("alias", String(128), nullable=False),
    Column("stack_id", String(36), ForeignKey("engine_stack.id"), nullable=False),
    PrimaryKeyConstraint("account", "region", "alias", name="engine_stack_alias_key"),
    UniqueConstraint("stack_id", name="engine_stack_alias_stack"),
)

resources = Table(
    "engine_resource",
    metadata,
    Column("stack_id", String(36), ForeignKey("engine_stack.id"), nullable=False),
    Column("logical_id", String(255), nullable=False),
    Column("type", String(204), nullable=False),
    Column("physical_id", Text),
    Column("status", String(40), nullable=False),
    Column("reason", SealedText),
    Column("updated", Float, nullable=False),
    Column("declaration_json", SealedText, nullable=False),  # the resource in the processed template
    Column("properties_json", SealedText, nullable=False),
    Column("model_json", SealedText, nullable=False),  # as the last read returned it, without writeOnly properties
    Column("module_json", Text),
    Column("version", String(8)),  # the version of the registered type
    Column("drift_status", String(16), nullable=False),
    Column("drift_checked", Float),
    Column("drift_json", SealedText),
    PrimaryKeyConstraint("stack_id", "logical_id", name="engine_resource_key"),
)

# Physical resources that are no longer wanted, until the clean-up has removed them.
leftovers = Table(
    "engine_leftover",
    metadata,
    Column("id", String(120), primary_key=True),  # of operation, logical id and attempt: the same after a crash
    Column("stack_id", String(36), ForeignKey("engine_stack.id"), nullable=False),
    Column("logical_id", String(255), nullable=False),
    Column("number", Integer, nullable=False),
    Column("resource_json", SealedText, nullable=False),  # ResourceRecord
    Index("engine_leftover_stack", "stack_id", "number"),
)

events = Table(
    "engine_event",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(160), nullable=False),  # derived from what the event reports, so that a retry adds none
    Column("stack_id", String(36), ForeignKey("engine_stack.id"), nullable=False),
    Column("operation_id", String(36)),
    Column("time", Float, nullable=False),  # in whole milliseconds, unique in a stack
    Column("logical_id", String(255), nullable=False),
    Column("physical_id", Text),
    Column("type", String(204), nullable=False),
    Column("status", String(64), nullable=False),
    Column("reason", SealedText),
    Column("more_json", SealedText, nullable=False),  # EventDetails
    UniqueConstraint("id", name="engine_event_id"),
    Index("engine_event_time", "stack_id", "time", unique=True),
)

operations = Table(
    "engine_operation",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("stack_id", String(36), ForeignKey("engine_stack.id"), nullable=False),
    Column("kind", String(24), nullable=False),
    Column("token", String(128)),
    Column("request", String(64)),  # a digest of the request, to recognise the second use of a token
    Column("started", Float, nullable=False),
    Column("ended", Float),
    Column("target_json", SealedText),  # Deployment, of operations that deploy
    Column("options_json", SealedText, nullable=False),
    Column("cancelled", Boolean, nullable=False),
    Column("owner", String(64)),  # the executor that runs it; another one takes over when it is dead
    UniqueConstraint("stack_id", "token", name="engine_operation_token"),
    Index("engine_operation_stack", "stack_id", "started"),
)

# Steps of operations, one per resource and phase; a retry continues from them.
steps = Table(
    "engine_step",
    metadata,
    Column("operation_id", String(36), ForeignKey("engine_operation.id"), nullable=False),
    Column("phase", String(12), nullable=False),  # deploy, rollback, cleanup, delete
    Column("logical_id", String(255), nullable=False),
    Column("state", String(12), nullable=False),  # running, done, failed, cancelled
    Column("reason", SealedText),
    Column("progress_json", SealedText, nullable=False),
    PrimaryKeyConstraint("operation_id", "phase", "logical_id", name="engine_step_key"),
)

change_sets = Table(
    "engine_change_set",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("stack_id", String(36), ForeignKey("engine_stack.id"), nullable=False),
    Column("name", String(128), nullable=False),
    Column("status", String(24), nullable=False),
    Column("execution_status", String(24), nullable=False),
    Column("reason", SealedText),
    Column("created", Float, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("request_json", SealedText, nullable=False),
    Column("target_json", SealedText),
    Column("changes_json", SealedText, nullable=False),
    UniqueConstraint("stack_id", "name", name="engine_change_set_name"),
)

drift_detections = Table(
    "engine_drift_detection",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("stack_id", String(36), ForeignKey("engine_stack.id"), nullable=False),
    Column("status", String(24), nullable=False),
    Column("reason", SealedText),
    Column("drift_status", String(16), nullable=False),
    Column("drifted", Integer, nullable=False),
    Column("names_json", Text),  # the requested logical ids, null for all
    Column("started", Float, nullable=False),
)

# Cloud Control's requests.
requests = Table(
    "engine_request",
    metadata,
    Column("token", String(36), primary_key=True),
    Column("account", String(12), nullable=False),
    Column("region", String(32), nullable=False),
    Column("type", String(204), nullable=False),
    Column("operation", String(8), nullable=False),
    Column("status", String(20), nullable=False),
    Column("identifier", Text),
    Column("client_token", String(128)),
    Column("request", String(64), nullable=False),  # a digest of the request, to recognise the second use of a token
    Column("error_code", String(64)),
    Column("message", SealedText),
    Column("updated", Float, nullable=False),
    Column("progress_json", SealedText, nullable=False),
    UniqueConstraint("account", "region", "client_token", name="engine_request_client_token"),
    Index("engine_request_listing", "account", "region", "updated", "token"),
)

# Resources of types that no handler serves, as the simulator keeps them.
simulated = Table(
    "engine_simulated",
    metadata,
    Column("account", String(12), nullable=False),
    Column("region", String(32), nullable=False),
    Column("type", String(204), nullable=False),
    Column("identifier", String(512), nullable=False),
    Column("number", Integer, nullable=False),
    Column("token", String(128), nullable=False),
    Column("model_json", SealedText, nullable=False),
    PrimaryKeyConstraint("account", "region", "type", "identifier", name="engine_simulated_key"),
)

# Every invocation of a hook; `more_json` contains its target.
hook_results = Table(
    "engine_hook_result",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(36), nullable=False),
    Column("account", String(12), nullable=False),
    Column("region", String(32), nullable=False),
    Column("target_kind", String(16), nullable=False),
    Column("target_id", String(1600), nullable=False),
    Column("type_arn", String(1024), nullable=False),
    Column("status", String(32), nullable=False),
    Column("reason", SealedText),
    Column("invoked", Float, nullable=False),
    Column("more_json", SealedText, nullable=False),
    UniqueConstraint("id", name="engine_hook_result_id"),
    Index("engine_hook_result_listing", "account", "region", "number"),
    Index("engine_hook_result_type", "account", "region", "type_arn", "number"),
    Index("engine_hook_result_target", "account", "region", "target_kind", "target_id"),
)

# Notices, until they are delivered.
notices = Table(
    "engine_notice",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(36), nullable=False),
    Column("created", Float, nullable=False),
    Column("busy_until", Float, nullable=False),  # the process that delivers it has it alone until then
    Column("content", SealedText, nullable=False),
    UniqueConstraint("id", name="engine_notice_id"),
)

# Signals for resources: SignalResource, wait conditions, answers of custom resources.
signals = Table(
    "engine_signal",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("stack_id", String(36), ForeignKey("engine_stack.id"), nullable=False),
    Column("logical_id", String(255), nullable=False),
    Column("unique_id", String(255), nullable=False),
    Column("status", String(8), nullable=False),
    Column("time", Float, nullable=False),
    Column("reason", SealedText),
    Column("data", SealedText),
    UniqueConstraint("stack_id", "logical_id", "unique_id", name="engine_signal_key"),
)
