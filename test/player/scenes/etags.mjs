import { fails, holds, ok, same } from '../expect.mjs';

/** @type {import('../play.mjs').Scene[]} ETag, If-Match, If-None-Match: contract §2 */
export const scenes = [
  [
    'If-None-Match on GET and HEAD: 304 with the tag and no body',
    async (world) => {
      const alice = await world.person('alice');
      const { path, etag } = await world.organization(alice);
      for (const value of [etag, `"x", ${etag}`, `"x",${etag} , "y"`, `W/${etag}`, '*']) {
        for (const method of ['GET', 'HEAD']) {
          const answer = ok(await alice.ask(method, path, { headers: { 'if-none-match': value } }), 304);
          same(answer.headers.etag, etag, 'the tag');
        }
      }
      for (const value of ['"x"', `${etag.slice(0, -1)}x"`, etag.slice(1, -1), '"x", "y"', '""']) {
        ok(await alice.get(path, { 'if-none-match': value }));
      }
      fails(await (await world.person('bob')).get(`${path}/managers`, { 'if-none-match': '*' }), 403, 1200);
    },
  ],
  [
    'If-Match on PUT: the tag, * or a list with it; else 412 (1600) and nothing changes',
    async (world) => {
      const alice = await world.person('alice');
      const made = await world.organization(alice);
      let etag = made.etag;
      for (const [index, form] of [
        (tag) => tag,
        () => '*',
        (tag) => `"x", ${tag}`,
        (tag) => `"x",${tag},"y"`,
      ].entries()) {
        const body = { ...made, description: `change ${index}` };
        const answer = ok(await alice.put(made.path, body, { 'if-match': form(etag) }));
        holds(answer.headers.etag !== etag, 'a new tag');
        etag = answer.headers.etag;
      }
      for (const value of [made.etag, '"x"', `W/${etag}`, etag.slice(1, -1), `"x", W/${etag}`, '"*"', 'x"', '""']) {
        fails(await alice.put(made.path, { ...made, description: 'lost' }, { 'if-match': value }), 412, 1600);
      }
      const read = ok(await alice.get(made.path));
      same([read.body.description, read.headers.etag], ['change 3', etag], 'nothing changed');
    },
  ],
  [
    'If-Match on DELETE: no match 412, nothing deleted',
    async (world) => {
      const alice = await world.person('alice');
      const { path, etag } = await world.organization(alice);
      for (const value of ['"x"', `W/${etag}`, 'nonsense'])
        fails(await alice.delete(path, { 'if-match': value }), 412, 1600);
      ok(await alice.get(path));
      ok(await alice.delete(path, { 'if-match': etag }), 204);
      fails(await alice.delete(path, { 'if-match': '*' }), 404, 1234);
      const other = await world.organization(alice);
      ok(await alice.delete(other.path, { 'if-match': '*' }), 204);
    },
  ],
  [
    'a PUT that changes nothing changes nothing: same updatedAt, same ETag, 200',
    async (world) => {
      const alice = await world.person('alice');
      const made = await world.organization(alice, { description: 'a\nb' });
      const bodies = [
        made,
        { name: made.name, url: made.url, description: ' a\r\nb ' },
        { ...made, slug: 'x', managerIds: [] },
      ];
      for (const headers of [{}, { 'if-match': made.etag }, { 'if-match': '*' }]) {
        for (const body of bodies) {
          const answer = ok(await alice.put(made.path, body, headers));
          same([answer.body.data, answer.headers.etag], [made, made.etag], 'the same');
        }
      }
      const read = ok(await alice.get(made.path));
      same([read.body, read.headers.etag], [made, made.etag], 'nothing changed');
    },
  ],
  [
    'of many who PUT with one tag at once, one wins and the others get 412',
    async (world) => {
      const alice = await world.person('alice');
      const made = await world.organization(alice);
      const put = (number) => alice.put(made.path, { ...made, description: `by ${number}` }, { 'if-match': made.etag });
      const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(put));
      const winners = answers.filter(({ status }) => status === 200);
      same(winners.length, 1, 'one winner');
      for (const answer of answers.filter(({ status }) => status !== 200)) fails(answer, 412, 1600);
      same(ok(await alice.get(made.path)).body, winners[0].body.data, 'the winner is stored');
    },
  ],
  [
    'a PUT without If-Match that loses a race is applied again: all get 200',
    async (world) => {
      const alice = await world.person('alice');
      const made = await world.organization(alice);
      const answers = await Promise.all(
        [1, 2, 3, 4].map((number) => alice.put(made.path, { ...made, description: `by ${number}` })),
      );
      const texts = answers.map((answer) => ok(answer).body.data.description).sort();
      same(texts, ['by 1', 'by 2', 'by 3', 'by 4'], 'each as it asked');
      same(new Set(answers.map(({ headers }) => headers.etag)).size, 4, 'four revisions');
      const read = ok(await alice.get(made.path));
      holds(
        answers.some(({ headers }) => headers.etag === read.headers.etag),
        'the last write wins',
      );
    },
  ],
  [
    'If-Match on /users/:id',
    async (world) => {
      const me = await world.newcomer();
      const path = `/users/${me.id}`;
      const { etag } = ok(await me.get(path)).headers;
      fails(await me.put(path, { ...me.user, companyName: 'x' }, { 'if-match': '"x"' }), 412, 1600);
      fails(await me.delete(path, { 'if-match': '"x"' }), 412, 1600);
      ok(await me.get(path, { 'if-none-match': etag }), 304);
      ok(await me.put(path, { ...me.user, companyName: 'x' }, { 'if-match': etag }));
      ok(await me.delete(path, { 'if-match': '*' }), 204);
    },
  ],
];
