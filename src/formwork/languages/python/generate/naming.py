"""Which names Python and the handler library keep for themselves in a generated module."""

import keyword

# Every name that a generated module imports or defines, whether this one does or not: a model's name must not depend
# on what else is in the schema.
RESERVED_MODEL_NAMES = frozenset(
    {
        *keyword.kwlist,
        "AbstractSet",
        "Any",
        "BaseHookHandlerRequest",
        "BaseModel",
        "BaseResourceHandlerRequest",
        "HookHandlerRequest",
        "HookInputModel",
        "Mapping",
        "MutableMapping",
        "Optional",
        "ResourceHandlerRequest",
        "Sequence",
        "Union",
    }
)

# Attributes are parameters of the constructor too, beside `self`; the rest are names of the library's BaseModel.
RESERVED_ATTRIBUTES = frozenset(
    {
        *keyword.kwlist,
        "self",
        "_additional",
        "_additional_shape",
        "_attributes",
        "_deserialize",
        "_fields",
        "_members",
        "_read",
        "_serialize",
        "_wire_names",
        "_write_only",
    }
)
