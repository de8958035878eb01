import type { Locator, Page } from 'playwright-core';
import { ADMIN } from '../support/service';

/** For which a page may move until what it shows is in its place. */
const FRAMES = 120;

/** Actions of a person in Swagger UI. */
export class SwaggerUi {
  constructor(readonly page: Page) {}

  /** Opens the page, and waits for the operations. */
  static async open(page: Page, address: string): Promise<SwaggerUi> {
    await page.goto(address);
    const swaggerUi = new SwaggerUi(page);
    await swaggerUi.loaded();
    return swaggerUi;
  }

  async loaded(): Promise<void> {
    await this.page.locator('.opblock').last().waitFor();
  }

  /** The ids of the operations, in the order in which they are shown. */
  operationIds(): Promise<string[]> {
    return this.page
      .locator('.opblock')
      .evaluateAll((blocks) => blocks.map((block) => (block as unknown as { id: string }).id.split('-').at(-1)!));
  }

  /** Opens the block of an operation. */
  async operation(id: string): Promise<Locator> {
    const block = this.page.locator(`.opblock[id$=-${id}]`);
    if ((await block.locator('.opblock-body').count()) === 0)
      await block.locator('.opblock-summary-control').dispatchEvent('click');
    await block.locator('button.execute').waitFor();
    return block;
  }

  /**
   * Executes an operation. Swagger UI draws a block again when it has resolved its references, and drops what has been
   * entered by then: a person is not that fast, so here it is entered again.
   *
   * @param enter fills in the form
   * @returns the status of the response, as the page shows it
   */
  async execute(id: string, enter?: (block: Locator) => Promise<void>): Promise<string> {
    const block = await this.operation(id);
    const clear = block.locator('button.btn-clear');
    if (await clear.isVisible()) await clear.dispatchEvent('click');
    const status = block.locator('.live-responses-table .response-col_status').last();
    const notSent = block.locator('.invalid');
    do {
      await enter?.(block);
      await block.locator('button.execute').click();
      await status.or(notSent).first().waitFor();
    } while (enter && (await notSent.isVisible()));
    return ((await status.textContent()) ?? '').trim().slice(0, 3);
  }

  /** Logs the Admin in with the form. @param name a username or an e-mail address */
  async logIn(name = ADMIN.username): Promise<void> {
    await this.operation('createSession');
    await this.page.getByLabel('Username or e-mail address').fill(name);
    await this.page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password);
    await this.page.keyboard.press('Enter');
    await this.closedLocks.first().waitFor();
  }

  /** Whether something is on the screen; of what is higher than the screen, its beginning. */
  async isInView(shown: Locator): Promise<boolean> {
    const screen = this.page.viewportSize()!.height;
    for (let frame = 0; frame < FRAMES; frame += 1) {
      const { y, height } = (await shown.boundingBox())!;
      if (y >= 0 && y + Math.min(height, screen / 2) <= screen) return true;
      await this.page.evaluate('new Promise(requestAnimationFrame)');
    }
    return false;
  }

  /** Enters a token in the dialog of the locks. */
  async paste(token: string, scheme = 'bearer'): Promise<void> {
    await this.page.locator('.auth-wrapper .authorize').click();
    const form = this.page.locator('.auth-container', { hasText: `${scheme} (http` });
    await form.locator('input').fill(token);
    await form.locator('button.authorize').click();
    await form.locator('.btn-done').click();
  }

  /** The locks that are open. */
  get openLocks(): Locator {
    return this.page.locator('.opblock .authorization__btn[aria-label*="unlocked"]');
  }

  get closedLocks(): Locator {
    return this.page.locator('.opblock .authorization__btn[aria-label$="locked"]:not([aria-label*="unlocked"])');
  }
}

/** Fills in the parameters in the path. */
export function inPath(value: string): (block: Locator) => Promise<void> {
  return async (block) => {
    for (const input of await block.locator('tr[data-param-in=path] input').all()) await input.fill(value);
  };
}
