"""CloudFormation's operations: from and to the shapes of botocore's model. No decisions are taken here."""
