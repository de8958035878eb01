// Makes elements of texts. Whatever a text says, it is never markup.

const DAY = 86_400_000;
/** The date that is so many days from now, in UTC. */
export const inDays = (days) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
/** An element; texts among its children stay texts. */
export function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.flat(Infinity).filter(Boolean));
  return made;
}

export const byId = (id) => document.getElementById(id);
export const ul = (items, none = '') => (items.length > 0 ? element('ul', {}, items) : paragraph(none));
export const button = (text, onclick) => element('button', { type: 'button', onclick }, text);
export const problem = (text) => element('p', { className: 'error', role: 'alert' }, text);
export const paragraph = (text) => element('p', {}, text);
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
/** A date alone is a day in UTC. */
export function day(date) {
  const timeZone = date.length === 10 ? 'UTC' : undefined;
  return new Date(date).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone });
}
/** A date alone holds until the end of that day in UTC. */
export function endOf({ sunsetAt }) {
  if (!sunsetAt) return null;
  const isOver = Date.parse(sunsetAt) + (sunsetAt.length === 10 ? DAY : 0) <= Date.now();
  const text = `${isOver ? 'ended' : 'ends'} ${day(sunsetAt)}`;
  return [element('time', { className: 'mark end', dateTime: sunsetAt }, text), ' '];
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
  return [contactName, mail(contactEmail), contactPhone, web(contactUrl)].filter(Boolean).map(paragraph);
}
export const field = (label, control) => element('label', {}, label, control);
export const input = (label, name, properties) => field(label, element('input', { name, ...properties }));
export const option = ([value, text = value]) => element('option', { value }, text);
/** @param options their values and texts */
export const select = (label, name, options) => field(label, element('select', { name }, ...options.map(option)));

/** A form with one button. It says what is wrong, with the labels of the fields; the first of these gets the focus. */
export function form(submit, fields, work, ariaLabel = submit) {
  const wrong = element('div', { className: 'error', role: 'alert' });
  async function onsubmit(event) {
    event.preventDefault();
    const { currentTarget: own } = event;
    if (own.ariaBusy === 'true') return;
    own.ariaBusy = 'true';
    wrong.replaceChildren();
    const error = await Promise.resolve(work(Object.fromEntries(new FormData(own)), own)).catch((refusal) => refusal);
    own.ariaBusy = 'false';
    const fields = new Map(error?.fields);
    for (const one of own.elements) one.ariaInvalid = String(fields.has(one.name));
    const labelOf = (name) => own.elements[name]?.labels[0].firstChild.data ?? name;
    const texts = [...fields].map(([name, detail]) => `${labelOf(name)} ${detail}`);
    wrong.replaceChildren(...[texts.join('; ') || error?.message].flat().filter(Boolean));
    own.querySelector('[aria-invalid="true"]')?.focus();
  }
  return element('form', { onsubmit }, fields, wrong, element('button', { ariaLabel }, submit));
}
