"""Keeps Roster in step with a JSON file of Organizations and their APIs, as ../typescript/examples/sync.ts does.

ROSTER=https://roster.example ROSTER_KEY=roster_… PYTHONPATH=dist python3 sync.py organizations.json [--delete]
"""

import json
import os
import sys
import time
import unicodedata
from collections import defaultdict, namedtuple
from pathlib import Path
from typing import Any

import httpx
from roster_client import AuthenticatedClient
from roster_client.api.apis import create_organization_api, delete_api, list_apis, update_api
from roster_client.api.organizations import create_organization as create_one
from roster_client.api.organizations import delete_organization, list_organizations, update_organization
from roster_client.api.users import get_user
from roster_client.models import ApiInput, OrganizationInput
from roster_client.types import UNSET, Response

ATTEMPTS, WAITS = 5, 10  # to write a record that others write at the same time; after 429 and 503

# The operations on Organizations or APIs. Codes of `races`: the name is taken, the record is gone, or it has changed.
Kind = namedtuple("Kind", "input list create update delete races")
ORGANIZATIONS = Kind(
    OrganizationInput, list_organizations, create_one, update_organization, delete_organization, (1501, 1234, 1600)
)
APIS = Kind(ApiInput, list_apis, create_organization_api, update_api, delete_api, (1505, 1303, 1600))


class Rejected(Exception):
    """Has a message and the error's code."""


class PatientTransport(httpx.HTTPTransport):
    """Sends a request again after 429 and 503, when Retry-After says. If a POST was stored after all, its name is taken."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        for left in reversed(range(WAITS + 1)):
            response = super().handle_request(request)
            seconds = response.headers.get("Retry-After", "")
            if left == 0 or response.status_code not in (429, 503) or not seconds.isdigit():
                return response
            response.close()
            time.sleep(int(seconds))


class Sync:
    def __init__(self, client: AuthenticatedClient):
        self.client = client
        self.counts = {"created": 0, "updated": 0, "unchanged": 0, "deleted": 0}
        self.rejected: list[str] = []
        self.in_file: set[str] = set()  # ids

    def run(self, entries: list[dict], deletes: bool) -> dict:
        me = self.send(get_user, "me").parsed.field_id
        organizations = {one.name: one for one in self.all(ORGANIZATIONS)}
        apis: dict[str, dict[str, Any]] = defaultdict(dict)
        for api in self.all(APIS):
            apis[api.organization_id][api.name] = api
        missing = [(name, ORGANIZATIONS, one) for name, one in organizations.items() if me in one.manager_ids]
        for entry in entries:
            wanted_apis = entry.pop("apis", [])
            known = organizations.get(stored(entry["name"]))
            id = self.save(ORGANIZATIONS, entry["name"], entry, known)
            for api in wanted_apis if id else []:
                self.save(APIS, f"{entry['name']}: {api['name']}", api, apis[id].get(stored(api["name"])), id)
            if id and known and me in known.manager_ids:
                missing += [(f"{known.name}: {name}", APIS, api) for name, api in apis[id].items()]
        missing = [one for one in missing if one[2].field_id not in self.in_file]
        for name, kind, record in missing if deletes and not self.rejected else []:
            # Only if it has not changed since it was listed.
            if self.unless_rejected(name, self.send, kind.delete, record.field_id, if_match=record.etag):
                self.counts["deleted"] += 1
        return {**self.counts, "missing": [name for name, _, _ in missing], "rejected": self.rejected}

    def save(self, kind: Kind, name: str, wanted: dict, known: Any, *parent: str) -> str | None:
        """Saves an entry. `known` has exactly this name; if its name differs in case, Roster finds it. Returns the id."""
        saved = self.unless_rejected(name, self.create_or_update, kind, wanted, known, *parent)
        if not saved:
            self.in_file.update([known.field_id] if known else [])
            return None
        record, outcome = saved
        if record.field_id in self.in_file:
            self.rejected.append(f"{name}: another entry has this name")
        self.in_file.add(record.field_id)
        self.counts[outcome] += 1
        return record.field_id

    def create_or_update(self, kind: Kind, wanted: dict, known: Any, *parent: str, attempt: int = 1) -> tuple[Any, str]:
        body = kind.input.from_dict(wanted)
        if unknown := wanted.keys() - body.to_dict().keys():
            raise Rejected(f"{', '.join(unknown)} is unknown", None)
        try:
            if not known:
                return self.send(kind.create, *parent, body=body).parsed.data, "created"
            now = known.to_dict()
            if all(now[field] == stored(value) for field, value in wanted.items()):
                return known, "unchanged"
            changed = kind.input.from_dict({**now, **wanted})
            response = self.send(kind.update, known.field_id, body=changed, if_match=known.etag)
            return response.parsed.data, "unchanged" if response.headers["ETag"] == known.etag else "updated"
        except Rejected as error:
            if error.args[1] not in kind.races or attempt == ATTEMPTS:
                raise
        of_parent = {"organization_id": parent[0]} if parent else {}
        found = self.send(kind.list, name=wanted["name"], **of_parent).parsed.data
        return self.create_or_update(kind, wanted, next(iter(found), None), *parent, attempt=attempt + 1)

    def unless_rejected(self, name: str, work: Any, *args: Any, **options: Any) -> Any:
        try:
            return work(*args, **options)
        except Rejected as error:
            self.rejected.append(f"{name}: {error.args[0]}")

    def all(self, kind: Kind) -> Any:
        after = UNSET
        while after is not None:
            page = self.send(kind.list, limit=100, after=after)
            yield from page.parsed.data
            after = page.parsed.data[-1].field_id if 'rel="next"' in page.headers.get("Link", "") else None

    def send(self, operation: Any, *ids: str, **parameters: Any) -> Response:
        response = operation.sync_detailed(*ids, client=self.client, **parameters)
        if response.status_code < 300:
            return response
        error = json.loads(response.content)
        details = error["message"] if isinstance(error["message"], list) else []
        message = "; ".join(f"{one['title']} {one['detail']}" for one in details) or error["message"]
        if response.status_code in (400, 403, 404, 409, 412):
            raise Rejected(message, error["code"])
        sys.exit(f"{response.status_code}: {message}")


def stored(value: Any) -> Any:
    """A value of the file as Roster stores it. Tags are sorted."""
    if isinstance(value, list):
        return sorted(value)
    return unicodedata.normalize("NFC", value).strip().replace("\r\n", "\n") if isinstance(value, str) else value


path, *flags = sys.argv[1:]
options = {"timeout": httpx.Timeout(30), "httpx_args": {"transport": PatientTransport()}}
client = AuthenticatedClient(os.environ["ROSTER"], os.environ["ROSTER_KEY"], **options)
summary = Sync(client).run(json.loads(Path(path).read_text("utf-8")), "--delete" in flags)
print(json.dumps(summary, ensure_ascii=False, indent=2))
sys.exit(1 if summary["rejected"] else 0)
