import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import { Access } from '../access/access.decorator';
import type { Account } from '../access/account';
import { Caller, Changing, Target } from '../access/params.decorators';
import { Change } from '../access/change';
import { Answers } from '../http/answers';
import { UnreadBody } from '../http/body/unread-body';
import type { Download } from '../http/download';
import { Fails } from '../http/fails.decorator';
import type { ShownFile } from './file.dto';
import { FileDto, toFile } from './file.dto';
import { contentDisposition } from './file-name';
import { FilesService } from './files.service';
import { IMAGE_TYPES } from './image-format';
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
  @Access('account')
  @Fails('tooManyFiles', 'concurrentChange')
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: FILE_FORM })
  @Answers.created(FileDto, toFile)
  async create(@Caller() caller: Account, @Body() body: UnreadBody): Promise<ShownFile> {
    return this.files.create(caller, await readUpload(body));
  }

  /**
   * Read the bytes of a File
   * @remarks A client may keep them for an hour.
   */
  @Get(':id')
  @Access('account')
  @Answers.bytes(IMAGE_TYPES)
  get(@Target() file: ShownFile): Download {
    const { _id, contentType, fileName, revision } = file;
    const disposition = contentDisposition(fileName, contentType);
    return { contentType, disposition, revision, read: () => this.files.read(_id) };
  }

  /**
   * Delete a File
   * @remarks A logo of an Organization stays: the Organization is given another one first, or none.
   */
  @Delete(':id')
  @Access('creator')
  @Fails('fileInUse', 'concurrentChange')
  @Answers.deleted()
  remove(@Changing() file: Change<ShownFile>): Promise<void> {
    return this.files.remove(file);
  }
}
