"""The subcommands of `cfn registry`."""
