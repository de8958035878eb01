import { Module } from '@nestjs/common';
import { resource } from '../../platform/http/access/resources';
import { RecordsModule } from '../../platform/records/records.module';
import { UsersModule } from '../users/users.module';
import { File, FileRecord, FileSchema } from './file.schema';
import { FilesController } from './files.controller';
import { FilesService } from './files.service';

/** Uploaded images, which become logos of Organizations. */
@Module({
  imports: [RecordsModule.forFeature([{ name: File.name, schema: FileSchema }]), UsersModule],
  controllers: [FilesController],
  providers: [
    FilesService,
    resource<FileRecord>('files/:id', {
      description: 'The File',
      notFound: 'fileNotFound',
      load: (id, { records }) => records.of<FileRecord>(File.name).get(id),
      ownership: ({ createdBy, organizationId }) => ({ ownerId: createdBy, isPublic: organizationId !== null }),
    }),
  ],
  exports: [FilesService],
})
export class FilesModule {}
