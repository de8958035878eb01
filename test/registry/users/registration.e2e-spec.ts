import * as argon2 from '@node-rs/argon2';
import type { ApiResponse, Client } from '../../support/client';
import { expectError } from '../../support/expect-error';
import { newUserBody } from '../../support/records';
import { ADMIN, useService } from '../../support/service';

// Its functions can be spied on in a copy only.
jest.mock('@node-rs/argon2', () => ({ __esModule: true, ...jest.requireActual<typeof argon2>('@node-rs/argon2') }));

const TOO_MANY = 'Too many registrations. Try again later.';

const service = useService({ REGISTRATION: 'open', REGISTRATIONS_PER_HOUR: '2' });

function register(remoteAddress: string, fields?: object, client: Client = service.nobody): Promise<ApiResponse> {
  return client.send({ method: 'POST', path: '/users', payload: newUserBody(fields), remoteAddress });
}

describe('REGISTRATIONS_PER_HOUR', () => {
  it('limits the Users that are created from one address, and not those that Admins create', async () => {
    const address = '192.0.2.1';
    const user = newUserBody();
    expect((await register(address, user)).status).toBe(201);
    expectError(await register(address, { username: ADMIN.username }), 'usernameTaken');
    expectError(await register(address, { email: ADMIN.email }), 'emailTaken');
    expect((await register(address)).status).toBe(201);
    for (const client of [service.nobody, await service.logIn(user)])
      expectError(await register(address, {}, client), 'tooManyRequests', TOO_MANY);
    expectError(await register(address, { email: ADMIN.email }), 'tooManyRequests', TOO_MANY);
    expect((await register(address, {}, service.admin)).status).toBe(201);
    expect((await register('192.0.2.2')).status).toBe(201);
  });

  it('is checked before a password is hashed, and so are conflicts', async () => {
    const hash = jest.spyOn(argon2, 'hash');
    const address = '192.0.2.3';
    for (const taken of [{ username: ADMIN.username }, { email: ADMIN.email }])
      expect((await register(address, taken)).status).toBe(409);
    expect(hash).not.toHaveBeenCalled();
    for (let times = 0; times < 5; times += 1) await register(address);
    expect(hash).toHaveBeenCalledTimes(2);
  });
});
