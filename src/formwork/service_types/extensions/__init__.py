"""The `AWS::CloudFormation::*` types that call the registry's operations."""
