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
const ATTENTION = join(ROOT, 'examples', 'attention');
const TSC = join(TYPESCRIPT_CLIENT, 'node_modules', 'typescript', 'bin', 'tsc');
/** Without `--test-force-exit`, a program that a test has started and not stopped keeps a failed run from ending. */
const test = (file) => ['node', '--test', '--test-force-exit', '--test-timeout=300000', `examples/${file}`];
const python = pythonTool('examples', 'the schemas of Kubernetes', ['kubernetes-validate==1.37.0']);
const manifests = [join(python.bin, 'kubernetes-validate'), '--strict', 'examples/kubernetes/roster.yaml'];
const CHECKS = {
  'Kubernetes manifests: the schemas of Kubernetes': manifests,
  'Prometheus: the scrape configuration': ['promtool', 'check', 'config', 'examples/prometheus/prometheus.yml'],
  'Prometheus: each alert': ['promtool', 'test', 'rules', 'examples/prometheus/alerts.test.yml'],
  'OpenTelemetry: the commands of docs/operating.md, and what a collector gets': test('opentelemetry/traces.test.mjs'),
  'Webhooks: the types of the forwarder': ['node', TSC, '-p', WEBHOOKS],
  'Webhooks: a receiver that fails, and a forwarder that is killed': test('webhooks/forward.test.mjs'),
  'Model Context Protocol: the types of the server': ['node', TSC, '-p', MCP],
  'Model Context Protocol: its tools, called by a client': test('mcp/server.test.mjs'),
  'Attention: the types of the program': ['node', TSC, '-p', ATTENTION],
  'Attention: what it lists, for whom, and its exit code': test('attention/attention.test.mjs'),
};

runMain(async () => {
  const programs = debianPackages({ prometheus: 'promtool', curl: 'curl' });
  const parts = [python, programs, ...[OPENTELEMETRY, WEBHOOKS, MCP].map(packagesOf)];
  await prepare({ build: true, database: true, client: true, parts });
  for (const [title, [program, ...args]] of Object.entries(CHECKS)) await step(title, () => capture(program, args));
  await step('Prometheus: the metrics of the service', async () => {
    const service = await startOwnService();
    const check = 'curl -sSf "$0/metrics" | promtool check metrics';
    await capture('bash', ['-eo', 'pipefail', '-c', check, service.address]).finally(() => service.stop());
  });
  return 0;
});
