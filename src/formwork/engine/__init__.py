"""The stack engine: creates, updates and deletes stacks by calling handlers as CloudFormation does."""
