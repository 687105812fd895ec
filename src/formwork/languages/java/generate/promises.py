"""The requirements of the contract for each handler, for the comment on its class."""

_PROGRESS = (
    "Not done yet? ProgressEvent.defaultInProgressHandler(context, seconds, model), the model with the identifier",
    "above all; and continue from the callback context when you are called again.",
)
_PROMISES: dict[str, tuple[str, ...]] = {
    "create": (
        "Creates the desired resource.",
        "",
        "Exists already? throw new CfnAlreadyExistsException(ResourceModel.TYPE_NAME, identifier).",
        "The same client request token again must not create a second one.",
        *_PROGRESS,
        "Done: all that was requested is applied; return the model as the read handler does.",
    ),
    "read": (
        "Returns all properties that have a value, except write-only ones.",
        "",
        "Not there? throw new CfnNotFoundException(ResourceModel.TYPE_NAME, identifier).",
    ),
    "update": (
        "Updates the resource to the desired state; lists are replaced, never merged.",
        "",
        "Not there? throw new CfnNotFoundException(ResourceModel.TYPE_NAME, identifier).",
        "The request's previousResourceState is the state before; create-only properties never differ.",
        *_PROGRESS,
        "Done: all that was requested is applied; return the model as the read handler does.",
    ),
    "delete": (
        "Deletes the resource.",
        "",
        "Not there? throw new CfnNotFoundException(ResourceModel.TYPE_NAME, identifier).",
        *_PROGRESS,
        "Deleted: the answer has no model, ProgressEvent.defaultSuccessHandler(null).",
    ),
    "list": (
        "Returns the identifiers of all resources of this type, page by page.",
        "",
        "The request's nextToken is the token of the previous page, null at first; resourceModels are the models with",
        "their identifiers, an empty list if there are none.",
    ),
    "preCreate": ("Checks a target before it is created.",),
    "preUpdate": ("Checks a target before it is updated.",),
    "preDelete": ("Checks a target before it is deleted.",),
}
_VERDICT = (
    "",
    "request.getHookContext() names the target; getTargetModel(AwsS3BucketTargetModel.class) on it has the",
    "properties, and before an update the previous ones. Answer SUCCESS, or",
    "ProgressEvent.failed(null, null, HandlerErrorCode.NonCompliant, what is wrong with the target).",
)


def promise_lines(handler: str) -> str:
    """Return the lines of a handler's comment, each with its asterisk."""
    lines = _PROMISES[handler] + (_VERDICT if handler.startswith("pre") else ())
    return "\n".join(f" * {each}".rstrip() for each in lines)
