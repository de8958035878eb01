import { Module } from '@nestjs/common';
import { FeaturedApis } from './featured-apis';
import { Logos } from './logos';
import { OrganizationDeletionService } from './organization-deletion.service';
import { OrganizationReferences } from './organization-references';
import { OrganizationsController } from './organizations.controller';
import { OrganizationsService } from './organizations.service';
import { OrganizationTarget } from './organizations.target';

/** The registry's main records. */
@Module({
  controllers: [OrganizationsController],
  providers: [
    FeaturedApis,
    Logos,
    OrganizationDeletionService,
    OrganizationReferences,
    OrganizationsService,
    OrganizationTarget,
  ],
})
export class OrganizationsModule {}
