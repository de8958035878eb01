import { Logger } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { Database } from '../../../src/platform/records/database';
import { ManagementServer } from '../../../src/platform/operations/health/management-server';
import { User } from '../../../src/registry/users/user.schema';
import { expectError } from '../../support/expect-error';
import { Json } from '../../support/json';
import { organizationBody } from '../../support/records';
import { startService, useService } from '../../support/service';

const BASE_PATH = '/registry';
const service = useService({ BASE_PATH });

async function read(): Promise<string> {
  return (await service.app.inject(`${BASE_PATH}/metrics`)).body;
}

/** The value of a series, as the metrics write it; 0 if there is none. */
async function valueOf(series: string): Promise<number> {
  const line = (await read()).split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length) ?? 0);
}

/** By how much the work raises a series. */
async function rise(series: string, work: () => Promise<unknown>): Promise<number> {
  const before = await valueOf(series);
  await work();
  return (await valueOf(series)) - before;
}

describe('the metrics', () => {
  it('count requests by method, route pattern without the base path, and status', async () => {
    for (const [path, labels] of [
      ['/users/x', 'route="/users/:id",status="404"'],
      ['/no/such/path', 'route="none",status="404"'],
    ] as const) {
      const work = (): Promise<unknown> => service.admin.get(BASE_PATH + path);
      expect(await rise(`roster_http_request_duration_seconds_count{method="GET",${labels}}`, work)).toBe(1);
    }
  });

  it('begin with roster_, process_ or nodejs_, without those whose reading can abort the process', async () => {
    const names = [...(await read()).matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
    expect(names.filter((name) => !/^(roster|process|nodejs)_/.test(name))).toEqual([]);
    expect(await valueOf('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(await read()).not.toMatch(/nodejs_active_(?:handles|requests)/);
  });

  it('are a 500 as any other response when they cannot be read, and reveal nothing', async () => {
    jest.spyOn(Registry.prototype, 'metrics').mockRejectedValueOnce(new Error('a secret'));
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    expectError(await service.nobody.get(`${BASE_PATH}/metrics`), 'unexpected');
    expect(error).toHaveBeenCalledWith(expect.objectContaining({ msg: 'Unexpected error' }));
    error.mockRestore();
  });

  it('count errors by code: of the router, of guards and of operations', async () => {
    for (const [path, code] of [
      ['/nothing', 1301],
      ['/users', 1100],
    ]) {
      const work = (): Promise<unknown> => service.nobody.get(`${BASE_PATH}${path}`);
      expect(await rise(`roster_http_error_responses_total{code="${code}"}`, work)).toBe(1);
    }
    const body = organizationBody();
    await service.admin.post(`${BASE_PATH}/organizations`, body);
    const conflict = (): Promise<unknown> => service.admin.post(`${BASE_PATH}/organizations`, body);
    expect(await rise('roster_http_error_responses_total{code="1501"}', conflict)).toBe(1);
  });

  it('count connections to the database: in use, idle, and operations that wait for one', async () => {
    const { driver } = service.app.get(Database);
    let most = 0;
    service.connection.getClient().on('connectionCheckedOut', () => (most = Math.max(most, driver.inUse)));
    const reads = Array.from({ length: 60 }, () => service.model<User>('User').findOne().lean().exec());
    await new Promise((resolve) => service.connection.getClient().once('connectionCheckOutStarted', resolve));
    expect(driver.waiting).toBeGreaterThan(0);
    await Promise.all(reads);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(50);
    expect(driver.open).toBeGreaterThanOrEqual(most);
    const [inUse, idle] = [
      await valueOf('roster_database_pool{state="in_use"}'),
      await valueOf('roster_database_pool{state="idle"}'),
    ];
    expect(inUse + idle).toBe(driver.open);
  });

  it('have a port of their own in production, which closes with the service', async () => {
    const management = { MANAGEMENT_HOST: '127.0.0.2', MANAGEMENT_PORT: '0' };
    const other = await startService({ NODE_ENV: 'production', MONGODB_URI: service.databaseUri, ...management });
    const { url } = other.app.get(ManagementServer);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.2:\d+\/metrics$/);
    expect(await (await fetch(url)).text()).toContain('roster_database_pool');
    expect((await fetch(new URL('/', url))).status).toBe(404);
    expectError(await other.admin.get('/metrics'), 'pathNotFound');
    await other.stop();
    await expect(fetch(url)).rejects.toThrow();
  });
});

describe('the Grafana dashboard', () => {
  const file = readFileSync(join(__dirname, '../../../examples/grafana/roster.json'), 'utf8');
  const panels: Json[] = JSON.parse(file).panels.filter(({ targets }: Json) => targets);
  // Prometheus adds `instance`; a histogram has `le`.
  const labelsOf = (series: string): string[] => [
    'instance',
    ...[...series.matchAll(/(\w+)="/g)].map(([, name]) => name!),
  ];

  it.each<[string, string[]]>(panels.map(({ title, targets }) => [title, targets.map(({ expr }: Json) => expr)]))(
    'shows metrics that there are: %s',
    async (_title, expressions) => {
      const text = await read();
      for (const expression of expressions) {
        const names = [...expression.matchAll(/(\w+)\{/g)].map(([, name]) => name!);
        expect(names).not.toEqual([]);
        const series = names.flatMap((name) => text.match(new RegExp(`^${name}(\\{.*\\})? .*$`, 'm')) ?? []);
        expect(names.filter((name) => !series.some((one) => one?.startsWith(name)))).toEqual([]);
        const labels = new Set(series.flatMap((one) => labelsOf(one ?? '')));
        const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(', '));
        const filtered = [...expression.matchAll(/(\w+)=~/g)].map(([, name]) => name!);
        expect([...grouped, ...filtered].filter((label) => !labels.has(label))).toEqual([]);
      }
    },
  );
});
