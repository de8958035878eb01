/** Fastify and the MongoDB driver, without a framework or models in between. */
import { ObjectId } from 'mongodb';
import { ACCOUNT_FIELDS, ORGANIZATION_FIELDS } from '../shared/records.mjs';
import { startApp } from './app.mjs';

await startApp(({ users, organizations }) => ({
  user: (id) => users.findOne({ _id: new ObjectId(id) }, { projection: ACCOUNT_FIELDS }),
  organization: (id) => organizations.findOne({ _id: new ObjectId(id) }, { projection: ORGANIZATION_FIELDS }),
}));
