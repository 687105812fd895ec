"""Registration of a packaged project through boto3: with AWS, or with a registry on this machine."""

from formwork.submit.registration import Registration, Submission, register_package
from formwork.submit.target import Target

__all__ = ["Registration", "Submission", "Target", "register_package"]
