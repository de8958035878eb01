import { Types } from 'mongoose';
import { optionsOf } from '../../src/platform/records/schema/field-options';
import { referencesIn } from '../../src/platform/records/schema/references';
import { errors as apiErrors } from '../../src/registry/errors';
import { copyEmbedded, embeddedIn, storeCopies } from '../support/copies';
import type { ApiResponse } from '../support/client';
import { expectError, expectOutcome } from '../support/expect-error';
import { meanwhile } from '../support/meanwhile';
import { references, type SceneReference, targetOf } from '../support/references';
import type { Limit, Send } from '../support/scene';
import { collectionOf, sceneFile, sceneOf, scenes } from '../support/scenes';
import { useService } from '../support/service';
import { Stage } from '../support/stage';

interface Case extends Limit {
  /** Stores records in the cheapest way until one more fits. @returns two requests that create one more */
  readonly prepare: (stage: Stage) => Promise<readonly [Send, Send]>;
}

const service = useService();

/** The limits of the references in the schema of a resource, of the list in which it is embedded, and of its scene. */
function limitsOf(resource: string): Case[] {
  const { stored, limits: own = [] } = sceneOf(resource);
  const [model = '', list] = stored.split('.');
  const embedded = list && optionsOf(service.model(model).schema.path(list)).limit;
  const prepare = (limit: Limit) => async (stage: Stage) => {
    const sends = [await stage.post(resource), await stage.post(resource)] as const;
    const fields = { createdBy: new Types.ObjectId(stage.owner.id), ...limit.fields };
    // API keys that have expired count.
    if (list) await copyEmbedded(stage, resource, limit.max - 1, embedded && { expiresAt: '2020-01-01' });
    else await storeCopies(stage, model, fields, limit.max - 1);
    return sends;
  };
  const others = [...(embedded ? [{ error: 'tooMany' as const, ...embedded }] : []), ...own];
  return [
    ...references.filter(({ from }) => from === resource).flatMap(limitOf),
    ...others.map((limit) => ({ ...limit, prepare: prepare(limit) })),
  ];
}

/** The limit on the records that refer to the same one, if the schema declares it. */
function limitOf(reference: SceneReference): Case[] {
  const [model = '', ...names] = reference.path.split('.');
  const path = names.join('.');
  const limit = referencesIn(service.model(model)).find((one) => one.path === path)?.limit;
  if (!limit) return [];
  const prepare = async (stage: Stage): Promise<readonly [Send, Send]> => {
    const target = await targetOf(reference, stage);
    // What is new can be named by other records of the owner, too: a second Consumer of the same API is another conflict.
    const other = reference.fields ? new Stage(service, stage.owner) : stage;
    const sends = [await reference.refer(stage, target), await reference.refer(other, target)] as const;
    const _id = new Types.ObjectId(target._id);
    await storeCopies(stage, model, { [path]: _id }, limit.max - 1);
    // It is looked at before the references are counted.
    await service.model(sceneOf(reference.to).stored).updateOne({ _id }, { $inc: { referenceCount: limit.max } });
    return sends;
  };
  return [{ error: 'tooMany', ...limit, prepare }];
}

it.each([...scenes.keys()])(
  'the limits of %s hold, also when another request takes the last place meanwhile (contract §3)',
  async (resource) => {
    for (const { max, error, message, prepare } of limitsOf(resource)) {
      const stage = await Stage.of(service);
      const [last, oneTooMany] = await prepare(stage);
      const see = `${message ?? max}: enforce it in src/registry/${resource}, or correct ${sceneFile(resource)}.`;
      let taken: ApiResponse | undefined;
      const takeLast = async () => (taken = await last());
      const raced = await meanwhile(service, 'before the first write', takeLast, oneTooMany);
      const { status, headers, body } = taken!;
      const { location = `${await stage.path(collectionOf(resource))}/${body.data._id}` } = headers;
      expect({ status, see }).toEqual({ status: 201, see });
      expect({ status: raced.status, see }).toEqual({ status: error ? apiErrors[error].status : 201, see });
      if (!error) {
        expect((await embeddedIn(stage, resource)).records).toHaveLength(max);
        continue;
      }
      for (const response of [raced, await oneTooMany()]) expectError(response, error, message);
      // One that goes leaves room.
      expectOutcome(await (await stage.creatorOf(resource)).delete(location), 204);
      expectOutcome(await oneTooMany(), 201);
    }
  },
);
