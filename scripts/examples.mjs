/** `npm run test:examples`: checks the files of `examples` with tools of their own. See README.md here. */
import { join } from 'node:path';
import { debianPackages } from './lib/debian-packages.mjs';
import { packagesOf } from './lib/dependencies.mjs';
import { startOwnService } from '../test/support/own-service.mjs';
import { ROOT, TYPESCRIPT_CLIENT } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { capture } from './lib/processes.mjs';
import { pythonTool } from './lib/python-tool.mjs';
import { runMain, step } from './lib/steps.mjs';

const OPENTELEMETRY = join(ROOT, 'examples', 'opentelemetry');
const WEBHOOKS = join(ROOT, 'examples', 'webhooks');
const MCP = join(ROOT, 'examples', 'mcp');
const TSC = join(TYPESCRIPT_CLIENT, 'node_modules', 'typescript', 'bin', 'tsc');
/** Without `--test-force-exit`, a program that a test has started and not stopped keeps a failed run from ending. */
const test = (file) => capture('node', ['--test', '--test-force-exit', '--test-timeout=300000', file]);

runMain(async () => {
  const python = pythonTool('examples', 'the schemas of Kubernetes', ['kubernetes-validate==1.37.0']);
  const parts = [
    python,
    debianPackages({ prometheus: 'promtool', curl: 'curl' }),
    ...[OPENTELEMETRY, WEBHOOKS, MCP].map(packagesOf),
  ];
  await prepare({ build: true, database: true, client: true, parts });
  await step('Kubernetes manifests: the schemas of Kubernetes', () =>
    capture(join(python.bin, 'kubernetes-validate'), ['--strict', 'examples/kubernetes/roster.yaml']),
  );
  await step('Prometheus: the scrape configuration, and each alert', async () => {
    await capture('promtool', ['check', 'config', 'examples/prometheus/prometheus.yml']);
    await capture('promtool', ['test', 'rules', 'examples/prometheus/alerts.test.yml']);
  });
  await step('Prometheus: the metrics of the service', async () => {
    const service = await startOwnService();
    const check = 'curl -sSf "$0/metrics" | promtool check metrics';
    await capture('bash', ['-eo', 'pipefail', '-c', check, service.address]).finally(() => service.stop());
  });
  await step('OpenTelemetry: the commands of docs/operating.md, and what a collector gets', () =>
    test('examples/opentelemetry/traces.test.mjs'),
  );
  await step('Webhooks: the types of the forwarder', () => capture('node', [TSC, '-p', WEBHOOKS]));
  await step('Webhooks: a receiver that fails, and a forwarder that is killed', () =>
    test('examples/webhooks/forward.test.mjs'),
  );
  await step('Model Context Protocol: the types of the server', () => capture('node', [TSC, '-p', MCP]));
  await step('Model Context Protocol: its tools, called by a client', () => test('examples/mcp/server.test.mjs'));
  return 0;
});
