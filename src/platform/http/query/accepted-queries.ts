type Dto = new () => object;

/** The most query strings of one list that are remembered, and the longest (characters). */
const MAX_REMEMBERED = 1000;
const MAX_LENGTH = 200;

/** Remembers what valid query strings mean: callers share the results. */
export class AcceptedQueries {
  private readonly accepted = new Map<Dto, Map<string, object>>();

  find(dto: Dto, text: string): object | undefined {
    return this.accepted.get(dto)?.get(text);
  }

  add(dto: Dto, text: string, query: object): void {
    // Each page by `after` is asked for once.
    if (text.length > MAX_LENGTH || text.includes('after=')) return;
    const accepted = this.accepted.get(dto) ?? new Map<string, object>();
    this.accepted.set(dto, accepted);
    if (accepted.size >= MAX_REMEMBERED) accepted.clear();
    accepted.set(text, query);
  }
}
