"""AWS::Hooks::GuardHook: rules of CloudFormation Guard from the object store, evaluated in this process."""
