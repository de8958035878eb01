import { fails, holds, ok, oneWins, same, sameVersion } from '../expect.mjs';

/** @type {import('../play.mjs').Scenes} ETag, If-Match, If-None-Match: contract §2 */
export const scenes = {
  'If-None-Match on GET and HEAD: 304 with the ETag and no body': async ({ alice, bob }) => {
    const { path, etag } = await alice.organization();
    for (const value of [etag, `"x", ${etag}`, `"x",${etag} , "y"`, `W/${etag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const response = ok(await alice.send(method, path, { headers: { 'if-none-match': value } }), 304);
        same(response.headers.etag, etag, 'the ETag');
      }
    }
    for (const value of ['"x"', `${etag.slice(0, -1)}x"`, etag.slice(1, -1), '"x", "y"', '""']) {
      ok(await alice.get(path, { 'if-none-match': value }));
    }
    fails(await bob.get(`${path}/managers`, { 'if-none-match': '*' }), 403, 1200);
  },
  'If-Match on PUT: the ETag, * or a list; otherwise 412 (1600) and nothing changes': async ({ alice }) => {
    const made = await alice.organization();
    let etag = made.etag;
    for (const [index, form] of [
      (tag) => tag,
      () => '*',
      (tag) => `"x", ${tag}`,
      (tag) => `"x",${tag},"y"`,
    ].entries()) {
      const body = { ...made, description: `change ${index}` };
      const response = ok(await alice.put(made.path, body, { 'if-match': form(etag) }));
      holds(response.headers.etag !== etag, 'a new ETag');
      etag = response.headers.etag;
    }
    for (const value of [made.etag, '"x"', `W/${etag}`, etag.slice(1, -1), `"x", W/${etag}`, '"*"', 'x"', '""']) {
      fails(await alice.put(made.path, { ...made, description: 'lost' }, { 'if-match': value }), 412, 1600);
    }
    const read = ok(await alice.get(made.path));
    same([read.body.description, read.headers.etag], ['change 3', etag], 'nothing changed');
  },
  'If-Match on DELETE: without a match 412, and nothing is deleted': async ({ alice }) => {
    const { path, etag } = await alice.organization();
    for (const value of ['"x"', `W/${etag}`, 'nonsense'])
      fails(await alice.delete(path, { 'if-match': value }), 412, 1600);
    ok(await alice.get(path));
    ok(await alice.delete(path, { 'if-match': etag }), 204);
    fails(await alice.delete(path, { 'if-match': '*' }), 404, 1234);
    const other = await alice.organization();
    ok(await alice.delete(other.path, { 'if-match': '*' }), 204);
  },
  'a PUT that changes nothing has no effect: 200 with the same updatedAt and ETag': async ({ alice }) => {
    const made = await alice.organization({ description: 'a\nb' });
    const bodies = [
      made,
      { name: made.name, url: made.url, description: ' a\r\nb ' },
      { ...made, slug: 'x', managerIds: [] },
    ];
    for (const headers of [{}, { 'if-match': made.etag }, { 'if-match': '*' }]) {
      for (const body of bodies) {
        sameVersion(await alice.put(made.path, body, headers), made);
      }
    }
    sameVersion(await alice.get(made.path), made);
  },
  'of several PUTs with one ETag at once, one wins and the others get 412': async ({ alice }) => {
    const made = await alice.organization();
    const put = (number) => alice.put(made.path, { ...made, description: `by ${number}` }, { 'if-match': made.etag });
    const responses = await Promise.all([1, 2, 3, 4, 5, 6].map(put));
    const winner = oneWins(responses, 200, 412, 1600);
    sameVersion(await alice.get(made.path), winner, 'the winner is stored');
  },
  'a PUT without If-Match that loses a race is applied again: all get 200': async ({ alice }) => {
    const made = await alice.organization();
    const put = (number) => alice.put(made.path, { ...made, description: `by ${number}` });
    const responses = await Promise.all([1, 2, 3, 4].map(put));
    const texts = responses.map((response) => ok(response).body.data.description).sort();
    same(texts, ['by 1', 'by 2', 'by 3', 'by 4'], 'each as it asked');
    const { etag } = ok(await alice.get(made.path)).headers;
    const tags = responses.map(({ headers }) => headers.etag);
    same(new Set(tags).size, 4, 'four revisions');
    holds(tags.includes(etag), 'the last write wins');
  },
  'If-Match on /users/:id': async ({ newcomer }) => {
    const me = await newcomer();
    const path = `/users/${me.id}`;
    const { etag } = ok(await me.get(path)).headers;
    fails(await me.put(path, { ...me.user, companyName: 'x' }, { 'if-match': '"x"' }), 412, 1600);
    fails(await me.delete(path, { 'if-match': '"x"' }), 412, 1600);
    ok(await me.get(path, { 'if-none-match': etag }), 304);
    ok(await me.put(path, { ...me.user, companyName: 'x' }, { 'if-match': etag }));
    ok(await me.delete(path, { 'if-match': '*' }), 204);
  },
};
