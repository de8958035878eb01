import { platformAdvice } from '../platform/base/errors/advice';
import { type ErrorEntry, type ErrorName, platformErrors } from '../platform/base/errors/api-error';

/** The errors of the product by name, in the order of their codes. */
const registryErrors = {
  wrongLogin: { status: 401, code: 1103, message: 'The username, e-mail address or password is wrong.' },
  refreshTokenUnusable: { status: 401, code: 1104, message: 'The refresh token is not valid or has expired.' },
  organizationNotFound: { status: 404, code: 1234, message: 'No Organization has this id.' },
  userNotFound: { status: 404, code: 1302, message: 'No User has this id.' },
  apiNotFound: { status: 404, code: 1303, message: 'No API has this id.' },
  managerNotFound: { status: 404, code: 1304, message: 'The Organization has no Manager with this id.' },
  fileNotFound: { status: 404, code: 1305, message: 'No File has this id.' },
  sessionNotFound: { status: 404, code: 1306, message: 'No Session has this id.' },
  apiKeyNotFound: { status: 404, code: 1307, message: 'The User has no API key with this id.' },
  consumerNotFound: { status: 404, code: 1308, message: 'The API has no Consumer with this id.' },
  linkNotFound: { status: 404, code: 1309, message: 'This link does not exist, was used or revoked, or has expired.' },
  // Every account may read all Organizations.
  organizationNameTaken: {
    status: 409,
    code: 1501,
    message: 'An Organization with this name already exists.',
    holderAt: '/organizations',
  },
  usernameTaken: { status: 409, code: 1502, message: 'A User with this username already exists.' },
  emailTaken: { status: 409, code: 1503, message: 'A User with this e-mail address already exists.' },
  managerExists: { status: 409, code: 1504, message: 'This User is already a Manager of the Organization.' },
  // Only a Manager of this Organization or an Admin gets it, who may read all of its APIs.
  apiNameTaken: {
    status: 409,
    code: 1505,
    message: 'The Organization already has an API with this name.',
    holderAt: '/apis',
  },
  lastManager: {
    status: 409,
    code: 1506,
    message: 'An Organization must keep at least one Manager who is not suspended.',
  },
  lastAdmin: { status: 409, code: 1507, message: 'The registry must keep at least one Admin.' },
  fileInUse: { status: 409, code: 1509, message: 'The File is the logo of an Organization.' },
  tooManyFiles: {
    status: 409,
    code: 1511,
    message:
      'You have reached the limit of 20 Files that never were a logo, or of 100 that are no logo. Delete one first: GET /files, DELETE /files/:id.',
  },
  tooManyApiKeys: {
    status: 409,
    code: 1512,
    message: 'The User has reached the limit of 20 API keys. Delete one first.',
  },
  externalIdTaken: { status: 409, code: 1513, message: 'A User with this externalId already exists.' },
  consumerExists: { status: 409, code: 1514, message: 'This Organization is already a Consumer of the API.' },
  organizationExternalIdTaken: {
    status: 409,
    code: 1515,
    message: 'An Organization with this externalId already exists.',
    holderAt: '/organizations',
  },
  apiExternalIdTaken: {
    status: 409,
    code: 1516,
    message: 'The Organization already has an API with this externalId.',
    holderAt: '/apis',
  },
  noPasswordLink: {
    status: 409,
    code: 1517,
    message: 'The User is suspended, or logs in at the identity provider, and has no password here.',
  },
} as const satisfies Record<string, ErrorEntry>;

declare module '../platform/base/errors/api-error' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- it extends the table's type
  interface ApiErrors extends Readonly<typeof registryErrors> {}
}

/** Every error that a response can be, by name. */
export const errors = { ...platformErrors, ...registryErrors };

/** What a client does about each, in one sentence. */
export const advice: Record<ErrorName, string> = {
  ...platformAdvice,
  wrongLogin: 'Correct the name or the password; an Admin can set a new password.',
  refreshTokenUnusable: 'Log in again.',
  organizationNotFound: 'Correct the id, or find the Organization with `GET /organizations`.',
  userNotFound: 'Correct the id; `me` is you.',
  apiNotFound: 'Correct the id, or find the API with `GET /apis`.',
  managerNotFound: 'Correct the id, or find the Manager with `GET /organizations/:id/managers`.',
  fileNotFound: 'Correct the id, or upload the image again: Files that are no logo are deleted after a day.',
  sessionNotFound: 'Correct the id. Sessions that have ended no longer exist.',
  apiKeyNotFound: 'Correct the id, or find the key with `GET /users/:id/api-keys`.',
  consumerNotFound: 'Correct the id, or find the Consumer with `GET /apis/:id/consumers`.',
  linkNotFound: 'Ask the person who sent you the link for a new one.',
  organizationNameTaken: 'Choose another name, or change the Organization that has this one.',
  usernameTaken: 'Choose another username.',
  emailTaken: 'Choose another address, or use the account that has this one.',
  managerExists: 'Nothing: the User is a Manager already.',
  apiNameTaken: 'Choose another name, or change the API that has this one.',
  lastManager: 'Add another Manager first, or delete the Organization.',
  lastAdmin: 'Make another User an Admin first.',
  fileInUse: 'Give the Organization another logo, or none, first.',
  tooManyFiles: 'Delete Files that you do not need.',
  tooManyApiKeys: 'Delete keys that are no longer used.',
  externalIdTaken: 'Choose another `externalId`, or use the account that has this one.',
  consumerExists: 'Nothing: the Organization is a Consumer already.',
  organizationExternalIdTaken: 'Choose another `externalId`, or change the Organization that has this one.',
  apiExternalIdTaken: 'Choose another `externalId`, or change the API that has this one.',
  noPasswordLink: 'End the suspension first, or set a password with `PUT /users/:id`.',
};
