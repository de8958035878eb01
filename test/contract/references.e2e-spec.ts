import { Database } from '../../src/platform/records/database';
import { checkData } from '../../src/commands/check-data/check-data';
import { expectOutcome } from '../support/expect-error';
import { meanwhile, MOMENTS } from '../support/meanwhile';
import { Paper } from '../support/paper';
import { references, targetOf } from '../support/references';
import { remainsOf } from '../support/remains';
import { sceneFile } from '../support/scenes';
import { useService } from '../support/service';
import { Stage } from '../support/stage';

const service = useService();
let stage: Stage;
beforeEach(async () => {
  stage = await Stage.of(service);
});

describe.each(references)('a reference $path (contract §1.8)', (reference) => {
  const { path, from, to, refer, refuses } = reference;
  const see = `Declare in src/registry/${from} what a deletion of ${to} does; see ${sceneFile(from)}.`;

  /** The request that refers, the one that deletes the record, and where its id is after that. */
  async function prepare() {
    const target = await targetOf(reference, stage);
    const send = await refer(stage, target);
    const by = await stage.callerOf(to);
    const remove = () => by.delete(`/${to}/${target._id}`);
    const [model = '', ...field] = path.split('.');
    const own = [service.model(model).collection.name, ...field].join('.');
    const remains = async () => ({ remains: await remainsOf(service, target._id, own), see });
    return { send, remove, remains };
  }

  it(refuses ? 'keeps the record that it is to' : 'ends with the record that it is to', async () => {
    const { send, remove, remains } = await prepare();
    const { status, text } = await send();
    expect({ isMade: status < 300, text, see }).toEqual({ isMade: true, text, see });
    expectOutcome(await remove(), refuses ?? 204);
    if (!refuses) expect(await remains()).toEqual({ remains: [], see });
  });

  it.each(MOMENTS)('is not made to a record that is deleted %s', async (moment) => {
    const { send, remove, remains } = await prepare();
    const { status, text } = await meanwhile(service, moment, remove, send);
    expect({ isRefused: [400, 401, 404].includes(status), text, see }).toEqual({ isRefused: true, text, see });
    expect(await remains()).toEqual({ remains: [], see });
  });

  it.each(MOMENTS)('does not outlive its record if it is made %s of the deletion', async (moment) => {
    const { send, remove, remains } = await prepare();
    expectOutcome(await meanwhile(service, moment, send, remove), refuses ?? 204);
    if (!refuses) expect(await remains()).toEqual({ remains: [], see });
  });
});

// `npm run check:data` follows every `ref` of every schema.
test('after all of this, no record refers to a deleted one', async () => {
  const report = new Paper();
  await checkData(service.app.get(Database), { report, progress: new Paper() });
  expect(report.text).toBe('');
});
