/**
 * Requests that cannot be serialized are rejected with a reason, and the message does not contain the invalid
 * value.
 */
import { RESTClient } from '@kgen/runtime';
import { expect, it } from 'vitest';
import { FaultServer } from './server.ts';

const secret = 'sesame\r\nx-remote-user: admin';

it.each([
  ['a header with two lines', { headers: { 'x-a': secret } }],
  ['a credential with two lines', { headers: { authorization: `Bearer ${secret}` } }],
  ['a header without a name', { headers: { 'x a': 'sesame' } }],
  ['a user with two lines', { impersonate: { user: secret } }],
  ['groups without a user', { impersonate: { user: '', groups: ['sesame'] } }],
])('%s', async (_, options) => {
  const server = await new FaultServer().start();
  const rest = new RESTClient({ server: server.url });
  for (const call of [() => rest.get('/a', options), () => rest.post('/a', { ...options, body: {} })]) {
    const error: unknown = await call().then(
      () => 'was sent',
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(TypeError);
    expect(`${error}`).toMatch(
      /which headers cannot contain|is not a valid header name|impersonation needs a user|to impersonate cannot be sent/,
    );
    expect(`${error}`).not.toContain('sesame');
  }
  await expect(rest.get('/a')).resolves.toMatchObject({ kind: 'Pod' });
  await rest.close();
  await server.emptied();
  await server.stop();
});
