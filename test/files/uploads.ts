import type { FileDto } from '../../src/files/file.dto';
import { filePart, form, FORM_TYPE, png } from '../support/images';
import type { ApiResponse, Client } from '../support/client';

/** Uploads an image. */
export function upload(client: Client, data = png(), fileName = 'logo.png'): Promise<ApiResponse> {
  return client.post('/files', form(filePart(data, fileName)), FORM_TYPE);
}

/** The record of an image that was uploaded. */
export async function uploaded(client: Client, data = png(), fileName = 'logo.png'): Promise<FileDto> {
  const answer = await upload(client, data, fileName);
  if (answer.status !== 201) throw new Error(`It was not uploaded: ${answer.status} ${answer.text}`);
  return answer.body.data as FileDto;
}
