/**
 * Fills in the forms. That of a PUT is empty until its record has been read, because an example would overwrite a real
 * record; then it has the id, the fields and the ETag of the record. Passwords disappear once they have been sent.
 */

const JSON_TYPE = 'application/json';
const SECRETS = ['password', 'currentPassword'];

export function formsPlugin({ React, Im }) {
  const withoutExample = (RequestBody) =>
    function EmptyRequestBody(props) {
      const [, , method] = props.specPath;
      const content = props.requestBody.getIn(['content', JSON_TYPE]);
      if (method !== 'put' || !content) return React.createElement(RequestBody, props);
      const empty = content.delete('examples').set('example', Im.Map());
      const requestBody = props.requestBody.setIn(['content', JSON_TYPE], empty);
      return React.createElement(RequestBody, { ...props, requestBody });
    };

  const withoutSecrets = (original) => (path, method, request) =>
    original(path, method, { ...request, body: replaceSecrets(request.body, '…') });

  const thenFillIn = (original, system) => (path, method, response) => {
    const result = original(path, method, response);
    if (response.ok) forgetSecrets(system, [path, method]);
    if (response.ok && ['get', 'put'].includes(method)) fillIn(system, path, response);
    return result;
  };

  // The ids of the document are for other tools: a field with one would send a request for a record that does not exist.
  const withoutIds = (original) => (document) => {
    const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path));
    for (const { parameters = [] } of operations) for (const parameter of parameters) delete parameter.example;
    return original(document);
  };

  return {
    wrapComponents: { RequestBody: withoutExample },
    statePlugins: {
      spec: {
        wrapActions: {
          updateJsonSpec: withoutIds,
          // What the curl line shows.
          setRequest: withoutSecrets,
          setMutatedRequest: withoutSecrets,
          setResponse: thenFillIn,
        },
      },
    },
  };
}

/** Prepares the PUT of a record that was read or written. */
function fillIn({ specSelectors, specActions, oas3Actions }, path, { body, headers }) {
  const document = specSelectors.specJson();
  const reference = document.getIn(['paths', path, 'put', 'requestBody', 'content', JSON_TYPE, 'schema', '$ref']);
  if (!reference || !body?._id) return;
  const schema = document.getIn(reference.split('/').slice(1));
  const names = schema.get('properties').keySeq().toArray();
  const fields = names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]);
  const put = [path, 'put'];
  specActions.changeParam(put, 'id', 'path', body._id);
  specActions.changeParam(put, 'If-Match', 'header', headers.etag);
  setBody(oas3Actions, put, JSON.stringify(Object.fromEntries(fields), null, 2));
}

function forgetSecrets({ oas3Selectors, oas3Actions }, pathMethod) {
  const before = oas3Selectors.requestBodyValue(...pathMethod);
  const after = replaceSecrets(before, '');
  if (after !== before) setBody(oas3Actions, pathMethod, after);
}

/** Without the flag, Swagger UI replaces the body by the example when the block is opened for the first time. */
function setBody(oas3Actions, pathMethod, value) {
  oas3Actions.setRequestBodyValue({ value, pathMethod });
  oas3Actions.setRetainRequestBodyValueFlag({ value: true, pathMethod });
}

/** @returns a JSON body with another text for each password; anything else unchanged */
function replaceSecrets(body, replacement) {
  if (typeof body !== 'string' || !SECRETS.some((name) => body.includes(`"${name}"`))) return body;
  try {
    return JSON.stringify(
      JSON.parse(body, (key, value) => (SECRETS.includes(key) ? replacement : value)),
      null,
      2,
    );
  } catch {
    return body;
  }
}
