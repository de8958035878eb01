import { Module } from '@nestjs/common';
import { ApiDeletionService } from './api-deletion.service';
import { ApiUpdateService } from './api-update.service';
import { ApisController } from './apis.controller';
import { ApisService } from './apis.service';
import { ApiTarget } from './apis.target';
import { FeaturedPlaces } from './featured-places';
import { OrganizationApisController } from './organization-apis.controller';

/** The Apis that Organizations publish. */
@Module({
  controllers: [ApisController, OrganizationApisController],
  providers: [ApiDeletionService, ApisService, ApiTarget, ApiUpdateService, FeaturedPlaces],
})
export class ApisModule {}
