/** @typedef {{report: Report, times: (count: number) => number}} Context `times` scales a count by `CHAOS_SCALE` */

/** Collects the figures of all scenarios, and prints each with its goal. */
export class Report {
  goals = [];
  /** The scenario that runs now. */
  scenario = '';

  atMost(what, figure, bound, unit) {
    this.#add(what, figure, bound === 0 && !unit ? '0' : `at most ${withUnit(bound, unit)}`, unit, figure <= bound);
  }

  atLeast(what, figure, bound, unit) {
    this.#add(what, figure, `at least ${withUnit(bound, unit)}`, unit, figure >= bound);
  }

  /** @param {string} reason why a scenario did not come to its end */
  broken(reason) {
    this.#add(`ran to its end (${reason.split('\n')[0]})`, 0, '1', '', false);
  }

  /** @param {string} line what explains a figure */
  note(line) {
    process.stdout.write(`    ${line}\n`);
  }

  /** @returns {boolean} whether all goals hold */
  finish() {
    const held = this.goals.filter(({ holds }) => holds).length;
    process.stdout.write(`\n${held} of ${this.goals.length} goals hold\n`);
    return held === this.goals.length && held > 0;
  }

  /** The figures as a Markdown table. */
  get table() {
    const rows = this.goals.map(({ scenario, what, figure, goal, holds }) =>
      [`\`${scenario}\``, what, figure, goal + (holds ? '' : ' (**missed**)')].join(' | '),
    );
    const head = ['scenario | what | figure | goal', '--- | --- | --- | ---'];
    return [...head, ...rows].map((row) => `| ${row} |\n`).join('');
  }

  #add(what, figure, goal, unit, holds) {
    const shown = withUnit(figure, unit);
    this.goals.push({ scenario: this.scenario, what, figure: shown, goal, holds });
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
