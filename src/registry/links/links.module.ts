import { Module } from '@nestjs/common';
import { RecordsModule } from '../../platform/records/records.module';
import { ManagersModule } from '../managers/managers.module';
import { OrganizationsModule } from '../organizations/organizations.module';
import { UsersModule } from '../users/users.module';
import { Link, LinkSchema } from './link.schema';
import { LinksController } from './links.controller';
import { LinksService } from './links.service';

/** Links with which somebody sets a password or accepts an invitation. */
@Module({
  imports: [
    RecordsModule.forFeature([{ name: Link.name, schema: LinkSchema }]),
    OrganizationsModule,
    UsersModule,
    ManagersModule,
  ],
  controllers: [LinksController],
  providers: [LinksService],
})
export class LinksModule {}
