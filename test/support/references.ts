import type { Reference, Shown } from './scene';
import { scenes } from './scenes';
import type { Stage } from './stage';

/** A reference that a scene has, and the resource that refers. */
export interface SceneReference extends Reference {
  /** `Organization.managers._id` */
  readonly path: string;
  readonly from: string;
  /** Fields of the record that is referred to, the stage's: those that the scene gives the record of `below`. */
  readonly parent?: object | undefined;
}

/** The references of all scenes: those that they name, and those to the record below which they are created. */
export const references: readonly SceneReference[] = [...scenes].flatMap(([from, { stored, below, ...scene }]) => {
  const [model = ''] = stored.split('.');
  const own = Object.entries(scene.references ?? {}).map(([path, reference]) => ({
    ...reference,
    path: `${model}.${path}`,
    from,
  }));
  if (!below || stored.includes('.')) return own;
  const above = scenes.get(below)!.stored;
  const refer = (stage: Stage) => stage.post(from);
  return [
    {
      path: `${stored}.${above.charAt(0).toLowerCase()}${above.slice(1)}Id`,
      from,
      to: below,
      parent: scene.parent,
      refer,
    },
    ...own,
  ];
});

/** The record that a reference is to. */
export function targetOf({ to, fields, parent }: SceneReference, stage: Stage): Promise<Shown> {
  return fields ? stage.make(to, fields) : stage.record(to, parent);
}
