"""Property names that say that a value is a secret."""

import re

# What a name ends with, without regard to case and to what separates its words.
SECRET_WORDS = (
    *("accesskey", "apikey", "appkey", "applicationkey", "authkey", "authorizationheader", "clientkey"),
    *("connectionstring", "credential", "credentials", "hmackey", "licensekey", "masterkey", "passcode", "passphrase"),
    *("passwd", "password", "presharedkey", "privatekey", "pwd", "secret", "secretkey", "servicekey", "sharedkey"),
    *("signingkey", "sshkey", "token", "webhookurl"),
)
# Words that may follow: AuthTokenValue.
_TAILS = ("", "value", "string", "text", "plaintext")
_ENDINGS = tuple(word + tail for word in SECRET_WORDS for tail in _TAILS)
# Tokens that open nothing: of pages, retries and versions, and the address of what provides a custom resource.
HARMLESS = (
    *("clienttoken", "clientrequesttoken", "continuationtoken", "creationtoken", "idempotencytoken", "locktoken"),
    *("nexttoken", "pagetoken", "paginationtoken", "requesttoken", "servicetoken", "synctoken", "updatetoken"),
)
_SEPARATORS = re.compile(r"[^A-Za-z0-9]")

# What might be one: of a value that is shown, rather too many are masked than too few.
_MAYBE = ("pass", "secret", "token", "key", "credential", "auth", "private")


def may_name_a_secret(name: str) -> bool:
    """Return whether a property of that name might hold a secret, so that copies of its value are not shown."""
    plain = name.casefold()
    return any(each in plain for each in _MAYBE)


def names_a_secret(name: str) -> bool:
    """Return whether a property of that name holds a password, a key or the like."""
    plain = _SEPARATORS.sub("", name).lower()
    if plain.endswith(HARMLESS):
        return False
    return plain.endswith(_ENDINGS)
