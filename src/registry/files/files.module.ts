import { Module } from '@nestjs/common';
import { RecordsModule } from '../../platform/records/records.module';
import { UsersModule } from '../users/users.module';
import { File, FileSchema } from './file.schema';
import { FilesController } from './files.controller';
import { FilesService } from './files.service';

/** Uploaded images, which become logos of Organizations. */
@Module({
  imports: [RecordsModule.forFeature([{ name: File.name, schema: FileSchema }]), UsersModule],
  controllers: [FilesController],
  providers: [FilesService],
  exports: [FilesService],
})
export class FilesModule {}
