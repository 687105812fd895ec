"""Operations on stacks, as durable work: what is done to each resource, in which order, and what follows a failure."""
