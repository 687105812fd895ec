"""Calling handlers: one transport a way of reaching them, and a session that drives an operation to its final event.

The contract suite, `cfn invoke` and the engine all call handlers through here, so a handler that behaves in one behaves
the same in the others.
"""

from formwork.aws import Credentials, CredentialSource, local_credentials
from formwork.invoke.answer import Answer, AnswerProblem, ProblemKind, parse_event
from formwork.invoke.fake import FakeTransport
from formwork.invoke.in_process import InProcessTransport
from formwork.invoke.operation import Exchange, Operation, OperationEnd
from formwork.invoke.session import HandlerSession
from formwork.invoke.transport import HandlerTransport

__all__ = [
    "Answer",
    "AnswerProblem",
    "CredentialSource",
    "Credentials",
    "Exchange",
    "FakeTransport",
    "HandlerSession",
    "HandlerTransport",
    "InProcessTransport",
    "Operation",
    "OperationEnd",
    "ProblemKind",
    "local_credentials",
    "parse_event",
]
