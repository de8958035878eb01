/** `npm run test:examples`: checks the files of `examples` with tools of their own. See README.md here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTraces } from './examples/opentelemetry.mjs';
import { checkPrometheus } from './examples/prometheus.mjs';
import { testWebhooks } from './examples/webhooks.mjs';
import { ROOT } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { capture } from './lib/processes.mjs';
import { pythonTool } from './lib/python-tool.mjs';
import { runMain, step } from './lib/steps.mjs';

/** All versions are exact, without dependencies: docker-compose 1.29 asks for some that are no longer installable. */
const OPTIONS = ['--no-deps', '--only-binary', ':all:'];

runMain(async () => {
  await prepare({ build: true, database: true, client: true });
  const packages = readFileSync(join(ROOT, 'scripts', 'examples', 'requirements.txt'), 'utf8')
    .trim()
    .split('\n');
  const bin = await pythonTool('examples', 'the schemas of Kubernetes and docker-compose', packages, OPTIONS);
  await step('Kubernetes manifests: the schemas of Kubernetes', () =>
    capture(join(bin, 'kubernetes-validate'), ['--strict', 'examples/kubernetes/roster.yaml']),
  );
  await step('Compose file: the schema of docker-compose 1.29', () =>
    capture(join(bin, 'python'), ['scripts/examples/check-compose.py', 'docker-compose.yml']),
  );
  await checkPrometheus();
  await step('OpenTelemetry: the commands of docs/operating.md, and what a collector gets', () => checkTraces());
  await testWebhooks();
  return 0;
});
