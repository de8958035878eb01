"""The flow of clients/README.md with the client that OpenAPI Generator makes for Python."""

import os
from pathlib import Path

from openapi_client import ApiClient, ApiException, Configuration, FilesApi, OrganizationsApi, SessionsApi
from openapi_client import FieldError, LoginInput, OrganizationInput

configuration = Configuration(host=os.environ["ROSTER"])
client = ApiClient(configuration)
login = LoginInput(username="admin", password=os.environ["ROSTER_PASSWORD"])
configuration.access_token = SessionsApi(client).create_session(login).data.access_token
organizations, files = OrganizationsApi(client), FilesApi(client)


def refused(call, *args, **kwargs) -> ApiException:
    try:
        call(*args, **kwargs)
    except ApiException as error:
        return error
    raise AssertionError("there was no error")


one_id = organizations.create_organization(OrganizationInput(name="Python & Sons", url="https://python.example")).data.id
assert [one.id for one in organizations.list_organizations(q="python & s").data] == [one_id]

read = organizations.get_organization_with_http_info(one_id)
etag = read.headers["etag"]
assert refused(organizations.get_organization, one_id, if_none_match=etag).status == 304

body = OrganizationInput.from_dict(read.data.to_dict())
body.description = "We make nets."
updated = organizations.update_organization(one_id, body, if_match=etag).data
assert (updated.description, len(updated.manager_ids)) == ("We make nets.", 1)
conflict = refused(organizations.update_organization, one_id, body, if_match=etag)
assert (conflict.status, conflict.data.code) == (412, 1600)

invalid = refused(organizations.create_organization, OrganizationInput(name=" ", url="https://python.example")).data
fields = [FieldError.from_dict(one) for one in invalid.message]
assert (invalid.code, fields[0].code, fields[0].title) == (1024, 5622, "name")

image = Path(os.environ["ROSTER_IMAGE"])
file = files.create_file((image.name, image.read_bytes())).data
assert file.content_type == "image/png"
files.delete_file(file.id)
organizations.delete_organization(one_id)
