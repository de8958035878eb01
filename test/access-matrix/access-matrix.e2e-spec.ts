import { API_KEY_SCOPES, type ApiKeyScope } from '../../src/platform/http/access/api-key';
import { withKey } from '../registry/api-keys/keys';
import type { ApiResponse, Client } from '../support/client';
import type { Operation } from '../support/operations';
import { addManager, createOrganization } from '../support/records';
import { OUTSIDE, routesOf } from '../support/routes';
import { type Caller, CALLERS, type Row } from '../support/scene';
import { isRows, operations, resourceOf, rowsOf, sceneFile, scenes } from '../support/scenes';
import { useService } from '../support/service';
import { Stage } from '../support/stage';

/** What no API key may use (contract §4 API keys). */
const NO_KEY = /^\/sessions(\/|$)|\/(api-keys|password-links|invitations)(\/|$)/;
const IS_OPEN = /^POST \/(sessions|tokens|links\/current)$/;

/** An operation on one kind of record. */
interface Case {
  readonly name: string;
  readonly operation: Operation;
  readonly row: Row;
}

const casesOf = (operation: Operation, rows = rowsOf(operation)): Case[] =>
  rows.map((row) => {
    const { of: whose, title = whose } = row;
    return { name: `${operation.title}${title ? ` (${title})` : ''}`, operation, row };
  });

const all: Case[] = operations
  .filter((operation) => scenes.get(resourceOf(operation))?.access[operation.title])
  .flatMap((operation) => casesOf(operation));

/** A setting changes an access rule, and so the operations with that rule. */
const changed = [...scenes.values()].flatMap(({ settings = {} }) => Object.entries(settings));
const modes = changed.map(([setting, statuses]) => {
  const rules = operations.filter(({ title }) => title in statuses).map(({ rule }) => rule);
  const cases = operations
    .filter(({ rule }) => rules.includes(rule))
    .flatMap((operation) => {
      const changed = statuses[operation.title]!;
      const rows = isRows(changed) ? changed : rowsOf(operation).map((row) => ({ ...row, statuses: changed }));
      return casesOf(operation, rows);
    });
  return { setting, cases };
});

describe.each([{ setting: 'BASE_PATH=', cases: all }, ...modes])(
  'The access matrix with $setting',
  ({ setting, cases }) => {
    const [variable = '', value = ''] = setting.split('=');
    const service = useService({ [variable]: value, ORGANIZATIONS_PER_USER: '0' });
    let callers: Readonly<Record<Caller, Client>>;
    const programs = new Map<string, Client>();
    beforeAll(async () => {
      const [account, other, manager] = await service.accountsOf(3);
      const { nobody, admin } = service;
      callers = { nobody, account: account!, 'other Manager': other!, Manager: manager!, Admin: admin };
      await addManager(admin, (await createOrganization(admin))._id, other!.id);
    });

    const stages = new Map<Row, Stage>();

    /** The records of a row: those of its last request, unless that has changed or deleted them. */
    async function stageOf({ row }: Case, caller: Caller): Promise<Stage> {
      const isOwn = row.of === 'own' && caller !== 'nobody';
      if (row.of) return new Stage(service, isOwn ? callers[caller] : await service.account());
      const stage = stages.get(row) ?? new Stage(service, callers.Manager);
      stages.set(row, stage);
      return stage;
    }

    /** Sends the request of a row. */
    async function send(one: Case, caller: Caller, client = callers[caller]): Promise<ApiResponse> {
      const { operation, row } = one;
      const stage = await stageOf(one, caller);
      const usual = await stage.request(operation, callers[caller], row);
      const request = { ...usual, ...(await row.request?.(stage, callers[caller])) };
      const response = await client.send(request);
      if (operation.method === 'GET') {
        const { status } = await client.send({ ...request, method: 'HEAD' });
        expect({ caller, status }).toEqual({ caller, status: response.status });
      } else if (response.status < 300) stages.delete(row);
      return response;
    }

    /** The caller with an API key of this scope, which is made for the first request. */
    async function programOf(caller: Caller, scope: ApiKeyScope): Promise<Client> {
      const name = `${caller} ${scope}`;
      const program = programs.get(name) ?? (await withKey(callers[caller], { scope })).program;
      programs.set(name, program);
      return program;
    }

    it.each(cases)('$name', async (one) => {
      const found: number[] = [];
      for (const caller of CALLERS) found.push((await send(one, caller)).status);
      const byCaller = (statuses: readonly number[]): object =>
        Object.fromEntries(CALLERS.map((caller, index) => [caller, statuses[index]]));
      const file = sceneFile(resourceOf(one.operation));
      expect({ file, ...byCaller(found) }).toEqual({ file, ...byCaller(one.row.statuses) });
    });

    const keyCases = API_KEY_SCOPES.flatMap((scope) => cases.map((one) => ({ scope, one, name: one.name })));
    it.each(keyCases)('$name with an API key of scope $scope', async ({ scope, one }) => {
      const { method, path, title } = one.operation;
      const isRefused = !IS_OPEN.test(title) && (NO_KEY.test(path) || (scope === 'read' && method !== 'GET'));
      for (const caller of ['Manager', 'Admin'] as const) {
        const { status, body } = await send(one, caller, await programOf(caller, scope));
        const expected = isRefused
          ? { status: 403, code: 1201 }
          : { status: one.row.statuses[CALLERS.indexOf(caller)] };
        expect({ caller, status, ...(isRefused && { code: body.code }) }).toEqual({ caller, ...expected });
      }
    });
  },
);

describe('the routes outside the contract', () => {
  const service = useService();

  it('need no login', async () => {
    const outside = routesOf(service).filter((route) => OUTSIDE.test(route) && !/[:*]/.test(route));
    expect(outside.length).toBeGreaterThanOrEqual(4);
    for (const route of outside) {
      const { status } = await service.nobody.get(route.replace('GET ', ''));
      expect({ route, status }).toEqual({ route, status: /\/(docs\/|catalog)$/.test(route) ? 308 : 200 });
    }
  });
});
