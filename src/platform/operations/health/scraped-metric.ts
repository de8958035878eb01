import { Counter, Gauge, Registry } from 'prom-client';

/** A metric that is read at the time of the scrape. */
interface ScrapedMetric {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  /** Returns the number, or one for each value of the label. */
  readonly read: () => Numbers | Promise<Numbers>;
}

type Numbers = number | Readonly<Record<string, number>>;

/** Adds a gauge; a counter if its name ends in `_total`. */
export function addScraped(registry: Registry, { name, help, label = '', read }: ScrapedMetric): void {
  const collect = async (): Promise<void> => {
    const numbers = await read();
    metric.reset();
    if (typeof numbers === 'number') metric.inc(numbers);
    else for (const [value, number] of Object.entries(numbers)) metric.inc({ [label]: value }, number);
  };
  const options = { name, help, labelNames: label ? [label] : [], registers: [registry], collect };
  const metric: Gauge | Counter = name.endsWith('_total') ? new Counter(options) : new Gauge(options);
}
