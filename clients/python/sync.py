"""Keeps Roster in step with a JSON file of Organizations, their APIs and Consumers, as ../typescript/examples/sync does.

ROSTER=https://roster.example ROSTER_KEY=roster_… PYTHONPATH=dist python3 sync.py organizations.json [--delete]

The exit code is 0; 1 if entries were rejected; 2 if it could not begin, or not go on; 3 if it would delete too much.
"""

import argparse
import json
import os
import re
import sys
import time
import unicodedata
from collections import defaultdict, namedtuple
from pathlib import Path
from typing import Any

import httpx
from roster_client import AuthenticatedClient
from roster_client.api.apis import create_organization_api, delete_api, list_apis, update_api
from roster_client.api.consumers import create_api_consumer, delete_api_consumer, get_api_consumer
from roster_client.api.consumers import list_api_consumers, update_api_consumer
from roster_client.api.organizations import create_organization as create_one
from roster_client.api.organizations import delete_organization, list_organizations, update_organization
from roster_client.api.users import get_user
from roster_client.models import ApiInput, CreateApiConsumerInput, OrganizationInput, UpdateApiConsumerInput
from roster_client.types import UNSET, Response

FORBIDDEN = 1200
OF_OTHERS = " The Organization of this name belongs to others. To name another one, give the entry its externalId, which an Admin sets."
ATTEMPTS, WAITS = 5, 10  # to write a record that others write at the same time; after 429 and 503

# The operations on Organizations or APIs. Codes of `races`: the name or the external id is taken, the record is gone,
# or it has changed.
Kind = namedtuple("Kind", "input list create update races")
ORGANIZATIONS = Kind(OrganizationInput, list_organizations, create_one, update_organization, (1501, 1515, 1234, 1600))
APIS = Kind(ApiInput, list_apis, create_organization_api, update_api, (1505, 1516, 1303, 1600))
# It exists, it does not exist, it has changed.
CONSUMER_RACES = (1514, NO_CONSUMER := 1308, 1600)

# What --delete deletes, with the number of records that go with it; for `operation`, the ids of a path and the version.
Missing = namedtuple("Missing", "name records operation ids if_match")

# Unicode's Default_Ignorable_Code_Point.
IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
WHITE_SPACE = re.compile("[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u2800]+")


class Rejected(Exception):
    """Has a message and the error's code."""


class Stopped(Exception):
    """Ends the program with a sentence and an exit code."""


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
        self.missing: list[str] = []
        self.rejected: list[str] = []
        self.in_file: set[str] = set()  # ids of records
        self.complete: set[str] = set()  # ids of the Organizations whose APIs are all in the file
        self.twins: set[str] = set()  # keys of the names that stand in the file more than once
        self.hint = ""  # follows the reason if the account may not write an entry
        self.left_out: list[str] = []  # entries that are left out for it

    def run(self, entries: list[dict], deletes: bool, most: int | None) -> None:
        if deletes and not entries:
            raise Stopped("The list is empty, so --delete would delete all that the account manages.", 3)
        entries = [{**one, "apis": self.distinct(one.get("apis", []), one["name"])} for one in self.distinct(entries)]
        me = self.send(get_user, "me").parsed.field_id
        organizations = list(self.all(list_organizations))
        apis: dict[str, list] = defaultdict(list)
        for api in self.all(list_apis):
            apis[api.organization_id].append(api)
        pairs = with_known(entries, organizations)
        find = self.finder(organizations, pairs)
        for entry, _ in pairs:
            for api in entry["apis"]:
                if "consumers" in api:
                    api["consumers"] = self.wanted_consumers(f"{entry['name']}: {api['name']}", api["consumers"], find)
        ids: dict[str, str] = {}  # of the Organizations of the file, by the keys of their names
        lists = []  # of Consumers
        for entry, known in pairs:
            wanted_apis = entry.pop("apis")
            owner = known or next((one for one in organizations if key(one.name) == key(entry["name"])), None)
            self.hint = OF_OTHERS if owner and me not in owner.manager_ids else ""
            id = self.save(ORGANIZATIONS, entry["name"], entry, known)
            # The twin of an entry may have more of its APIs.
            if id and key(entry["name"]) not in self.twins:
                self.complete.add(id)
            ids[key(entry["name"])] = id
            for api, known in with_known(wanted_apis, apis[id]) if id else []:
                name, consumers = f"{entry['name']}: {api['name']}", api.pop("consumers", None)
                api_id = self.save(APIS, name, api, known, id)
                if api_id and consumers is not None:
                    is_twin = f"{entry['name']}: {key(api['name'])}" in self.twins
                    is_complete = owner and me in owner.manager_ids and id in self.complete and not is_twin
                    lists.append((name, api_id, consumers, is_complete))
        managed = [one for one in organizations if me in one.manager_ids]
        missing = [one for organization in managed for one in self.missing_in(organization, apis)]
        records = sum(1 + len(apis[one.field_id]) for one in managed)
        # Last, because an Organization further down in the file may use an API further up.
        self.hint = ""
        for name, api_id, consumers, is_complete in lists:
            others, count = self.sync_consumers(name, api_id, consumers, ids)
            if is_complete:
                missing += others
                records += count
        self.missing = [one.name for one in missing]
        if deletes and not self.rejected:
            self.delete(missing, records, most)

    def finder(self, organizations: list, pairs: list[tuple[dict, Any]]) -> Any:
        """Finds Organizations by their id, name or slug, those of the entries first. Only Roster knows old slugs.

        Returns an id, or the key of the name of an entry that has none yet.
        """
        ids = {one.field_id for one in organizations}
        by_slug = {one.slug: one.field_id for one in organizations}
        by_name = {key(one.name): one.field_id for one in organizations}
        by_name |= {key(entry["name"]): known.field_id if known else key(entry["name"]) for entry, known in pairs}

        def find(text: str) -> str | None:
            slug = text.lower()
            found = text if text in ids else by_name.get(key(text)) or by_slug.get(slug)
            if found or not re.fullmatch("[a-z0-9-]{1,100}", slug):
                return found
            return next((one.field_id for one in self.send(list_organizations, slug=slug).parsed.data), None)

        return find

    def wanted_consumers(self, api: str, consumers: list, find: Any) -> dict[str, tuple[str, str | None]]:
        """The Consumers of an entry, without those that no Organization is, or that another one is."""
        wanted: dict[str, tuple[str, str | None]] = {}
        for one in consumers:
            organization, note = (one, None) if isinstance(one, str) else (one["organization"], one.get("note"))
            name = f"{api}: {organization}"
            found = find(stored(organization))
            if not found:
                self.rejected.append(f"{name}: no Organization has this id, slug or name")
            elif found in wanted:
                self.left_out.append(f"{name}: another entry is this Organization")
            else:
                wanted[found] = (name, note)
        return wanted

    def sync_consumers(self, api: str, api_id: str, wanted: dict, ids: dict[str, str]) -> tuple[list[Missing], int]:
        """Makes an API have the Consumers of the file. Returns those that the file does not have, and how many there are.

        A note that the file leaves out is kept.
        """
        consumers = self.unless_rejected(api, lambda: list(self.all(list_api_consumers, api_id)))
        if consumers is None:
            return [], 0
        known = {one.field_id: one for one in consumers}
        for found, (name, note) in wanted.items():
            id = ids.get(found, found)
            if not id:
                self.rejected.append(f"{name}: its own entry was rejected")
                continue
            now = known.pop(id, None)
            if now and (note is None or stored(note) == now.note):
                self.counts["unchanged"] += 1
            elif outcome := self.unless_rejected(name, self.save_consumer, api_id, id, note, bool(now)):
                self.counts[outcome] += 1
        others = [Missing(f"{api}: {one.name}", 1, delete_api_consumer, (api_id, id), UNSET) for id, one in known.items()]
        return others, len(consumers)

    def save_consumer(self, api_id: str, id: str, note: str | None, exists: bool, attempt: int = 1) -> str:
        new = UNSET if note is None else note
        try:
            if not exists:
                self.send(create_api_consumer, api_id, body=CreateApiConsumerInput(organization_id=id, note=new))
                return "created"
            now = self.send(get_api_consumer, api_id, id)
            if note is None or stored(note) == now.parsed.note:
                return "unchanged"
            self.send(update_api_consumer, api_id, id, body=UpdateApiConsumerInput(note=new), if_match=now.headers["ETag"])
            return "updated"
        except Rejected as error:
            code = error.args[1]
            if code not in CONSUMER_RACES or attempt == ATTEMPTS:
                raise
        return self.save_consumer(api_id, id, note, code != NO_CONSUMER, attempt + 1)

    def distinct(self, entries: list[dict], *parent: str) -> list[dict]:
        """The entries without those that have the name or the external id of one before: for Roster, they are one record."""
        firsts: dict[str, dict] = {"name": {}, "externalId": {}}
        once = []
        for entry in entries:
            name, id = key(entry["name"]), id_of(entry)
            field, value = ("externalId", id) if id in firsts["externalId"] else ("name", name)
            if first := firsts[field].get(value):
                self.twins.add(": ".join([*parent, first]))
                self.left_out.append(f"{': '.join([*parent, entry['name']])}: another entry has this {field}")
                continue
            firsts["name"][name] = name
            if id:
                firsts["externalId"][id] = name
            once.append(entry)
        return once

    def missing_in(self, organization: Any, apis: dict[str, list]) -> list[Missing]:
        """An Organization with all its APIs, or the APIs that are missing in one that the file has."""
        id, name, own = organization.field_id, organization.name, apis[organization.field_id]
        # Only if it has not changed since it was listed.
        if id not in self.in_file:
            return [Missing(name, 1 + len(own), delete_organization, (id,), organization.etag)]
        gone = [api for api in own if id in self.complete and api.field_id not in self.in_file]
        return [Missing(f"{name}: {api.name}", 1, delete_api, (api.field_id,), api.etag) for api in gone]

    def delete(self, missing: list[Missing], managed: int, most: int | None) -> None:
        gone = sum(one.records for one in missing)
        if gone > (managed / 10 if most is None else most):
            question = f"If that is right, add --max-deletions {gone}."
            raise Stopped(f"--delete would delete {gone} of {managed} records. {question}", 3)
        for name, _, operation, ids, if_match in missing:
            if self.unless_rejected(name, self.send, operation, *ids, if_match=if_match):
                self.counts["deleted"] += 1

    def save(self, kind: Kind, name: str, wanted: dict, known: Any, *parent: str) -> str | None:
        """Saves an entry. `known` has its external id or exactly its name; Roster finds others. Returns the id."""
        saved = self.unless_rejected(name, self.create_or_update, kind, wanted, known, *parent)
        if not saved:
            self.in_file.update([known.field_id] if known else [])
            return None
        record, outcome = saved
        self.in_file.add(record.field_id)
        self.counts[outcome] += 1
        return record.field_id

    def create_or_update(self, kind: Kind, wanted: dict, known: Any, *parent: str, attempt: int = 1) -> tuple[Any, str]:
        try:
            body = kind.input.from_dict(wanted)
        except (KeyError, TypeError, ValueError) as error:  # such as a field that is required
            raise Rejected(f"{type(error).__name__}: {error}", None) from None
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
        return self.create_or_update(kind, wanted, self.find(kind, wanted, *parent), *parent, attempt=attempt + 1)

    def find(self, kind: Kind, wanted: dict, *parent: str) -> Any:
        """The record with the external id, or else with the name, unless that has another external id."""
        of_parent = {"organization_id": parent[0]} if parent else {}
        id = wanted.get("externalId")
        if id and (found := self.send(kind.list, external_id=id, **of_parent).parsed.data):
            return found[0]
        found = self.send(kind.list, name=wanted["name"], **of_parent).parsed.data
        return next((one for one in found if not (id and one.external_id)), None)

    def unless_rejected(self, name: str, work: Any, *args: Any, **options: Any) -> Any:
        try:
            return work(*args, **options)
        except Rejected as error:
            message, code = error.args
            self.rejected.append(f"{name}: {message}{self.hint if code == FORBIDDEN else ''}")

    def all(self, operation: Any, *ids: str) -> Any:
        after = UNSET
        while after is not None:
            page = self.send(operation, *ids, limit=100, after=after)
            yield from page.parsed.data
            after = page.parsed.data[-1].field_id if 'rel="next"' in page.headers.get("Link", "") else None

    def send(self, operation: Any, *ids: str, **parameters: Any) -> Response:
        try:
            response = operation.sync_detailed(*ids, client=self.client, **parameters)
        except UnicodeEncodeError:
            raise Rejected("has half a character, a lone surrogate", None) from None
        except (AttributeError, KeyError, TypeError, ValueError):
            raise Stopped("The response is not one of Roster: is ROSTER its address?", 2) from None
        if response.status_code < 300:
            return response
        try:
            error = json.loads(response.content)
            details = error["message"] if isinstance(error["message"], list) else []
        except (KeyError, TypeError, ValueError):  # not of Roster
            raise Stopped(f"The response is {response.status_code}.", 2) from None
        message = "; ".join(f"{one['title']} {one['detail']}" for one in details) or error["message"]
        if response.status_code in (400, 403, 404, 409, 412):
            raise Rejected(message, error["code"])
        raise Stopped(f"{response.status_code}: {message}", 2)


def stored(value: Any) -> Any:
    """A value of the file as Roster stores it. Tags are sorted."""
    if isinstance(value, list):
        return sorted(value)
    if not isinstance(value, str):
        return value
    return re.sub(r"^[\s\ufeff]+|[\s\ufeff]+\Z", "", unicodedata.normalize("NFC", value)).replace("\r\n", "\n")


def with_known(entries: list[dict], records: list) -> list[tuple[dict, Any]]:
    """The entries, each with its record or None. Those with a new name come first: others may get the old one."""
    by_name = {one.name: one for one in records}
    by_id = {one.external_id: one for one in records if one.external_id}
    ids = {id_of(entry) for entry in entries}
    pairs = []
    for entry in entries:
        named = by_name.get(stored(entry["name"]))
        is_of_other = named and named.external_id and named.external_id in ids
        pairs.append((entry, by_id.get(id_of(entry)) or (None if is_of_other else named)))
    return sorted(pairs, key=lambda pair: not pair[1] or pair[1].name == stored(pair[0]["name"]))


def id_of(entry: dict) -> str | None:
    id = stored(entry.get("externalId"))
    return id if isinstance(id, str) and id else None


def key(name: str) -> str:
    """The key by which Roster compares names (docs/limits.md, "Keys of names")."""
    visible = IGNORABLE.sub("", unicodedata.normalize("NFKC", name))
    spaced = unicodedata.normalize("NFC", WHITE_SPACE.sub(" ", visible).strip(" "))
    folded = unicodedata.normalize("NFD", spaced.lower().upper().lower().replace("ς", "σ"))
    undotted = re.sub("(?<=i)([\u0300-\u0306\u0308-\u036f]*)\u0307", r"\1", folded)
    return re.sub("[\u2010-\u2015\u2212]", "-", unicodedata.normalize("NFC", undotted))


def read_entries(path: str) -> list[dict]:
    try:
        # Without a byte order mark, which Windows writes.
        entries = json.loads(Path(path).read_text("utf-8-sig"), parse_constant=refuse_constant)
    except OSError as error:
        raise Stopped(str(error), 2) from None
    except (RecursionError, ValueError) as error:
        raise Stopped(f"{path} is not JSON in UTF-8: {error}", 2) from None
    require_names(path, entries)
    for entry in entries:
        require_names(f'{path}: "apis" of {entry["name"]}', entry.get("apis", []))
        for api in entry.get("apis", []):
            require_consumers(f'{path}: "consumers" of {entry["name"]}: {api["name"]}', api.get("consumers", []))
    return entries


def refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def require_names(where: str, entries: Any) -> None:
    if not isinstance(entries, list):
        raise Stopped(f"{where} is not a list.", 2)
    for number, entry in enumerate(entries, 1):
        name = entry.get("name") if isinstance(entry, dict) else None
        if not isinstance(name, str) or not key(name):
            raise Stopped(f"{where}: entry {number} has no name.", 2)


def require_consumers(where: str, consumers: Any) -> None:
    if not isinstance(consumers, list):
        raise Stopped(f"{where} is not a list.", 2)
    for number, one in enumerate(consumers, 1):
        fields = {"organization": one} if isinstance(one, str) else one if isinstance(one, dict) else {}
        are_texts = all(isinstance(value, str) for value in fields.values())
        if not (are_texts and key(fields.get("organization", "")) and fields.keys() <= {"organization", "note"}):
            raise Stopped(f'{where}: entry {number} is not an Organization, or an "organization" with a "note".', 2)


parser = argparse.ArgumentParser()
parser.add_argument("file", nargs="?", default="organizations.json")
parser.add_argument("--delete", action="store_true")
parser.add_argument("--max-deletions", type=int)
arguments = parser.parse_args()
api_key = os.environ.get("ROSTER_KEY", "").strip()
if not api_key:
    parser.error("ROSTER_KEY is not set; it must be an API key (roster_…).")
if not api_key.isascii():
    parser.error("ROSTER_KEY must be an API key (roster_…).")
options: dict[str, Any] = {"timeout": httpx.Timeout(30), "httpx_args": {"transport": PatientTransport()}}
address = os.environ.get("ROSTER", "http://127.0.0.1:3000")
if not re.fullmatch("https?://[^?#]+", address):
    parser.error("ROSTER must be an http or https URL without ? and #.")
sync = Sync(AuthenticatedClient(address, api_key, **options))
try:
    sync.run(read_entries(arguments.file), arguments.delete, arguments.max_deletions)
    exit_code = 1 if sync.rejected or sync.left_out else 0
except Stopped as stopped:
    message, exit_code = stopped.args
    print(message, file=sys.stderr)
except (httpx.HTTPError, httpx.InvalidURL) as error:
    exit_code = 2
    print(error, file=sys.stderr)
sys.stdout.reconfigure(errors="backslashreplace")  # half a character has no bytes
summary = {**sync.counts, "missing": sync.missing, "rejected": sync.rejected + sync.left_out}
print(json.dumps(summary, ensure_ascii=False, indent=2))
sys.exit(exit_code)
