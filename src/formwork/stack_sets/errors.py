"""What operations on stack sets are refused with, in the service's words where they are known."""

from formwork.stacks.errors import StackError

_CONFLICT = 409
_NOT_FOUND = 404


def stack_set_not_found(name: str) -> StackError:
    """There is no stack set of that name."""
    return StackError(f"StackSet {name} not found", code="StackSetNotFoundException", status=_NOT_FOUND)


def instance_not_found(stack_set: str, account: str, region: str) -> StackError:
    """The stack set has no instance there."""
    message = f"Stack instance for stack set {stack_set}, account {account} and region {region} not found"
    return StackError(message, code="StackInstanceNotFoundException", status=_NOT_FOUND)


def operation_not_found(identifier: str) -> StackError:
    """The stack set has had no such operation."""
    return StackError(f"Operation {identifier} not found", code="OperationNotFoundException", status=_NOT_FOUND)


def operation_in_progress(arn: str) -> StackError:
    """Another operation runs."""
    message = f"Another Operation on StackSet {arn} is in progress"
    return StackError(message, code="OperationInProgressException", status=_CONFLICT)


def operation_id_taken(identifier: str) -> StackError:
    """Another request used the operation id."""
    message = f"Operation ID {identifier} already exists"
    return StackError(message, code="OperationIdAlreadyExistsException", status=_CONFLICT)


def name_taken(name: str) -> StackError:
    """There is a stack set of that name."""
    return StackError(f"StackSet {name} already exists", code="NameAlreadyExistsException", status=_CONFLICT)


def created_but_modified(name: str) -> StackError:
    """The same request made the stack set before, and it was changed since."""
    message = f"StackSet {name} already exists and has been modified since it was created"
    return StackError(message, code="CreatedButModifiedException", status=_CONFLICT)


def not_empty(name: str) -> StackError:
    """It has instances."""
    message = f"StackSet {name} is not empty: delete its stack instances first"
    return StackError(message, code="StackSetNotEmptyException", status=_CONFLICT)


def invalid_operation(message: str) -> StackError:
    """What is asked for makes no sense here."""
    return StackError(message, code="InvalidOperationException")
