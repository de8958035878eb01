"""Validates a Compose file with the schema of docker-compose 1.29, the last version 1."""

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import jsonschema
import yaml

schema = Path(find_spec("compose").origin).parent / "config" / "compose_spec.json"
compose = yaml.safe_load(Path(sys.argv[1]).read_text())
errors = list(jsonschema.Draft7Validator(json.loads(schema.read_text())).iter_errors(compose))
sys.exit("\n".join(f"{error.json_path}: {error.message}" for error in errors) or 0)
