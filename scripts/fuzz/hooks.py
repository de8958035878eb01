"""Tells schemathesis what an OpenAPI document cannot say. See ../README.md."""

import os
import sys
import unicodedata

import schemathesis
from schemathesis import GenerationMode

# The run's own account and session. Deleting them or changing the password would make the token of the run useless.
OWN_IDS = set(filter(None, os.environ.get("FUZZ_OWN_IDS", "").split(",")))
UNKNOWN_ID = "0" * 24


def members(category):
    """Returns the characters of a general category, for use between the brackets of a pattern."""
    found = []
    for point in range(sys.maxunicode + 1):
        if unicodedata.category(chr(point)).startswith(category):
            if found and found[-1][1] == point - 1:
                found[-1][1] = point
            else:
                found.append([point, point])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in found)


CLASSES = {category: members(category) for category in ("Cc", "Cf", "Z")}
# Requests are UTF-8, which has no surrogates.
CLASSES["Cs"] = ""
# In addition to format characters (Cf): fillers, variation selectors, Khmer's inherent vowels.
CLASSES["Default_Ignorable_Code_Point"] = CLASSES["Cf"] + (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
)
# Without unassigned and private characters, which differ between Unicode versions.
CLASSES["C"] = CLASSES["Cc"] + CLASSES["Cf"]


def without_unicode_classes(pattern):
    """Expands \\p{…}, which Python's re does not support."""
    for category, characters in CLASSES.items():
        pattern = pattern.replace(f"\\P{{{category}}}", f"[^{characters}]").replace(f"\\p{{{category}}}", characters)
    return pattern


def translate(node):
    if isinstance(node, dict):
        if isinstance(node.get("pattern"), str):
            node["pattern"] = without_unicode_classes(node["pattern"])
        node = list(node.values())
    if isinstance(node, list):
        for value in node:
            translate(value)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    translate(raw_schema)


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.method in ("PUT", "DELETE"):
        parameters = (case.path_parameters or {}).items()
        case.path_parameters = {name: UNKNOWN_ID if value in OWN_IDS else value for name, value in parameters}


@schemathesis.hook
def map_case(context, case):
    """Removes `skip` next to `after` (contract §2, Lists), and sends every field of a form as a part."""
    query = case.query
    positive = case.meta is None or case.meta.generation.mode is GenerationMode.POSITIVE
    if positive and query and "after" in query and "skip" in query:
        case.query = {name: value for name, value in query.items() if name != "skip"}
    if case.media_type == "multipart/form-data" and isinstance(case.body, dict):
        # Schemathesis sends no part for null or an empty list, so an unknown field would not be sent at all.
        for name in [name for name, value in case.body.items() if value is None or value == []]:
            case.body[name] = ""
    return case
