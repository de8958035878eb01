import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../auth/access.decorators';
import { Settings } from '../config/settings';
import { version } from '../config/version';

/** `GET /`: links for a person who opens the service in a browser; not part of the contract, no login needed. */
@Public()
@ApiExcludeController()
@Controller()
export class RootController {
  constructor(private readonly settings: Settings) {}

  @Get()
  links(): Record<string, string> {
    const { basePath, docs } = this.settings;
    return {
      name: 'Roster',
      version,
      ...(docs && { docs: `${basePath}/docs`, openapi: `${basePath}/openapi.json` }),
      live: `${basePath}/health/live`,
      ready: `${basePath}/health/ready`,
    };
  }
}
