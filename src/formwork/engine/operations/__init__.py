"""Operations on stacks as durable work: the steps of each resource, their order, and rollback after a failure."""
