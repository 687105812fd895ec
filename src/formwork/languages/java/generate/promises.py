"""What the contract asks of each handler, for the comment on its class."""

_PROGRESS = (
    "Not done yet? ProgressEvent.defaultInProgressHandler(context, seconds, model), the model with the identifier",
    "above all; and go on where the callback context says when you are called again.",
)
_PROMISES: dict[str, tuple[str, ...]] = {
    "create": (
        "Creates the resource that is desired.",
        "",
        "Exists already? throw new CfnAlreadyExistsException(ResourceModel.TYPE_NAME, identifier).",
        "The same client request token again must not create a second one.",
        *_PROGRESS,
        "Done: all that was requested is applied; answer with what the read handler would.",
    ),
    "read": (
        "Answers with every property that has a value, write-only ones aside.",
        "",
        "Not there? throw new CfnNotFoundException(ResourceModel.TYPE_NAME, identifier).",
    ),
    "update": (
        "Makes the resource what is desired; lists are replaced, never merged.",
        "",
        "Not there? throw new CfnNotFoundException(ResourceModel.TYPE_NAME, identifier).",
        "The request's previousResourceState says what it was before; create-only properties never differ.",
        *_PROGRESS,
        "Done: all that was requested is applied; answer with what the read handler would.",
    ),
    "delete": (
        "Deletes the resource.",
        "",
        "Not there? throw new CfnNotFoundException(ResourceModel.TYPE_NAME, identifier).",
        *_PROGRESS,
        "Gone: the answer has no model, ProgressEvent.defaultSuccessHandler(null).",
    ),
    "list": (
        "Answers with the identifiers of all resources of this type, page by page.",
        "",
        "The request's nextToken is the token of the page before, null at first; resourceModels are the models with",
        "their identifiers, an empty list where there is nothing.",
    ),
    "preCreate": ("Judges a target before it is created.",),
    "preUpdate": ("Judges a target before it is updated.",),
    "preDelete": ("Judges a target before it is deleted.",),
}
_VERDICT = (
    "",
    "request.getHookContext() says which target it is; getTargetModel(AwsS3BucketTargetModel.class) on it has the",
    "properties, and before an update the previous ones. Answer SUCCESS, or",
    "ProgressEvent.failed(null, null, HandlerErrorCode.NonCompliant, what is wrong with the target).",
)


def promise_lines(handler: str) -> str:
    """The lines of the comment, each with its asterisk."""
    lines = _PROMISES[handler] + (_VERDICT if handler.startswith("pre") else ())
    return "\n".join(f" * {each}".rstrip() for each in lines)
