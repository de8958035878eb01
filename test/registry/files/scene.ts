import { filePart, form, FORM_TYPE } from '../../support/uploads.mjs';
import { accounts, admins, another, own, type Row, type Scene } from '../../support/scene';

/** Makes the File a logo. */
const makeLogo: Row['request'] = async (stage) => {
  const send = await stage.post('organizations', { organizationLogoFileId: (await stage.record('files'))._id });
  await send();
  return {};
};

export const scene: Scene = {
  stored: 'File',
  body: () => form(filePart()),
  headers: FORM_TYPE,
  access: {
    'POST /files': accounts(201),
    'GET /files': accounts(200),
    'GET /files/:id': [
      own(accounts(200)),
      another(admins(200)),
      {
        title: 'a logo',
        statuses: accounts(200),
        request: makeLogo,
      },
    ],
    'DELETE /files/:id': [own(accounts(204)), another(admins(204))],
  },
  references: {
    organizationId: {
      to: 'organizations',
      refer: async (stage) => stage.put('organizations', { organizationLogoFileId: (await stage.record('files'))._id }),
    },
    createdBy: { to: 'users', refer: (stage) => stage.post('files') },
  },
  limits: [
    { max: 20, fields: { organizationId: null }, error: 'tooManyFiles' },
    { max: 100, fields: { organizationId: null, wasLogo: true }, error: 'tooManyFiles' },
  ],
  lists: { 'GET /files': { filters: { createdBy: ({ createdBy }) => createdBy } } },
};
