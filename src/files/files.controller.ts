import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import { Allow } from '../auth/access.decorator';
import type { Account } from '../auth/account';
import { Caller, Changing, Target } from '../auth/params.decorators';
import { Change } from '../auth/change';
import { Returns } from '../http/returns.decorator';
import { UnreadBody } from '../http/body/unread-body';
import type { Download } from '../http/download.interceptor';
import { Throws } from '../http/throws.decorator';
import type { FileRecord } from './file.dto';
import { FileDto, toFile } from './file.dto';
import { contentDisposition } from './file-name';
import { IMAGE_TYPES } from './file.schema';
import { FilesService } from './files.service';
import { FILE_FORM, readUpload } from './upload';

/** `/files` (contract §4): takes multipart and gives bytes, so that it reads bodies itself and returns `Download`s. */
@ApiTags('files')
@Controller('files')
export class FilesController {
  constructor(private readonly files: FilesService) {}

  /**
   * Upload a File
   * @remarks A PNG, JPEG, GIF or WebP of at most 1 MiB and 4096 × 4096 pixels; what it is tells its content. A User has
   * at most 20 Files that are no logo of an Organization; such a File is removed after a day.
   */
  @Post()
  @Allow('account')
  @Throws('tooManyFiles', 'concurrentChange')
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: FILE_FORM })
  @Returns.created(FileDto, toFile)
  async create(@Caller() caller: Account, @Body() body: UnreadBody): Promise<FileRecord> {
    return this.files.create(caller, await readUpload(body));
  }

  /**
   * Read the bytes of a File
   * @remarks A client may keep them for an hour.
   */
  @Get(':id')
  @Allow('account')
  @Returns.bytes(IMAGE_TYPES)
  get(@Target() file: FileRecord): Download {
    const { _id, contentType, fileName, revision } = file;
    const disposition = contentDisposition(fileName, contentType);
    return { contentType, disposition, revision, read: () => this.files.read(_id) };
  }

  /**
   * Delete a File
   * @remarks A logo of an Organization stays: the Organization is given another one first, or none.
   */
  @Delete(':id')
  @Allow('creator')
  @Throws('fileInUse', 'concurrentChange')
  @Returns.deleted()
  remove(@Changing() file: Change<FileRecord>): Promise<void> {
    return this.files.remove(file);
  }
}
