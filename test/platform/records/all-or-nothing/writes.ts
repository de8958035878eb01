import type { ApiDto } from '../../../../src/registry/apis/api.dto';
import type { OrganizationDto } from '../../../../src/registry/organizations/organization.dto';
import { keysOf, postKey, withKey } from '../../../registry/api-keys/keys';
import { apiBody, createApi, feature } from '../../../registry/apis/api-records';
import { upload, uploaded } from '../../../registry/files/uploads';
import type { ApiResponse, Client } from '../../../support/client';
import { createOrganization, newUserBody, organizationBody } from '../../../support/records';
import type { Service } from '../../../support/service';

export type Request = () => Promise<ApiResponse>;

/** Makes the records that a write is about. The write may be sent again once what it changed is restored. */
export type Prepare = (service: Service) => Request | Promise<Request>;

let numbers = 0;
const newName = (): string => `name-${(numbers += 1)}`;

/** An Organization with a featured API, and its Manager. */
interface Scene {
  manager: Client;
  path: string;
  body: OrganizationDto;
  api: ApiDto;
}

async function scene(service: Service): Promise<Scene> {
  const manager = await service.account();
  const organization = await createOrganization(manager);
  const api = await createApi(manager, organization._id, { isPublic: true });
  const { body } = await feature(manager, organization, api);
  return { manager, path: `/organizations/${organization._id}`, body: body.data as OrganizationDto, api };
}

/** Every write that changes several documents, in a transaction. */
export const TRANSACTIONS: Record<string, Prepare> = {
  'POST /users of an Admin': ({ admin }) => {
    const body = newUserBody({ roles: ['admin'] });
    return () => admin.post('/users', body);
  },
  'PUT /users/:id that gives the role of Admin': async (service) => {
    const user = await service.account();
    return () => service.admin.put(`/users/${user.id}`, user.userBody({ roles: ['admin'] }));
  },
  'PUT /users/:id that suspends an Admin': async (service) => {
    const user = await service.account({ roles: ['admin'] });
    return () => service.admin.put(`/users/${user.id}`, user.userBody({ isSuspended: true }));
  },
  'POST /users/:id/api-keys': async (service) => {
    const user = await service.account();
    return () => postKey(user);
  },
  'DELETE /users/:id/api-keys/:keyId': async (service) => {
    const user = await service.account();
    const { key } = await withKey(user);
    return () => user.delete(`${keysOf(user)}/${key._id}`);
  },
  'PUT /users/:id that changes the username': async (service) => {
    const user = await service.account();
    return () => service.admin.put(`/users/${user.id}`, user.userBody({ username: newName() }));
  },
  'PUT /users/:id that changes the password': async (service) => {
    const user = await service.account();
    const password = 'another long passphrase';
    return () => user.put(`/users/${user.id}`, user.userBody({ password, currentPassword: user.password }));
  },
  'DELETE /users/:id of a Manager with a File and an API key': async (service) => {
    const { path } = await scene(service);
    const user = await service.account();
    await service.admin.post(`${path}/managers`, { userId: user.id });
    await uploaded(user);
    await withKey(user);
    return () => user.delete(`/users/${user.id}`);
  },
  'POST /organizations with a logo': async (service) => {
    const manager = await service.account();
    const body = organizationBody({ organizationLogoFileId: (await uploaded(manager))._id });
    return () => manager.post('/organizations', body);
  },
  'PUT /organizations/:id that changes the name': async (service) => {
    const { manager, path, body } = await scene(service);
    return () => manager.put(path, { ...body, name: newName() });
  },
  'PUT /organizations/:id that adds references': async (service) => {
    const { manager, path, body } = await scene(service);
    const [other, file] = [await createApi(manager, body._id, { isPublic: true }), await uploaded(manager)];
    const featuredApiIds = [...body.featuredApiIds, other._id];
    return () => manager.put(path, { ...body, featuredApiIds, organizationLogoFileId: file._id });
  },
  'DELETE /organizations/:id with a logo': async (service) => {
    const { manager, path, body } = await scene(service);
    await manager.put(path, { ...body, organizationLogoFileId: (await uploaded(manager))._id });
    return () => manager.delete(path);
  },
  'POST /organizations/:id/managers': async (service) => {
    const [{ manager, path }, { id }] = [await scene(service), await service.account()];
    return () => manager.post(`${path}/managers`, { userId: id });
  },
  'DELETE /organizations/:id/managers/:managerId': async (service) => {
    const [{ manager, path }, { id }] = [await scene(service), await service.account()];
    await manager.post(`${path}/managers`, { userId: id });
    return () => manager.delete(`${path}/managers/${id}`);
  },
  'POST /organizations/:id/apis': async (service) => {
    const { manager, path } = await scene(service);
    return () => manager.post(`${path}/apis`, apiBody());
  },
  'PUT /apis/:id that turns private': async (service) => {
    const { manager, api } = await scene(service);
    return () => manager.put(`/apis/${api._id}`, { ...api, isPublic: false });
  },
  'DELETE /apis/:id of a featured API': async (service) => {
    const { manager, api } = await scene(service);
    return () => manager.delete(`/apis/${api._id}`);
  },
  'DELETE /files/:id': async (service) => {
    const user = await service.account();
    const { _id } = await uploaded(user);
    return () => user.delete(`/files/${_id}`);
  },
  'POST /files': async (service) => {
    const user = await service.account();
    return () => upload(user);
  },
};

/** The other writes: each changes one document. */
export const SINGLE_WRITES: Record<string, Prepare> = {
  'POST /sessions': async (service) => {
    const { password, user } = await service.account();
    return () => service.nobody.post('/sessions', { username: user.username, password });
  },
  'POST /tokens': async (service) => {
    const { user, password } = await service.account();
    const { refreshToken } = await service.logIn({ username: user.username, password });
    return () => service.nobody.post('/tokens', { refreshToken });
  },
  'DELETE /sessions/:id': async (service) => {
    const { user, password } = await service.account();
    const client = await service.logIn({ username: user.username, password });
    return () => client.delete(`/sessions/${client.session._id}`);
  },
};
