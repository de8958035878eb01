"""Tells schemathesis what an OpenAPI document cannot say. See ../README.md."""

import os

import schemathesis
from schemathesis import GenerationMode

# The run's own account, session and API key. Deleting them or changing the password would end the run's own rights.
OWN_IDS = {"me", *filter(None, os.environ.get("FUZZ_OWN_IDS", "").split(","))}
UNKNOWN_ID = "0" * 24


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.method in ("PUT", "DELETE"):
        parameters = (case.path_parameters or {}).items()
        case.path_parameters = {name: UNKNOWN_ID if value in OWN_IDS else value for name, value in parameters}


@schemathesis.hook
def map_case(context, case):
    """
    Removes `skip` next to `after` (contract §2, Lists), takes 28 February for the 29th, which a pattern allows in every
    year, and sends every field of a form as a part.
    """
    query = case.query
    positive = case.meta is None or case.meta.generation.mode is GenerationMode.POSITIVE
    if positive and query:
        left_out = "skip" if "after" in query else None
        case.query = {name: on_a_day(value) for name, value in query.items() if name != left_out}
    if case.media_type == "multipart/form-data" and isinstance(case.body, dict):
        # Schemathesis sends no part for null or an empty list, so an unknown field would not be sent at all.
        for name in [name for name, value in case.body.items() if value is None or value == []]:
            case.body[name] = ""
    return case


def on_a_day(value):
    return value.replace("-02-29", "-02-28") if isinstance(value, str) else value
