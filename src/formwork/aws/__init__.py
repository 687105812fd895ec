"""Accounts, Regions and partitions of AWS, and the user's sessions and credentials; boto3 is imported on use."""

from formwork.aws.credentials import Credentials, CredentialSource, local_credentials

__all__ = ["CredentialSource", "Credentials", "local_credentials"]
