import { API_KEY_SCOPES } from '../../src/platform/http/access/api-key';
import type { Method } from '../support/client';
import { declaredOperations } from '../contract/operations';
import { useService } from '../support/service';
import { OUTSIDE, routesOf } from './routes';
import { modes, Row, rows } from './rows';
import { CALLERS, Fixtures } from './fixtures';

/** What no API key may use (contract §4 API keys). */
const NO_KEY = /^\/sessions(\/|$)|\/api-keys(\/|$)/;

const rules = new Map(declaredOperations().map(({ title, rule }) => [title, rule]));
/** The route of a row: its name without the brackets. */
const routeOf = ({ name }: Row): string => name.replace(/ \(.*\)$/, '');

const ruleOf = (row: Row): unknown => rules.get(routeOf(row));
const changedRules = (changed: object): Set<unknown> => new Set(rows.filter(({ name }) => name in changed).map(ruleOf));

describe.each(modes)('The access matrix $name', ({ env, changed }) => {
  // A setting changes an access rule, and so the operations with that rule.
  const tried = Object.keys(env).length === 0 ? rows : rows.filter((row) => changedRules(changed).has(ruleOf(row)));
  const service = useService(env);
  let fixtures: Fixtures;
  beforeAll(async () => {
    fixtures = await Fixtures.of(service);
  });

  it('has rows for all routes of the contract, and for no others: see test/access-matrix/rows.ts', () => {
    const routes = routesOf(service).filter((route) => !OUTSIDE.test(route));
    expect([...rules.keys()].sort()).toEqual(routes.sort());
    expect([...new Set(rows.map(routeOf))].sort()).toEqual(routes);
  });

  it.each(tried)('$name', async (row) => {
    const method = routeOf(row).split(' ', 1)[0] as Method;
    const found: Record<string, number> = {};
    for (const caller of CALLERS) {
      const { status } = await fixtures.callers[caller].send({ method, ...(await row.request(fixtures, caller)) });
      found[caller] = status;
    }
    const statuses = changed[row.name] ?? row.statuses;
    expect(found).toEqual(Object.fromEntries(CALLERS.map((caller, index) => [caller, statuses[index]])));
  });

  const keyCases = API_KEY_SCOPES.flatMap((scope) => tried.map((row) => ({ scope, row, name: row.name })));
  it.each(keyCases)('$name with an API key of scope $scope', async ({ scope, row }) => {
    const [method = '', path = ''] = routeOf(row).split(' ');
    const isOpen = /^POST \/(sessions|tokens)$/.test(routeOf(row));
    const isRefused = !isOpen && (NO_KEY.test(path) || (scope === 'read' && method !== 'GET'));
    for (const caller of ['Manager', 'Admin'] as const) {
      const client = await fixtures.program(caller, scope);
      const sent = await row.request(fixtures, caller);
      const { status, body } = await client.send({ method: method as Method, ...sent });
      const usual = (changed[row.name] ?? row.statuses)[CALLERS.indexOf(caller)];
      const expected = isRefused ? { status: 403, code: 1201 } : { status: usual };
      expect({ caller, status, ...(isRefused && { code: body.code }) }).toEqual({ caller, ...expected });
      if (method === 'GET') expect((await client.send({ ...sent, method: 'HEAD' })).status).toBe(expected.status);
    }
  });

  it('needs no login outside the contract', async () => {
    const outside = routesOf(service).filter((route) => OUTSIDE.test(route) && !/[:*]/.test(route));
    expect(outside.length).toBeGreaterThanOrEqual(4);
    for (const route of outside) {
      const { status } = await service.nobody.get(route.replace('GET ', ''));
      expect({ route, status }).toEqual({ route, status: route.endsWith('/docs/') ? 308 : 200 });
    }
  });
});
