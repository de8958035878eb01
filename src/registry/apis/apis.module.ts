import { Module } from '@nestjs/common';
import { resource } from '../../platform/http/access/resources';
import { RecordsModule } from '../../platform/records/records.module';
import { organizationOwnership } from '../organizations/organization-ownership';
import { OrganizationsModule } from '../organizations/organizations.module';
import { Api, ApiRecord, ApiSchema } from './api.schema';
import { ApisController } from './apis.controller';
import { ApisService } from './apis.service';

/** The APIs that Organizations publish. */
@Module({
  imports: [RecordsModule.forFeature([{ name: Api.name, schema: ApiSchema }]), OrganizationsModule],
  controllers: [ApisController],
  providers: [
    ApisService,
    resource<ApiRecord>('apis/:id', {
      description: 'The API',
      notFound: 'apiNotFound',
      load: (id, { records }) => records.of<ApiRecord>(Api.name).get(id),
      ownership: async (api, context) => {
        const ownership = await organizationOwnership(api, context);
        return ownership && { ...ownership, isPublic: api.isPublic };
      },
    }),
  ],
  exports: [RecordsModule],
})
export class ApisModule {}
