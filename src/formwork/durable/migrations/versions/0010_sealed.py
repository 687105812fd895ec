"""Seals what older versions stored unencrypted: all columns with values, and messages that may repeat a value."""

from alembic import op

from formwork.durable.sealing_columns import seal_columns

revision = "0010"
down_revision = "0009"

# Table: (the columns of its key, the columns that are sealed).
_SEALED = {
    "engine_stack": (["id"], ["reason", "settings_json", "deployed_json", "outputs_json"]),
    "engine_resource": (
        ["stack_id", "logical_id"],
        ["reason", "declaration_json", "properties_json", "model_json", "drift_json"],
    ),
    "engine_leftover": (["id"], ["resource_json"]),
    "engine_event": (["number"], ["reason", "more_json"]),
    "engine_operation": (["id"], ["target_json"]),
    "engine_step": (["operation_id", "phase", "logical_id"], ["reason", "progress_json"]),
    "engine_change_set": (["id"], ["reason", "request_json", "target_json", "changes_json"]),
    "engine_drift_detection": (["id"], ["reason"]),
    "engine_request": (["token"], ["message", "progress_json"]),
    "engine_simulated": (["account", "region", "type", "identifier"], ["model_json"]),
    "engine_hook_result": (["number"], ["reason", "more_json"]),
    "engine_notice": (["number"], ["content"]),
    "engine_signal": (["number"], ["reason", "data"]),
    "engine_stack_set": (["id"], ["definition_json", "drift_json"]),
    "engine_stack_instance": (["stack_set_id", "account", "region"], ["instance_json"]),
    "engine_stack_set_operation": (["number"], ["more_json"]),
    "engine_stack_set_result": (["operation", "place"], ["result_json"]),
    "registry_version": (["type_id", "number"], ["test_description"]),
    "registry_configuration": (["account", "region", "kind", "name", "alias"], ["content"]),
    "registry_progress": (["id"], ["message", "model"]),
}


def upgrade() -> None:
    """Seal unencrypted texts, where the database has a key."""
    seal_columns(op.get_bind(), _SEALED)
