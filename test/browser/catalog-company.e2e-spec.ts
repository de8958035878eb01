import { seed } from '../../src/commands/seed/seed';
import { Paper } from '../support/paper';
import { PASSWORD } from '../support/service';
import { screenshot } from './browser';
import { useCatalog } from './catalog-page';

const world = useCatalog();

it('the catalog shows of the example company until when an API lives, whom to ask, and who uses it', async () => {
  const counts = { users: 0, organizations: 0, apis: 0, company: true };
  await seed(world.browser.service.app, counts, PASSWORD, new Paper());
  const catalog = await world.openWithKey();
  await catalog.page.setViewportSize({ width: 1280, height: 800 });
  await catalog.show('Card Payments');
  await catalog.below('Who uses it').nth(2).waitFor();
  expect(await catalog.widthOfLogo()).toBe(128);
  await catalog.record.getByText(/^ends /).waitFor();
  await catalog.record.getByRole('link', { name: 'Card Payments 2' }).waitFor();
  await screenshot(catalog.page, 'catalog');
});
