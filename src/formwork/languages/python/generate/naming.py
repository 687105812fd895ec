"""Names that are reserved in a generated module by Python and the handler library."""

import keyword

# All names that generated modules may import or define: a model's name must not depend on the rest of the schema.
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

# `self`, since attributes are also parameters of the constructor; the rest are names of the library's BaseModel.
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
