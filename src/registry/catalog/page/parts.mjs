// Fills parts of the page with what Roster responds.
import { button, element, problem, ul } from './elements.mjs';
import { nextOf, request, whileSignedIn } from './http.mjs';

/** Fills a part of the page. A newer run, or the end of the outer one, ends this one. An error is shown in its place. */
export async function fill(part, work, outer = whileSignedIn()) {
  part.run?.abort();
  part.run = new AbortController();
  const signal = AbortSignal.any([part.run.signal, outer]);
  part.ariaBusy = 'true';
  const content = await work(signal).catch(({ message, status }) => {
    const again = button('Try again', () => fill(part, work, outer));
    return [problem(message), status === 404 ? element('a', { href: './' }, 'Go to the catalog') : again];
  });
  if (signal.aborted) return;
  part.replaceChildren(...content.flat(Infinity).filter(Boolean));
  part.ariaBusy = 'false';
}

/** A page of a list, its number in `count`, and a button for the next one. Pages without an item are passed over, ten at once. */
export async function pageOf(path, { itemsOf, none, count }, signal, before = 0) {
  const response = await request(path, { signal, count });
  const { data } = await response.json();
  const next = nextOf(response);
  const shown = before + data.length;
  const items = await itemsOf(data, signal);
  const isPassedOver = next && items.length === 0 && shown % (10 * data.length) > 0;
  if (isPassedOver) return pageOf(next, { itemsOf, none, count }, signal, shown);
  const total = Number(response.headers.get('X-Total-Count'));
  if (count && total) count.textContent = `1–${shown.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  const rest = element('div');
  const more = async () => {
    await fill(rest, (own) => pageOf(next, { itemsOf, none: 'No more.', count }, own, shown), signal);
    rest.querySelector('a, button')?.focus();
  };
  if (next) rest.append(button('More', more));
  return [ul(items, next ? `None among the first ${shown}.` : none), rest];
}

/** A list under a heading of its own. */
export function section(title, path, list, outer, heading = 'h3') {
  const part = element('div');
  fill(part, (signal) => pageOf(path, list, signal), outer);
  return element('section', {}, element(heading, {}, title), part);
}
