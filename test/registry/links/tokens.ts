import type { Client } from '../../support/client';
import { created } from '../../support/records';
import type { Service } from '../../support/service';

/** The token of a new link that sets the password of a User. */
export async function passwordLink({ admin }: Pick<Service, 'admin'>, { id }: Pick<Client, 'id'>): Promise<string> {
  return created<{ token: string }>(await admin.post(`/users/${id}/password-links`)).token;
}

/** A client that sends the token of a new link, to set the password of its User. */
export async function withPasswordLink(service: Service, user: Client): Promise<Client> {
  return user.with(await passwordLink(service, user));
}
