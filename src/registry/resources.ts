import { ApiKeysModule } from './api-keys/api-keys.module';
import { ApisModule } from './apis/apis.module';
import { ConsumersModule } from './consumers/consumers.module';
import { EventsModule } from './events/events.module';
import { FilesModule } from './files/files.module';
import { LinksModule } from './links/links.module';
import { ManagersModule } from './managers/managers.module';
import { OrganizationsModule } from './organizations/organizations.module';
import { SessionsModule } from './sessions/sessions.module';
import { UsersModule } from './users/users.module';

/** The resources. */
export const resources = [
  OrganizationsModule,
  ApisModule,
  ConsumersModule,
  SessionsModule,
  UsersModule,
  ManagersModule,
  LinksModule,
  ApiKeysModule,
  EventsModule,
  FilesModule,
];
