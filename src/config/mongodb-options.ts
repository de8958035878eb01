import { mongo } from 'mongoose';

/**
 * Why the driver does not accept a connection string: an unknown option, or a value that is not valid.
 * @returns undefined when it does; never contains the username or the password
 */
export function mongodbUriProblem(uri: string): string | undefined {
  if (!refusal(uri)) return undefined;
  const withoutLogin = uri.replace(/\/\/[^@/]*@/, '//user:password@');
  return refusal(withoutLogin)?.message ?? 'the username and password must be percent-encoded';
}

/** Creating a client checks the options, and does not connect. */
function refusal(uri: string): Error | undefined {
  try {
    new mongo.MongoClient(uri);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
