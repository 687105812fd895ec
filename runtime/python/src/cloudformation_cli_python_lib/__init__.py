"""The handler library of CloudFormation extensions written in Python."""
