import { Controller, Get, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { Types } from 'mongoose';
import { settingsWith } from '../../../../test/support/settings';
import { currentTransaction, inContext } from '../../records/transactions/context';
import type { Transaction } from '../../records/transactions/transaction';
import { accessRules } from './access-rules';
import { Allow } from './decorators';
import { RequestAccess } from './request-access';
import { type LoadedResource, Resources } from './resources';
import { RouteAccessTable } from './route-access';

/** What no response shows; the access matrix and the tests of races have the rest. */

const ids = { id: String(new Types.ObjectId()), keyId: String(new Types.ObjectId()) };
let revisions: (number | undefined)[];
const loaded: unknown[] = [];
const resource = (param: keyof typeof ids, at: number) => ({
  param,
  definition: {
    ...{ description: param, notFound: 'pathNotFound' as const },
    load: (): Promise<LoadedResource> => {
      loaded.push(param, currentTransaction());
      return Promise.resolve({ record: { _id: ids[param], revision: revisions[at] }, ownership: {} });
    },
  },
});

/** The access to a path that names two records, for anyone. */
async function authorized(): Promise<RequestAccess> {
  const route = { rule: accessRules.anyone, scopes: [], resources: [resource('id', 0), resource('keyId', 1)] };
  const access = new RequestAccess(route, ids, new Resources(undefined as never, undefined as never), settingsWith());
  await access.authorize();
  return access;
}

beforeEach(() => {
  revisions = [1, 7];
  loaded.length = 0;
});

it('a request that comes second reads its records again, once each and outside its transaction', async () => {
  const access = await authorized();
  revisions = [1, 8];
  await inContext({ transaction: {} as Transaction }, () => access.authorizeAgain());
  expect(loaded).toEqual(['id', undefined, 'keyId', undefined, 'id', undefined, 'keyId', undefined]);
});

it('the revision of a request is that of the outermost record alone', async () => {
  const access = await authorized();
  expect([ids.id, ids.keyId, 'undefined'].map((id) => access.revisionOf(id))).toEqual([1, undefined, undefined]);
});

it('a route without a rule, or whose path names what nothing loads, stops the start', async () => {
  @Controller('houses')
  class Unruled {
    @Get() list(): void {}
  }
  @Controller('castles')
  class Castles {
    @Get(':id') @Allow('account') get(): void {}
  }
  const startWith = async (controller: Type): Promise<unknown> => {
    const providers = [Resources, RouteAccessTable];
    const parts = { imports: [DiscoveryModule], providers, controllers: [controller] };
    return (await Test.createTestingModule(parts).compile()).init();
  };
  await expect(startWith(Unruled)).rejects.toThrow('Unruled.list has no access rule: add @Allow(…) to it.');
  await expect(startWith(Castles)).rejects.toThrow(`add @Loads('castles/:id', …) in src/registry/castles.`);
});
