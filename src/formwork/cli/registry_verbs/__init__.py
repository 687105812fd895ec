"""What `cfn registry` does, a file for each thing that one does with a registry."""
