"""Where Discord's description is known to lag behind what Discord does and documents elsewhere."""

from collections.abc import Mapping

CORRECTED: Mapping[str, Mapping[str, object]] = {
    # Forwards are messages that refer to another with type 1; the description knows replies alone.
    "MessageReferenceType": {"type": "integer", "enum": [0, 1]},
    # What is wrong with a field is named by a word (`BASE_TYPE_REQUIRED`), numbers are for the whole.
    "InnerErrors": {
        "type": "object",
        "properties": {
            "_errors": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
                    "required": ["code", "message"],
                },
            }
        },
        "additionalProperties": False,
        "required": ["_errors"],
    },
}
"""Put in the place of the schemas of these names."""

IN_REQUESTS: Mapping[str, Mapping[str, object]] = {
    # Clients may write ids as numbers, and discord.py does so here and there.
    "SnowflakeType": {"type": ["string", "integer"], "pattern": "^(0|[1-9][0-9]*)$", "format": "snowflake"},
}
"""The same, for the bodies of requests alone."""
