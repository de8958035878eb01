import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { resource } from '../auth/resources';
import { LimitsModule } from '../limits/limits.module';
import { organizationOwnership } from '../organizations/organization-ownership';
import { OrganizationsModule } from '../organizations/organizations.module';
import { ApiFeatures } from './api-features';
import { Api, ApiRecord, ApiSchema } from './api.schema';
import { ApisController } from './apis.controller';
import { ApisService } from './apis.service';
import { OrganizationApisController } from './organization-apis.controller';

/** The APIs that Organizations publish. */
@Module({
  imports: [LimitsModule, MongooseModule.forFeature([{ name: Api.name, schema: ApiSchema }]), OrganizationsModule],
  controllers: [ApisController, OrganizationApisController],
  providers: [
    ApisService,
    ApiFeatures,
    resource<ApiRecord>('apis/:id', {
      description: 'The API',
      notFound: 'apiNotFound',
      load: (id, { records }) => records.find(Api.name, id),
      ownership: async (api, context) => {
        const ownership = await organizationOwnership(api, context);
        return ownership && { ...ownership, isPublic: api.isPublic };
      },
    }),
  ],
})
export class ApisModule {}
