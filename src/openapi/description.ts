/** The document's description of the API as a whole. Markdown. */
export const description = `Roster keeps a registry of **Organizations**, the **Users** who manage them (**Managers**), and the **Apis** they publish.

### Log in
\`POST /sessions\` with a username or an e-mail address and the password gives an \`accessToken\` and a \`refreshToken\`.
Send the first with every other request, as \`Authorization: Bearer <accessToken>\`; in Swagger UI, paste it at *Authorize*.
It is good for 15 minutes by default. \`POST /tokens\` gives the next pair for the refresh token, \`DELETE /sessions/{id}\` logs out.

### Answers
GET of one record gives its own fields. Lists, POST and PUT wrap what they give: \`{"status": "success", "data": …}\`.
A failure is \`{"status": "fail", "message": "…", "code": 1234}\`; content that is not valid has code 1024, and \`message\`
is then a list of faults, one a field. The codes are in docs/errors.md; each operation lists those it can answer with.

### Checks
The first check that fails answers: the request can be understood, its path exists (404 1301) and has the method (405), the
service takes requests (503, 429), the caller has an account (401), everything the path names exists (404), the caller may do it
(403), the query string is right (400 1002), the body can be read (415, 413, 400 1001), its content is valid (400 1024).

### Lists
\`skip\` and \`limit\` page through a list; \`after=<id>\` instead of \`skip\` starts behind a record, so that a walk meets each
record once while others come and go. The \`Link\` header has the next and the previous page. \`Prefer: count=exact\` adds
\`X-Total-Count\`. \`q\` finds records of which a searched field contains the text, without regard to case.

### Changes
PUT replaces: an optional field that is left out is cleared, unless said otherwise. Read-only fields are accepted and ignored, so
what GET gave can be PUT back. Send the record's \`ETag\` as \`If-Match\`, and a change that others have overtaken fails with 412
instead of undoing theirs. \`If-None-Match\` on GET answers 304 while nothing has changed.

### Everywhere
HEAD answers as GET, without the body. OPTIONS lists the methods of a path in \`Allow\`. Each answer carries an \`X-Request-Id\`.
Ids are 24 lower-case hexadecimal digits; dates are UTC with milliseconds. Lengths count Unicode code points.`;

/** What the groups of operations are about, in the order in which a newcomer meets them. */
export const tags = [
  { name: 'sessions', description: 'Log in, stay logged in, log out.' },
  { name: 'users', description: 'The people who have an account.' },
  { name: 'organizations', description: 'The records of the registry, each with its Managers and Apis.' },
  { name: 'managers', description: 'The Users who manage an Organization.' },
  { name: 'apis', description: 'The Apis that Organizations publish.' },
  { name: 'files', description: 'Pictures: the logos of Organizations.' },
];
