import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { PageParams } from '../query/page-params.decorator';
import { SearchablePageQuery } from '../query/page-query.dto';
import { RecordId, RecordIds } from './id-fields';
import { Password, PresentedSecret } from './password-fields';
import { ReadOnlyFields } from './read-only-fields';
import { EmailAddress, Text, WebUrl } from './text-fields';
import { ISO_DATE } from '../iso-date';
import { Flag, Integer, IsoDate, ListOf, OneOf } from './value-fields';

@ReadOnlyFields('_id', 'createdAt')
class Sample {
  @Text({ min: 3, max: 30, pattern: /^[a-z]*$/ })
  name!: string;

  @Text({ max: 1000, kind: 'paragraphs', default: '' })
  description!: string;

  @WebUrl({ default: null })
  url!: string | null;

  @RecordIds({ max: 4, default: [] })
  ids!: string[];

  @OneOf(['design', 'testing'], { default: 'design' })
  status!: string;

  @ListOf(['admin'], { optional: true })
  roles?: string[];

  @WebUrl()
  home!: string;

  @EmailAddress()
  email!: string;

  @Password()
  password!: string;

  @PresentedSecret({ optional: true })
  currentPassword?: string;

  @RecordId()
  fileId!: string;

  @RecordId({ optional: true })
  logoId?: string;

  @Flag({ default: true })
  isPublic!: boolean;

  @Integer({ min: 0, max: 10, nullable: true })
  capacity?: number | null;

  @IsoDate()
  foundedOn!: string;

  @IsoDate({ nullable: true })
  closedOn?: string | null;
}

@Controller('samples')
class SampleController {
  @Post()
  create(@Body() body: Sample): Sample {
    return body;
  }

  @Get()
  list(@PageParams() query: SearchablePageQuery): SearchablePageQuery {
    return query;
  }
}

@Module({ controllers: [SampleController] })
class SampleModule {}

describe('the OpenAPI document', () => {
  let document: OpenAPIObject;

  beforeAll(async () => {
    const app = await NestFactory.create(SampleModule, new FastifyAdapter(), { logger: false });
    document = SwaggerModule.createDocument(app, new DocumentBuilder().setOpenAPIVersion('3.1.0').build());
    await app.close();
  });

  it('shows what each field accepts', () => {
    expect(document.components?.schemas?.Sample).toMatchObject({
      type: 'object',
      required: ['name', 'home', 'email', 'password', 'fileId', 'foundedOn'],
      properties: {
        name: { type: 'string', minLength: 3, maxLength: 30, pattern: '^[a-z]*$' },
        description: { type: ['string', 'null'], maxLength: 1000 },
        url: {
          type: ['string', 'null'],
          pattern: '^\\s*$|^\\s*[Hh][Tt][Tt][Pp][Ss]?://',
          maxLength: 2048,
        },
        ids: {
          type: ['array', 'null'],
          items: { type: 'string', pattern: '^[0-9a-f]{24}$' },
          maxItems: 4,
          uniqueItems: true,
        },
        status: { type: ['string', 'null'], enum: ['design', 'testing', null] },
        roles: { type: ['array', 'null'], items: { type: 'string', enum: ['admin'] }, uniqueItems: true },
        home: { type: 'string', format: 'uri', maxLength: 2048 },
        email: { type: 'string', maxLength: 254, pattern: expect.stringContaining('@') },
        password: { type: 'string', format: 'password', minLength: 8, maxLength: 128 },
        currentPassword: { type: ['string', 'null'], format: 'password', minLength: 1, maxLength: 128 },
        fileId: { type: 'string', pattern: '^[0-9a-f]{24}$' },
        logoId: { type: ['string', 'null'], pattern: '^(?:[0-9a-f]{24})?$' },
        isPublic: { type: ['boolean', 'null'] },
        capacity: { type: ['integer', 'null'], minimum: 0, maximum: 10 },
        foundedOn: { type: 'string', pattern: ISO_DATE.source },
        closedOn: { type: ['string', 'null'], pattern: `^\\s*$|${ISO_DATE.source}` },
      },
    });
  });

  it('shows no default, and no pattern that only some languages understand', () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain('"default":');
    expect(text).not.toContain('\\p{');
  });

  it('shows that read-only fields accept anything', () => {
    const { properties } = document.components?.schemas?.Sample as { properties: object };
    const anything = { anyOf: [{}], description: 'Read-only: accepted and ignored.' };
    expect(properties).toMatchObject({ _id: anything, createdAt: anything });
    expect(JSON.stringify(properties)).not.toContain('readOnly');
  });

  it('shows the parameters of a list', () => {
    expect(document.paths['/samples']?.get?.parameters).toEqual([
      { name: 'skip', in: 'query', required: false, schema: { type: 'integer', minimum: 0, maximum: 1e6 } },
      {
        name: 'limit',
        in: 'query',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 100 },
      },
      { name: 'after', in: 'query', required: false, schema: { type: 'string', pattern: '^[0-9a-f]{24}$' } },
      {
        name: 'q',
        in: 'query',
        required: false,
        schema: { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\x00-\\x1F\\x7F-\\x9F]*$' },
      },
    ]);
  });
});
