/**
 * Checks whether an Accept header names `text/html`, and rates it higher than `application/json`, as browsers do. What programs
 * send by default, any type, is neither.
 */
export function prefersHtml(accept = ''): boolean {
  const quality = (type: string): number => {
    const range = accept.split(',').find((one) => one.split(';', 1)[0]!.trim().toLowerCase() === type);
    return range === undefined ? 0 : Number(/;\s*q=([\d.]+)/i.exec(range)?.[1] ?? 1);
  };
  return quality('text/html') > quality('application/json');
}
