import { Body, Controller, Get, Headers, Module, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { IsDefined, IsOptional, IsString, IsUrl, Matches, MaxLength } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { etagOf, pageOf, toOrganization } from '../shared/records.mjs';
import type { AuthenticatedRequest } from './auth.module';
import { OrganizationsService } from './organizations.service';
import { PageQuery } from './page-query';
import { Event, EventSchema, Organization, OrganizationSchema } from './schemas';
import { UsersModule } from './users.module';

export class OrganizationInput {
  @Matches(/\S/) @MaxLength(255) @IsString() @IsDefined() name!: string;

  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  @MaxLength(2048)
  @IsString()
  @IsDefined()
  url!: string;

  @IsOptional() @MaxLength(1000) @IsString() description?: string;
}

@Controller('organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get(':id')
  async get(
    @Param('id') id: string,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | undefined> {
    const organization = await this.organizations.read(id);
    const etag = etagOf(organization);
    void reply.header('etag', etag);
    if (ifNoneMatch !== etag) return toOrganization(organization);
    void reply.status(304);
    return undefined;
  }

  @Get()
  async list(
    @Query() query: PageQuery,
    @Req() { url }: AuthenticatedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    return pageOf(await this.organizations.list(query), query.limit, toOrganization, url, reply);
  }

  @Put(':id')
  async update(
    @Param('id') id: string,
    @Body() body: OrganizationInput,
    @Req() { user, headers }: AuthenticatedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const organization = await this.organizations.update(user!, id, body, headers['if-match']);
    void reply.header('etag', etagOf(organization));
    return { status: 'success', data: toOrganization(organization) };
  }

  @Post()
  async create(
    @Body() body: OrganizationInput,
    @Req() { user }: AuthenticatedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const organization = await this.organizations.create(user!, body);
    const location = `/organizations/${organization._id.toHexString()}`;
    void reply.headers({ etag: etagOf(organization), location });
    return { status: 'success', data: toOrganization(organization) };
  }
}

@Module({
  imports: [
    UsersModule,
    MongooseModule.forFeature([
      { name: Organization.name, schema: OrganizationSchema },
      { name: Event.name, schema: EventSchema },
    ]),
  ],
  controllers: [OrganizationsController],
  providers: [OrganizationsService],
})
export class OrganizationsModule {}
