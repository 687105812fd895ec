"""Registration of a packaged project through boto3: with AWS, or with a registry on this machine."""

from formwork.submit.registration import Registration, Submission, register_package
from formwork.submit.target import RegistrationTarget

__all__ = ["Registration", "RegistrationTarget", "Submission", "register_package"]
