/** Collects changes, one line each. Knows both documents, so it can resolve their references. */
export class Changes {
  #lines = { breaking: new Set(), unsure: new Set(), added: new Set() };

  /**
   * @param {object} released
   * @param {object} current
   */
  constructor(released, current) {
    /** Resolves a reference of the released document. */
    this.before = (part) => resolve(released, part);
    /** Resolves a reference of the current document. */
    this.after = (part) => resolve(current, part);
  }

  /** @param {string} line a change that breaks clients */
  breaking(line) {
    this.#lines.breaking.add(line);
  }

  /** @param {string} line a change that only a person can judge */
  unsure(line) {
    this.#lines.unsure.add(line);
  }

  /** @param {string} line something that clients may ignore */
  added(line) {
    this.#lines.added.add(line);
  }

  get lines() {
    const { breaking, unsure, added } = this.#lines;
    return { breaking: [...breaking], unsure: [...unsure], added: [...added] };
  }
}

function resolve(document, part) {
  if (!part?.$ref) return part;
  const path = part.$ref.replace('#/', '').split('/');
  return resolve(
    document,
    path.reduce((found, key) => found[key], document),
  );
}
