"""RegisterPublisher and DescribePublisher: an account as a publisher, in every Region."""

import hashlib

from sqlalchemy import Connection, select

from formwork.aws.scope import Scope
from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.errors import registry_error
from formwork.registry.finding import AnyRow
from formwork.registry.inserting import insert_or_ignore
from formwork.registry.requests import RegisterPublisherRequest
from formwork.registry.results import Publisher
from formwork.registry.rules import check_public_region
from formwork.registry.tables import publishers

# A connection's ARN does not say whose it is; the word in it, if any, does.
_BITBUCKET, _GITHUB, _MARKETPLACE = "Bitbucket", "GitHub", "AWS_Marketplace"


def register_publisher(parts: RegistryDependencies, scope: Scope, request: RegisterPublisherRequest) -> str:
    """Make the account a publisher, once; its publisher id, the same in all Regions.

    Raises:
        RegistryError: the terms are not accepted, or the Region has no public registry.
    """
    if not request.accepts_terms:
        raise registry_error("The terms and conditions must be accepted to register as a publisher.")
    check_public_region(scope)
    with parts.database.begin() as connection:
        insert_or_ignore(
            connection,
            publishers,
            account=scope.account,
            id=hashlib.sha1(f"publisher {scope.account}".encode(), usedforsecurity=False).hexdigest(),
            identity=_identity(request.connection_arn),
            connection_arn=request.connection_arn,
            created=parts.settings.now(),
        )
        return str(expect_publisher(connection, scope).id)


def _identity(connection_arn: str | None) -> str:
    if connection_arn is None:
        return _MARKETPLACE
    return _BITBUCKET if "bitbucket" in connection_arn.lower() else _GITHUB


def describe_publisher(parts: RegistryDependencies, scope: Scope, publisher_id: str | None) -> Publisher:
    """Return a publisher, without an id the caller.

    Raises:
        RegistryError: there is none.
    """
    with parts.database.read() as connection:
        if publisher_id is None:
            found = expect_publisher(connection, scope)
        else:
            query = select(publishers).where(publishers.c.id == publisher_id)
            known = connection.execute(query).first()
            if known is None:
                raise registry_error(f"The publisher '{publisher_id}' cannot be found.")
            found = known
    return Publisher(found.id, "VERIFIED", found.identity, found.profile)


def expect_publisher(connection: Connection, scope: Scope) -> AnyRow:
    """Return the caller as a publisher.

    Raises:
        RegistryError: it is none.
    """
    found = connection.execute(select(publishers).where(publishers.c.account == scope.account)).first()
    if found is None:
        raise registry_error(f"The account '{scope.account}' is not registered as a publisher.")
    return found
