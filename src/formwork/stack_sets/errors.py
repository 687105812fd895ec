"""The errors of operations on stack sets, with the service's messages where they are known."""

from formwork.stacks.errors import StackError

_CONFLICT = 409
_NOT_FOUND = 404


def stack_set_not_found(name: str) -> StackError:
    """Return the error for a stack set that is not found."""
    return StackError(f"StackSet {name} not found", code="StackSetNotFoundException", status=_NOT_FOUND)


def instance_not_found(stack_set: str, account: str, region: str) -> StackError:
    """Return the error for an account and Region without an instance."""
    message = f"Stack instance for stack set {stack_set}, account {account} and region {region} not found"
    return StackError(message, code="StackInstanceNotFoundException", status=_NOT_FOUND)


def operation_not_found(identifier: str) -> StackError:
    """Return the error for an operation that is not found."""
    return StackError(f"Operation {identifier} not found", code="OperationNotFoundException", status=_NOT_FOUND)


def operation_in_progress(arn: str) -> StackError:
    """Return the error for a change during another operation."""
    message = f"Another Operation on StackSet {arn} is in progress"
    return StackError(message, code="OperationInProgressException", status=_CONFLICT)


def operation_id_taken(identifier: str) -> StackError:
    """Return the error for an operation id that another request has used."""
    message = f"Operation ID {identifier} already exists"
    return StackError(message, code="OperationIdAlreadyExistsException", status=_CONFLICT)


def name_taken(name: str) -> StackError:
    """Return the error for a name that is in use."""
    return StackError(f"StackSet {name} already exists", code="NameAlreadyExistsException", status=_CONFLICT)


def created_but_modified(name: str) -> StackError:
    """Return the error for a repeated request whose stack set was changed since."""
    message = f"StackSet {name} already exists and has been modified since it was created"
    return StackError(message, code="CreatedButModifiedException", status=_CONFLICT)


def not_empty(name: str) -> StackError:
    """Return the error for deleting a stack set that has instances."""
    message = f"StackSet {name} is not empty: delete its stack instances first"
    return StackError(message, code="StackSetNotEmptyException", status=_CONFLICT)


def invalid_operation(message: str) -> StackError:
    """Return the error for an operation that is not possible in this state."""
    return StackError(message, code="InvalidOperationException")
