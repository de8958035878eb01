import type { ApiResponse, ClientRequest } from './client';
import { openApiCheck } from './openapi-check';
import { brokenPromises } from './response-promises';
import { SecretCheck } from './secret-check';

/** Checks every response of one service: what all responses promise, the OpenAPI document, and that no secret gets out. */
export class ResponseCheck {
  private readonly secrets = new SecretCheck();

  /** @param basePath the service's `BASE_PATH`, which the contract's paths are behind */
  constructor(private readonly basePath: string) {}

  /** Notes the secrets that a request holds, before it is sent. */
  sent(request: ClientRequest): void {
    this.secrets.note(request.payload);
  }

  /** @throws Error that says which promises the response breaks */
  received(request: ClientRequest, response: ApiResponse): void {
    const path = this.pathOf(request);
    const broken = [
      ...brokenPromises(request.method, path, response),
      ...openApiCheck.differences(request.method, path, response),
      ...this.secrets.leaks(request.method, path, response),
    ];
    if (broken.length === 0) return;
    const about = `${request.method} ${request.path} → ${response.status}`;
    throw new Error([about, ...broken.map((line) => `- ${line}`), response.text.slice(0, 2000)].join('\n'));
  }

  /** The path as the contract writes it; a path elsewhere is none of the contract's. */
  private pathOf({ path }: ClientRequest): string {
    const [whole = ''] = path.split('?', 1);
    return whole.startsWith(`${this.basePath}/`) ? whole.slice(this.basePath.length) : '/elsewhere';
  }
}
