import { another, anyone, type Row, type Scene } from '../../support/scene';
import { passwordLink, withPasswordLink } from './tokens';

/** With a new link to set the owner's password. */
const request: Row['request'] = async ({ service, owner }) => ({
  headers: { authorization: `Bearer ${await passwordLink(service, owner)}` },
});

export const scene: Scene = {
  stored: 'Link',
  by: ({ service, owner }) => withPasswordLink(service, owner),
  body: () => ({ password: 'the passphrase that a link sets' }),
  access: {
    'GET /links/current': [another(anyone(200), { request })],
    'POST /links/current': [another(anyone(201), { request })],
  },
};
