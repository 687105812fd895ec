"""What alembic runs: the scripts, in the transaction that `migrate` was called in."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
