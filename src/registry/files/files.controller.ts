import { Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import { Allow, Caller, IfMatch, Loaded } from '../../platform/http/access/decorators';
import type { Account } from '../../platform/http/access/account';
import { Precondition } from '../../platform/http/responses/etag';
import type { Page } from '../../platform/records/reads/page';
import { Returns, Throws } from '../../platform/http/responses/returns.decorator';
import type { Download } from '../../platform/http/responses/response';
import { FileDto, FileQuery } from './file.dto';
import { contentDisposition } from './file-name';
import { type FileRecord, IMAGE_TYPES } from './file.schema';
import { FilesService } from './files.service';
import { FILE_FORM, type Upload, UploadedImage } from './upload';

/** `/files`. */
@ApiTags('files')
@Controller('files')
export class FilesController {
  constructor(private readonly files: FilesService) {}

  /**
   * List Files
   * @remarks Admins see all Files, others those that they uploaded.
   */
  @Get()
  @Allow('account')
  @Returns.list(FileDto)
  list(@Caller() caller: Account, @Query() query: FileQuery): Promise<Page<FileRecord>> {
    return this.files.list(caller, query);
  }

  /**
   * Upload a File
   * @remarks A PNG, JPEG, GIF or WebP image of at most 1 MiB and 4096 × 4096 pixels; the type is detected from the
   * content. Files that are not a logo are deleted after a day. Each User can have 20 that never were one,
   * and 100 in all.
   */
  @Post()
  @Allow('account')
  @Throws('tooManyFiles', 'tooMany')
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: FILE_FORM })
  @Returns.created(FileDto)
  create(@Caller() caller: Account, @UploadedImage() upload: Upload): Promise<FileRecord> {
    return this.files.create(caller, upload);
  }

  /**
   * Read the bytes of a File
   * @remarks A client may cache them, and must revalidate them before each use. A logo can be read by every account, any other File by the User who
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
  @Throws('fileInUse')
  @Returns.deleted()
  remove(@Loaded() file: FileRecord, @IfMatch() ifMatch: Precondition): Promise<void> {
    return this.files.remove(file, ifMatch);
  }
}
