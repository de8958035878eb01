import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastify } from 'fastify';
import { settingsWith } from '../../test/support/settings';
import { serveHome } from './home';

it('GET / escapes CONTACT in its page, and not in its JSON', async () => {
  const CONTACT = 'https://wiki.example/?page=1&copy;=2';
  const server = fastify();
  const app = { getHttpAdapter: () => ({ getInstance: () => server }) } as unknown as NestFastifyApplication;
  serveHome(app, settingsWith({ CONTACT }));
  const page = await server.inject({ url: '/', headers: { accept: 'text/html' } });
  const escaped = 'https://wiki.example/?page=1&amp;copy;=2';
  expect(page.payload).toContain(`<a href="${escaped}">${escaped}</a>`);
  expect((await server.inject('/')).json()).toMatchObject({ contact: CONTACT });
});
