import { createParamDecorator, ExecutionContext, Injectable, PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { UnreadBody } from '../http/body/unread-body';
import { readUpload, Upload } from './upload';

/** Reads and validates an upload, once for all attempts of the write. */
@Injectable()
class UploadPipe implements PipeTransform<UnreadBody, Promise<Upload>> {
  async transform(body: UnreadBody): Promise<Upload> {
    body.content ??= Object.freeze(await readUpload(body));
    return body.content as Upload;
  }
}

const requestBody = createParamDecorator((_, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<FastifyRequest>().body;
});

/** The image that the request uploads: `@UploadedImage() upload: Upload`. */
export function UploadedImage(): ParameterDecorator {
  return requestBody(UploadPipe);
}
