import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BrowserContext, chromium, Page } from 'playwright-core';
import { Service, startService } from '../support/service';

const CHROMIUM = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));
if (CHROMIUM === undefined) {
  throw new Error(
    'Chromium is missing. Install it (Debian, Ubuntu: apt-get install chromium), or set CHROMIUM to its path.',
  );
}

/** The size of the screen that the promises are about. */
export const SCREEN = { width: 1280, height: 900 };

/** For root (no sandbox), and without requests to the hosts of the browser's vendor. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A service under a base path, and a browser. */
export class Browser {
  /** The origins that were requested, and the errors in the console, violations of the policy included. */
  readonly requested = new Set<string>();
  readonly consoleErrors: string[] = [];

  private constructor(
    readonly service: Service,
    /** Address of the service, with its base path. */
    readonly url: string,
    private readonly context: BrowserContext,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<Browser> {
    const service = await startService({ BASE_PATH: '/registry', ...env });
    const url = `${await service.url()}/registry`;
    const options = { executablePath: CHROMIUM, args: ARGUMENTS, viewport: SCREEN };
    // Without a path, the profile is temporary.
    return new Browser(service, url, await chromium.launchPersistentContext('', options));
  }

  /** A new tab, with a sessionStorage of its own. */
  async newPage(): Promise<Page> {
    const page = await this.context.newPage();
    page.on('request', (request) => this.requested.add(new URL(request.url()).origin));
    page.on('console', (message) => {
      if (message.type() === 'error') this.consoleErrors.push(message.text());
    });
    page.on('pageerror', (error) => this.consoleErrors.push(error.message));
    // Without the animations of Swagger UI, each frame of which is drawn by the processor.
    const session = await this.context.newCDPSession(page);
    await session.send('Animation.enable');
    await session.send('Animation.setPlaybackRate', { playbackRate: 1_000 });
    return page;
  }

  /** Requests to other hosts, and errors in the console. */
  problems(): string[] {
    const { origin } = new URL(this.url);
    return [...[...this.requested].filter((one) => one !== origin && one !== 'null'), ...this.consoleErrors];
  }

  /** Closes the tabs, but for the first one, without which Chromium ends. */
  async closePages(): Promise<void> {
    for (const page of this.context.pages().slice(1)) await page.close();
  }

  async stop(): Promise<void> {
    await this.context.close();
    await this.service.stop();
  }
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on a page that keeps people from using it, as the elements it is about. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(`axe.run().then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html)))`);
}

/** Writes docs/images/NAME.png, if SCREENSHOTS is set: `SCREENSHOTS=1 npm run test:browser`. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: join(__dirname, `../../docs/images/${name}.png`) });
}
