/** Checks the files of examples/prometheus, and the metrics of the service, with promtool. */
import { join } from 'node:path';
import { installDebianPackages } from '../lib/debian-packages.mjs';
import { startOwnService } from '../lib/own-service.mjs';
import { ROOT } from '../lib/paths.mjs';
import { capture } from '../lib/processes.mjs';
import { step } from '../lib/steps.mjs';

const ALERTS = join(ROOT, 'scripts', 'examples', 'alerts.test.yml');

export async function checkPrometheus() {
  await installDebianPackages({ prometheus: 'promtool', curl: 'curl' });
  await step('Prometheus: the scrape configuration, and each alert', async () => {
    await capture('promtool', ['check', 'config', 'examples/prometheus/prometheus.yml']);
    await capture('promtool', ['test', 'rules', ALERTS]);
  });
  await step('Prometheus: the metrics of the service', async () => {
    const service = await startOwnService();
    const check = 'curl -sSf "$0/metrics" | promtool check metrics';
    await capture('bash', ['-eo', 'pipefail', '-c', check, service.address]).finally(() => service.stop());
  });
}
