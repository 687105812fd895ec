"""The words of handlers' answers: statuses and error codes."""

STATUSES = ("PENDING", "IN_PROGRESS", "SUCCESS", "FAILED")
# A hook on a change set says with it that the stack's operation need not be looked at.
SKIP_STACK_HOOK = "CHANGE_SET_SUCCESS_SKIP_STACK_HOOK"
# The codes of the handler library's `interface`, written out since what is installed under its name may be another's;
# a test compares them. The last two are of newer runtimes, and the Python library has no names for them.
ERROR_CODES = frozenset(
    {
        "NotUpdatable",
        "InvalidRequest",
        "AccessDenied",
        "InvalidCredentials",
        "AlreadyExists",
        "NotFound",
        "ResourceConflict",
        "Throttling",
        "ServiceLimitExceeded",
        "NotStabilized",
        "GeneralServiceException",
        "ServiceInternalError",
        "NetworkFailure",
        "InternalFailure",
        "InvalidTypeConfiguration",
        "HandlerInternalFailure",
        "NonCompliant",
        "UnsupportedTarget",
        "Unknown",
        "UnauthorizedTaggingOperation",
        "ServiceTimeout",
    }
)
