"""AWS::Hooks::GuardHook: rules of CloudFormation Guard from the object store, evaluated in this process.

The reasons are in docs/decisions/1327.
"""
