import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow, Caller, Loaded } from '../../platform/http/access/decorators';
import type { Account } from '../../platform/http/access/account';
import type { Page } from '../../platform/records/reads/page';
import { Returns, Throws } from '../../platform/http/responses/returns.decorator';
import { PageQueryDto } from '../../platform/http/query/page-query.dto';
import type { OrganizationRecord } from '../organizations/organization.schema';
import type { UserRecord } from '../users/user.schema';
import * as dto from './link.dto';
import type { LinkRecord } from './link.schema';
import { LinksService } from './links.service';

/** Links that somebody without an account or a password can use once: `/links/current`, and where they are made. */
@ApiTags('links')
@Controller()
export class LinksController {
  constructor(private readonly links: LinksService) {}

  /**
   * Make a link to set a password
   * @remarks Send it to the User, who sets a password with `POST /links/current`, once and within 72 hours. A new link, a new
   * password or a suspension ends it.
   */
  @Post('users/:id/password-links')
  @Allow('admin', { apiKey: false })
  @Throws('noPasswordLink')
  @Returns.created(dto.CreatedLinkDto, { location: false, noStore: true })
  createForPassword(
    @Caller() caller: Account,
    @Loaded() user: UserRecord,
    @Body() _body: dto.PasswordLinkInput,
  ): Promise<dto.CreatedLink> {
    return this.links.createForPassword(caller, user);
  }

  /** List the invitations of an Organization that were not used yet */
  @Get('organizations/:id/invitations')
  @Allow('invite', { apiKey: false })
  @Returns.list(dto.InvitationDto, { noStore: true })
  listInvitations(@Loaded() { _id }: OrganizationRecord, @Query() query: PageQueryDto): Promise<Page<LinkRecord>> {
    return this.links.listInvitations(_id, query);
  }

  /**
   * Invite somebody without an account to manage an Organization
   * @remarks Send them the link: with `POST /links/current` they make an account that has this address, once and within 72
   * hours. Add somebody with an account with `POST /organizations/{id}/managers`.
   */
  @Post('organizations/:id/invitations')
  @Allow('invite', { apiKey: false })
  @Throws('emailTaken', 'tooMany')
  @Returns.created(dto.CreatedInvitationDto, { location: false, noStore: true })
  createInvitation(
    @Caller() caller: Account,
    @Loaded() { _id }: OrganizationRecord,
    @Body() body: dto.InvitationInput,
  ): Promise<dto.CreatedLink> {
    return this.links.createInvitation(caller, _id, body);
  }

  /** Revoke an invitation */
  @Delete('organizations/:id/invitations/:invitationId')
  @Allow('invite', { apiKey: false })
  @Returns.deleted({ noStore: true })
  removeInvitation(@Loaded() invitation: LinkRecord): Promise<void> {
    return this.links.remove(invitation);
  }

  /** Read what a link is for */
  @Get('links/current')
  @Allow('link')
  @Returns.one(dto.CurrentLinkDto, { noStore: true })
  get(@Loaded() link: dto.CurrentLink): dto.CurrentLink {
    return link;
  }

  /**
   * Use a link
   * @remarks A password link sets the password of its User, whose sessions end. An invitation makes an account and a Manager.
   */
  @Post('links/current')
  @Allow('link')
  @Throws('usernameTaken', 'emailTaken')
  @Returns.created(dto.UsedLinkDto, { location: false, noStore: true })
  use(@Loaded() link: dto.CurrentLink, @Body() body: dto.UseLinkInput): Promise<object> {
    return this.links.use(link, body);
  }
}
