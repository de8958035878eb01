import { Module } from '@nestjs/common';
import { FileSweep } from './file-sweep';
import { FilesController } from './files.controller';
import { FilesService } from './files.service';
import { FileTarget } from './files.target';

/** Uploaded images, which become logos of Organizations. */
@Module({
  controllers: [FilesController],
  providers: [FilesService, FileSweep, FileTarget],
})
export class FilesModule {}
