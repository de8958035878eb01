import { errors as apiErrors } from '../../src/registry/errors';
import { embeddedIn } from '../support/copies';
import type { ApiResponse } from '../support/client';
import { expectError, expectOutcome } from '../support/expect-error';
import { meanwhile } from '../support/meanwhile';
import type { Send } from '../support/scene';
import { sceneFile, scenes } from '../support/scenes';
import { useService } from '../support/service';
import { Stage } from '../support/stage';

const limits = [...scenes].flatMap(([resource, { limits = [] }]) => limits.map((limit) => ({ ...limit, resource })));

describe('a limit (contract §3)', () => {
  const service = useService();

  it.each(limits)(
    'on $resource is $most, also when another takes the last place meanwhile',
    async ({ resource, most, fill, post, error, message }) => {
      const stage = await Stage.of(service);
      await fill(stage, most - 1);
      const see = `Enforce it in src/registry/${resource}, or correct ${sceneFile(resource)}.`;
      const prepare = (): Promise<Send> => post?.(stage) ?? stage.post(resource);
      const [last, oneTooMany] = [await prepare(), await prepare()];
      let taken: ApiResponse | undefined;
      const takeLast = async () => (taken = await last());
      const raced = await meanwhile(service, 'before the first write', takeLast, oneTooMany);
      const { status, headers } = taken!;
      expect({ status, see }).toEqual({ status: 201, see });
      expect({ status: raced.status, see }).toEqual({ status: error ? apiErrors[error].status : 201, see });
      if (!error) return expect((await embeddedIn(stage, resource)).records).toHaveLength(most);
      for (const response of [raced, await oneTooMany()]) expectError(response, error, message);
      // One that goes leaves room.
      expectOutcome(await (await stage.creatorOf(resource)).delete(headers.location!), 204);
      expectOutcome(await oneTooMany(), 201);
    },
  );
});
