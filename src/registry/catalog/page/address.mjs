// What the page shows is in its address, after the `#`: every view has a link, and Back leads to the view before.

const LISTS = ['apis', 'organizations', 'attention'];
const RECORD = /^(?:apis|organizations)\/[0-9a-f]{24}$/;
/** A list, its filters, and the record to show. */
const NOTHING = { list: 'apis', q: '', status: '', tag: '', ends: '', mine: '', show: '' };

export let at = {};
/** The address of a list with these filters, and perhaps a record; what is empty is left out. */
export const hashOf = ({ list = 'apis', ...fields }) =>
  `#${new URLSearchParams(Object.entries({ list, ...fields }).filter(([, value]) => value))}`;
/** The address of a record: without a list, the present one stays. */
export const hashOfRecord = (show) => `#${new URLSearchParams({ show })}`;
/** Reads the address, and completes it with what was shown before. @returns that */
export function readAddress(before = at) {
  const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const all = { ...NOTHING, ...(!given.list && before), ...given };
  at = Object.fromEntries(Object.keys(NOTHING).map((name) => [name, all[name].trim()]));
  if (!LISTS.includes(at.list)) at.list = NOTHING.list;
  if (!/^(?:90|365)?$/.test(at.ends)) at.ends = '';
  if (!RECORD.test(at.show)) at.show = '';
  history.replaceState(null, '', hashOf(at));
  return before;
}
