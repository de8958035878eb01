import { readFileSync } from 'node:fs';
import { requestFieldsOf } from '../../src/platform/http/fields/field';
import { bodiesOf } from './operations';
import { resourceOf, sceneOf, writing } from './scenes';

/** The fields that Events show with both values, as docs/contract.md §3 Event lists them. */
export function fieldsWithValues(): string[] {
  const [, list = ''] = /`from` and `to` are given for (.+?)\. /.exec(readFileSync('docs/contract.md', 'utf8'))!;
  return [...list.matchAll(/`(\w+)`/g)].map(([, field]) => field!);
}

/** The fields of the bodies that replace or create a record of a Model, in their order: those that `changes` names. */
export function changedFieldsOf(model: string): readonly string[] {
  const own = writing.filter((operation) => sceneOf(resourceOf(operation)).stored === model);
  const [body] = ['PUT', 'POST'].flatMap((method) => own.filter((one) => one.method === method).flatMap(bodiesOf));
  return body ? requestFieldsOf(body) : [];
}
