// Makes elements of texts. Whatever a text says, it is never markup.

/** An element; texts among its children stay texts. */
export function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.flat(Infinity).filter(Boolean));
  return made;
}
export const button = (text, onclick) => element('button', { type: 'button', onclick }, text);
export const mark = (text, kind = text) => [element('span', { className: `mark ${kind}` }, text), ' '];

export function web(url) {
  const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  return isWeb ? element('a', { href: url, rel: 'noreferrer' }, url) : url;
}

/** The whole address is encoded, because a mail program reads `%0a` and `&` in it. */
export function mail(address) {
  const href = `mailto:${address?.split('@').map(encodeURIComponent).join('@')}`;
  return address && element('a', { href }, address);
}

/** When it ends, or has ended; a date alone holds until the end of that day in UTC. */
export function endOf({ sunsetAt }) {
  if (!sunsetAt) return null;
  const isDay = sunsetAt.length === 10;
  const isOver = Date.parse(sunsetAt) + (isDay ? 86_400_000 : 0) <= Date.now();
  const timeZone = isDay ? 'UTC' : undefined;
  const day = new Date(sunsetAt).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone });
  return [element('time', { className: 'mark end', dateTime: sunsetAt }, `${isOver ? 'ended' : 'ends'} ${day}`), ' '];
}

export function item(head, texts, ...marks) {
  const separated = texts.filter(Boolean).flatMap((text) => [' · ', text]);
  return element('li', {}, head, element('p', { dir: 'auto' }, separated.slice(1)), element('p', {}, marks));
}

export function facts(rows) {
  const known = Object.entries(rows).filter(([, value]) => value?.length !== 0 && value);
  const pairs = known.map(([term, value]) => [element('dt', {}, term), element('dd', { dir: 'auto' }, value)]);
  return element('dl', {}, pairs);
}

export function contactOf({ contactName, contactEmail, contactPhone, contactUrl }) {
  return [contactName, mail(contactEmail), contactPhone, web(contactUrl)]
    .filter(Boolean)
    .map((way) => element('p', {}, way));
}
