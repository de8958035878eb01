import type { ApiDescription } from '../platform/http/openapi/document';

const description = `Roster is a registry of **Organizations**, the **Users** who manage them (their **Managers**), and the **APIs** they publish.

To log in, send a username or an e-mail address and the password with \`POST /sessions\`. Swagger UI then sends the access
token with every request, and refreshes it, until you log out or close the tab. [All error codes](/docs/errors)

### Contacts
Every account can find out who is responsible for an Organization or an API: see the \`contact…\` fields of both.
\`GET /organizations/{id}/managers\` lists the people who manage it. \`GET /users?q=\` finds a colleague, unless the operator leaves that
to Admins.

### Tokens
\`POST /sessions\` returns an \`accessToken\` and a \`refreshToken\`. Programs send the access token with every other request:
\`Authorization: Bearer <accessToken>\`. It is valid for 15 minutes by default. \`POST /tokens\` returns the next pair for the
refresh token; \`DELETE /sessions/{id}\` logs out.

### API keys
A program needs no login: create a key with \`POST /users/{id}/api-keys\`, and send it in the place of the access token. In
Swagger UI, _Authorize_ takes a key too.

### Responses
GET of one record returns its fields. Lists, POST and PUT wrap what they return: \`{"status": "success", "data": …}\`.
An error is \`{"status": "fail", "message": "…", "code": 1501}\`. If the body is not valid, the code is 1024 and \`message\` is a
list with one item per field. Each operation lists its own errors; \`default\` lists those that any request can get.
Ignore fields that you don't know: new ones may be added.

### Lists
\`skip\` and \`limit\` page through a list. With \`after=<id>\` instead of \`skip\` you get every record once, even if others are
added or deleted in the meantime. \`sort=-_id\` begins with the newest. The \`Link\` header has the next and the previous page. \`Prefer: count=exact\` adds
\`X-Total-Count\`. \`q\` finds records with this text in a searched field, ignoring case.

### Changes
PUT replaces the record: an optional field that you leave out gets its default, unless stated otherwise. Read-only fields are accepted
and ignored, so you can send back what GET returned. Send the record's \`ETag\` as \`If-Match\`, and if someone else has changed
the record, you get 412 instead of undoing their change. GET with \`If-None-Match\` returns 304 if nothing has changed.

### All requests
HEAD returns what GET does, without the body. OPTIONS lists a path's methods in \`Allow\`. Every response has an \`X-Request-Id\`.
Ids are 24 lower-case hexadecimal digits. Dates that Roster sets are UTC with milliseconds. Lengths count Unicode code points.
White space around a text is removed. A required text must not be blank. Tabs and line breaks are only allowed in
descriptions, other control characters nowhere. Passwords are not trimmed.`;

/** What the OpenAPI document says about the API as a whole. */
export const apiDescription: ApiDescription = {
  title: 'Roster',
  description,
  // What people come for, then what they need for it.
  tags: {
    organizations: 'The records of the registry, each with its Managers and APIs.',
    apis: 'The APIs that Organizations publish.',
    consumers: 'The Organizations that use an API.',
    sessions: 'Log in, stay logged in, log out.',
    users: 'The people who have an account.',
    managers: 'The Users who manage an Organization.',
    links: 'Links with which people set a password or accept an invitation, once.',
    'api-keys': 'Keys with which programs act as a User.',
    events: 'Who created, changed or deleted what.',
    files: 'Images that are used as logos of Organizations.',
  },
};
