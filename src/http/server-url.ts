import { AddressInfo, isIPv6, Server } from 'node:net';

/** The address of a server that listens on this host, also if that is `0.0.0.0`; undefined while it does not listen. */
export function serverUrl(server: Server, host: string): string | undefined {
  const { port } = (server.address() as AddressInfo | null) ?? {};
  return port === undefined ? undefined : `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
