import { Module } from '@nestjs/common';
import { RecordsModule } from '../database/records.module';
import { ApiCatalogController } from './api-catalog.controller';
import { Api, ApiSchema } from './api.schema';

/** The catalog of public APIs (RFC 9727), with `API_CATALOG=public`. */
@Module({
  imports: [RecordsModule.forFeature([{ name: Api.name, schema: ApiSchema }])],
  controllers: [ApiCatalogController],
})
export class ApiCatalogModule {}
