import { Module } from '@nestjs/common';
import { resource } from '../../platform/http/access/resources';
import { User, type UserRecord } from '../users/user.schema';
import { UsersModule } from '../users/users.module';
import { ApiKeyUse } from './api-key-use';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeysService, type OwnedApiKey } from './api-keys.service';

/** The keys with which programs act as a User. */
@Module({
  imports: [UsersModule],
  controllers: [ApiKeysController],
  providers: [
    ApiKeysService,
    ApiKeyUse,
    resource<OwnedApiKey>('api-keys/:keyId', {
      description: 'The API key',
      notFound: 'apiKeyNotFound',
      load: async (id, { records, parent }) => {
        const user = parent!.record as UserRecord;
        const users = records.of<UserRecord & Pick<User, 'apiKeys'>>(User.name);
        const owner = await users.get(user._id, { only: ['apiKeys'] });
        const apiKey = owner?.apiKeys?.find(({ _id }) => _id.equals(id));
        return apiKey && { user, apiKey };
      },
      ownership: (_, { parent }) => parent!.ownership,
    }),
  ],
})
export class ApiKeysModule {}
