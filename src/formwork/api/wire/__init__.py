"""AWS's wire protocols, driven by botocore's service models: requests to values, values to responses, errors.

It knows shapes and nothing of what an operation does.

The reasons are in docs/decisions/0901.
"""

from formwork.api.wire.constraints import check_constraints
from formwork.api.wire.errors import ApiError, unknown_operation, validation_error
from formwork.api.wire.json10 import parse_json_request, render_json_error, render_json_response
from formwork.api.wire.query import parse_query_request, render_query_error, render_query_response
from formwork.api.wire.services import Protocol, Service, load_service

__all__ = [
    "ApiError",
    "Protocol",
    "Service",
    "check_constraints",
    "load_service",
    "parse_json_request",
    "parse_query_request",
    "render_json_error",
    "render_json_response",
    "render_query_error",
    "render_query_response",
    "unknown_operation",
    "validation_error",
]
