"""The local Lambda service: AWS's Runtime API towards handler processes, its Invoke API towards clients.

`host.LambdaHost` is the service; it runs a `function.LambdaFunction` and answers with an `outcome.Outcome`.
"""
