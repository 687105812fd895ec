"""The `AWS::CloudFormation::*` types that stand for the registry's own operations."""
