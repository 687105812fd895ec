"""Sessions and credentials of the user's AWS account, for whoever asks for them; boto3 is imported on use."""

from formwork.aws.credentials import Credentials, CredentialSource, local_credentials

__all__ = ["CredentialSource", "Credentials", "local_credentials"]
