import { Types } from 'mongoose';
import { AdminCommands } from '../../src/commands/admin';
import { Transactions } from '../../src/database/transactions';
import type { Event } from '../../src/events/event.schema';
import { EventSweep } from '../../src/events/event-sweep';
import { UsersService } from '../../src/users/users.service';
import { createOrganization } from '../support/records';
import { Service, startService, useService } from '../support/service';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Stores an Event as if it had happened so many days ago; with a number, so many at once. */
async function eventOfDaysAgo(service: Service, days: number, count = 1): Promise<Types.ObjectId> {
  const createdAt = new Date(Date.now() - days * DAY_MS);
  const first = Types.ObjectId.createFromTime(createdAt.getTime() / 1000);
  const rest = { type: 'api.deleted', resourceId: new Types.ObjectId(), createdAt };
  const events = Array.from({ length: count }, (_, number) => ({ _id: idAfter(first, number), ...rest }));
  await service.model<Event>('Event').insertMany(events);
  return first;
}

/** An id of the same second. */
function idAfter(id: Types.ObjectId, number: number): Types.ObjectId {
  return new Types.ObjectId(id.toHexString().slice(0, 16) + number.toString(16).padStart(8, '0'));
}

describe('Events', () => {
  const service = useService({ EVENT_RETENTION_DAYS: '30' });

  it('are kept for EVENT_RETENTION_DAYS, as it is at the start', async () => {
    const [old, recent] = [await eventOfDaysAgo(service, 31), await eventOfDaysAgo(service, 29)];
    expect(await service.app.get(EventSweep).sweep()).toBe(1);
    const keeping = await startService({ MONGODB_URI: service.databaseUri, EVENT_RETENTION_DAYS: '0' });
    expect(await keeping.app.get(EventSweep).sweep()).toBe(0);
    await keeping.stop();
    const stricter = await startService({ MONGODB_URI: service.databaseUri, EVENT_RETENTION_DAYS: '28' });
    expect(await stricter.app.get(EventSweep).sweep()).toBe(1);
    await stricter.stop();
    expect(await service.model('Event').countDocuments({ _id: { $in: [old, recent] } })).toBe(0);
  });

  it('are deleted in batches, however many there are', async () => {
    await eventOfDaysAgo(service, 29);
    await eventOfDaysAgo(service, 31, 1001);
    expect(await service.app.get(EventSweep).sweep()).toBe(1001);
    expect(await service.app.get(EventSweep).sweep()).toBe(0);
  });

  it('lose the name of a deleted User by `forget`, and no other', async () => {
    const [user, other] = [await service.account(), await service.account()];
    const { _id } = await createOrganization(user);
    await service.admin.post(`/organizations/${_id}/managers`, { userId: other.id });
    const { app, connection } = service;
    const commands = new AdminCommands(app.get(UsersService), app.get(Transactions), connection);
    await expect(commands.forget(user.id)).rejects.toThrow('This User exists');
    await expect(commands.forget('ada')).rejects.toThrow('"ada" is not the id of a User');
    await user.delete(`/users/${user.id}`);
    await commands.forget(user.id);
    const stored = JSON.stringify(await service.model('Event').find().lean());
    expect(stored).not.toContain(user.user.username);
    expect(stored).toContain(other.user.username);
    expect(stored).toContain('organization.created');
  });
});
