import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import { Allow } from '../auth/access.decorators';
import type { Account } from '../auth/account';
import { Caller, Loaded, LoadedForUpdate } from '../auth/params.decorators';
import { ForUpdate } from '../auth/for-update';
import { Returns } from '../http/returns.decorator';
import { UnreadBody } from '../http/body/unread-body';
import type { Download } from '../http/download.interceptor';
import { WorkQueue } from '../limits/work-queue';
import { Throws } from '../http/throws.decorator';
import { FileDto } from './file.dto';
import { contentDisposition } from './file-name';
import { type FileRecord, IMAGE_TYPES } from './file.schema';
import { FilesService } from './files.service';
import { FILE_FORM, readUpload } from './upload';

/** `/files` (contract §4). Uploads are multipart, so the body is read here. */
@ApiTags('files')
@Controller('files')
export class FilesController {
  /** Each upload takes more than a MiB of memory until it has arrived (contract §1.1). */
  private readonly uploads = new WorkQueue({ running: 32, runningPerKey: 4, waiting: 32, maxWaitMs: 2000 });

  constructor(private readonly files: FilesService) {}

  /**
   * Upload a File
   * @remarks A PNG, JPEG, GIF or WebP image of at most 1 MiB and 4096 × 4096 pixels; the type is detected from the
   * content. Files that are not a logo are deleted after a day; each User can have 20 of them.
   */
  @Post()
  @Allow('account')
  @Throws('tooManyFiles', 'concurrentChange')
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: FILE_FORM })
  @Returns.created(FileDto)
  create(@Caller() caller: Account, @Body() body: UnreadBody): Promise<FileRecord> {
    const upload = async (): Promise<FileRecord> => this.files.create(caller, await readUpload(body));
    return this.uploads.run(caller._id.toHexString(), upload);
  }

  /**
   * Read the bytes of a File
   * @remarks A client may cache them for an hour. A logo can be read by every account, any other File by the User who
   * uploaded it and Admins.
   */
  @Get(':id')
  @Allow('readFile')
  @Returns.bytes(IMAGE_TYPES)
  get(@Loaded() file: FileRecord): Download {
    const { _id, contentType, fileName, revision } = file;
    const disposition = contentDisposition(fileName, contentType);
    return { contentType, disposition, revision, read: () => this.files.read(_id) };
  }

  /**
   * Delete a File
   * @remarks A logo cannot be deleted: change the Organization's logo first.
   */
  @Delete(':id')
  @Allow('creator')
  @Throws('fileInUse', 'concurrentChange')
  @Returns.deleted()
  remove(@LoadedForUpdate() file: ForUpdate<FileRecord>): Promise<void> {
    return this.files.remove(file);
  }
}
