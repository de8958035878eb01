"""Tells schemathesis what an OpenAPI document cannot say. See ../README.md."""

import os

import jsonschema_rs
import schemathesis
from schemathesis import GenerationMode
from schemathesis.core.parameters import ParameterLocation

# The run's own account, session and API key. Deleting them or changing the password would end the run's own rights.
OWN_IDS = {"me", *filter(None, os.environ.get("FUZZ_OWN_IDS", "").split(","))}
UNKNOWN_ID = "0" * 24


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.method in ("PUT", "DELETE"):
        parameters = (case.path_parameters or {}).items()
        case.path_parameters = {name: UNKNOWN_ID if value in OWN_IDS else value for name, value in parameters}


@schemathesis.hook
def filter_case(context, case):
    """
    Skips a request whose only error does not count (contract §1.5, §1.6, §6): white space around a text, a blank
    text in an optional field, or the type of a read-only field.
    """
    if case.meta is None or case.media_type != "application/json" or not isinstance(case.body, dict):
        return True
    invalid = {place for place, part in case.meta.components.items() if part.mode is GenerationMode.NEGATIVE}
    if invalid != {ParameterLocation.BODY}:
        return True
    document = case.operation.schema.raw_schema
    content = case.operation.definition.raw["requestBody"]["content"]["application/json"]
    name = content["schema"]["$ref"].split("/")[-1]
    schema = document["components"]["schemas"][name]
    whole = {"$ref": content["schema"]["$ref"], "components": document["components"]}
    return not jsonschema_rs.is_valid(whole, what_counts(case.body, schema))


def what_counts(body, schema):
    """The fields of a body that the service looks at, as it looks at them."""
    read_only = schema.get("x-read-only", [])
    trimmed = {name: value.strip() if isinstance(value, str) else value for name, value in body.items()}
    required = schema.get("required", [])
    return {
        name: value
        for name, value in trimmed.items()
        if name not in read_only and (value != "" or name in required)
    }


@schemathesis.hook
def map_case(context, case):
    """
    Removes `skip` next to `after` and `until` next to `since` (contract §2, Lists), takes 28 February for the 29th, which
    a pattern allows in every year, and sends every field of a form as a part.
    """
    query = case.query
    positive = case.meta is None or case.meta.generation.mode is GenerationMode.POSITIVE
    if positive and query:
        left_out = {other for name, other in (("after", "skip"), ("since", "until")) if name in query}
        case.query = {name: on_a_day(value) for name, value in query.items() if name not in left_out}
    if case.media_type == "multipart/form-data" and isinstance(case.body, dict):
        # Schemathesis sends no part for null or an empty list, so an unknown field would not be sent at all.
        for name in [name for name, value in case.body.items() if value is None or value == []]:
            case.body[name] = ""
    return case


def on_a_day(value):
    return value.replace("-02-29", "-02-28") if isinstance(value, str) else value
