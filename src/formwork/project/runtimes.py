"""Outdated languages and Lambda runtimes of `.rpdk-config`, with their successors.

A language is named by the incumbent's plugin (`python311`), a runtime as Lambda does (`python3.11`).
"""

# Outdated language → the one to use. Lambda no longer creates functions on their runtimes.
OUTDATED_LANGUAGES = {"python36": "python312", "python37": "python312", "python38": "python312"}

# Outdated runtime → its successor.
OUTDATED_RUNTIMES = {
    "python2.7": "python3.12",
    "python3.6": "python3.12",
    "python3.7": "python3.12",
    "python3.8": "python3.12",
    "java8": "java8.al2",
    "go1.x": "provided.al2023",
    "nodejs10.x": "nodejs22.x",
    "nodejs12.x": "nodejs22.x",
    "nodejs14.x": "nodejs22.x",
    "nodejs16.x": "nodejs22.x",
}
