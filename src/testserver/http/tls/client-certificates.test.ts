import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createAuthority } from '../../../certificates/authority.ts';
import { start } from '../../client.fixture.ts';
import { serverAuthority } from '../ports.ts';

/** Returns the user as which a server authenticates credentials, or the code of its failure. */
async function userOf(url: string, options: RequestOptions): Promise<unknown> {
  const sent = request(`${url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
    ...options,
    method: 'POST',
    agent: false,
    headers: { ...options.headers, 'content-type': 'application/json' },
  });
  sent.end('{}');
  const [response]: IncomingMessage[] = await once(sent, 'response');
  const body: unknown = await json(response ?? Readable.from([]));
  return response?.statusCode === 201 ? Object(body).status.userInfo : response?.statusCode;
}

const groups = ['team-a', 'team-b', 'system:authenticated'];
const client = () => serverAuthority().issueClient('web', ['team-a', 'team-b']);
const foreign = () => createAuthority().issueClient('web', ['system:masters']);
const server = () => serverAuthority().issueServer('web', { names: ['web'], addresses: [] });

test.each([
  ['the owner of a certificate', client, false, { username: 'web', groups }],
  ['the owner of a certificate rather than of a token', client, true, { username: 'web', groups }],
  ['nobody for a certificate of another authority', foreign, false, 401],
  [
    'the owner of a token with a certificate of another authority',
    foreign,
    true,
    { username: 'kubernetes-admin' },
  ],
  ['nobody for a certificate of a server', server, false, 401],
])('authenticates %s', async (_, issue, hasToken, expected) => {
  const { config } = await start({ https: true });
  const token = hasToken ? { headers: { authorization: `Bearer ${config.auth?.token}` } } : {};
  const found = await userOf(config.server, { ...issue(), ca: config.tls?.ca, ...token });
  if (typeof expected === 'number') expect(found).toBe(expected);
  else expect(found).toMatchObject(expected);
});
