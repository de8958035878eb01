import type { FileDto } from '../../../src/registry/files/file.dto';
import type { ApiResponse, Client } from '../../support/client';
import { created } from '../../support/records';
import { filePart, form, FORM_TYPE, png } from '../../support/uploads.mjs';

export function upload(client: Client, data = png(), fileName = 'logo.png'): Promise<ApiResponse> {
  return client.post('/files', form(filePart(data, fileName)), FORM_TYPE);
}

export async function uploaded(client: Client, data = png(), fileName = 'logo.png'): Promise<FileDto> {
  return created(await upload(client, data, fileName));
}
