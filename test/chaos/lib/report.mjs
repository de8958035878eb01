/** Prints the figures of all scenarios, each with its goal, and counts those that hold. */
export class Report {
  #goals = 0;
  #held = 0;

  atMost(what, figure, bound, unit) {
    this.#add(what, withUnit(figure, unit), `at most ${withUnit(bound, unit)}`, figure <= bound);
  }

  atLeast(what, figure, bound, unit) {
    this.#add(what, withUnit(figure, unit), `at least ${withUnit(bound, unit)}`, figure >= bound);
  }

  /** @param {string[]} lines one for each that there should not be */
  none(what, lines) {
    this.atMost(what, lines.length, 0);
    this.notes(lines);
  }

  /** @param {string} reason why a scenario did not come to its end */
  broken(reason) {
    this.#add('ran to its end', 'no', reason, false);
  }

  /** @param {string} line what explains a figure */
  note(line) {
    process.stdout.write(`    ${line}\n`);
  }

  /** @param {string[]} lines that may be repeated; a few are shown */
  notes(lines) {
    for (const line of [...new Set(lines)].slice(0, 5)) this.note(line);
  }

  /** @returns {boolean} whether all goals hold */
  finish() {
    process.stdout.write(`\n${this.#held} of ${this.#goals} goals hold\n`);
    return this.#held === this.#goals && this.#held > 0;
  }

  #add(what, shown, goal, holds) {
    this.#goals += 1;
    if (holds) this.#held += 1;
    process.stdout.write(`  ${holds ? '✔' : '✖'} ${what}: ${shown} (goal: ${goal})\n`);
  }
}

function withUnit(figure, unit) {
  const rounded = Number.isInteger(figure) ? figure : Number(figure.toPrecision(figure < 100 ? 2 : 3));
  return unit ? `${rounded} ${unit}` : String(rounded);
}

/** @param {number} share 0.5 for the median */
export function percentile(values, share) {
  if (values.length === 0) return Infinity;
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1];
}
