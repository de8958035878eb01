import { HttpException } from '@nestjs/common';
import { PeerError } from '../shared/service.mjs';

type Parameters = ConstructorParameters<typeof PeerError>;

/** The exception that Nest turns into the response for this error. */
export function httpError(name: Parameters[0], fieldErrors?: Parameters[1]): HttpException {
  const { body, status } = new PeerError(name, fieldErrors);
  return new HttpException(body, status);
}
