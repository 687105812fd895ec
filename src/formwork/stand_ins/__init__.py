"""Stand-ins for the other AWS services that clients of CloudFormation call: IAM, CloudWatch Logs, STS."""
