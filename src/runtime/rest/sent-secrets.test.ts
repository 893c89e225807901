import { describe, expect, it } from 'vitest';
import type { APIRequest } from '../api/transport.ts';
import type { AuthConfig } from '../config/types.ts';
import { RESTClient } from './client.ts';

const token = 'kubeconfig-u-abc:SECRET/123+x?=';
const password = 'päss "word" & 1';
const pair = Buffer.from(`jane:${password}`).toString('base64');

/** Forms in which servers repeat a value. */
const forms: Readonly<Record<string, (value: string) => string>> = {
  'as it is': (value) => value,
  'in base64': (value) => Buffer.from(value).toString('base64'),
  'in base64 for URLs': (value) => Buffer.from(value).toString('base64url'),
  'within a longer value in base64': (value) => Buffer.from(`Bearer: ${value}!`).toString('base64'),
  'in a URL': (value) => encodeURIComponent(value),
  'in a form': (value) => String(new URLSearchParams({ a: value })),
  'in JSON': (value) => JSON.stringify(value),
};

function client(auth: AuthConfig, respond: (request: APIRequest) => string, type: string): RESTClient {
  const transport = async (request: APIRequest) => {
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(respond(request));
    }
    return { status: 401, headers: { 'content-type': type }, body: body(), cancel: () => undefined };
  };
  return new RESTClient({ server: 'https://stub', auth }, { transport });
}

function status(message: string): string {
  return JSON.stringify({ kind: 'Status', status: 'Failure', code: 401, reason: 'Unauthorized', message });
}

async function shown(rest: RESTClient): Promise<string> {
  const error: unknown = await rest.get('/version').catch((reason: unknown) => reason);
  return error instanceof Error ? `${error.message} ${JSON.stringify(error)}` : '';
}

describe.each(Object.entries(forms))('a credential that a server repeats %s', (_, form) => {
  it.each<[string, AuthConfig, string]>([
    ['a token', { token }, token],
    ['a password', { username: 'jane', password }, password],
    ['user and password', { username: 'jane', password }, pair],
  ])('is replaced in a Status and in a text: %s', async (_name, auth, value) => {
    const text = `the value ${form(value)} is expired`;
    for (const [body, type] of [
      [status(text), 'application/json'],
      [text, 'text/plain'],
    ] as const) {
      const message = await shown(client(auth, () => body, type));
      expect(message).toContain('is expired');
      expect(message).toContain('[hidden]');
      expect(message).not.toContain(form(value).slice(2, -2).slice(0, 12));
    }
  });
});

it('is replaced in a header that the caller sets', async () => {
  const rest = client(
    {},
    ({ headers }) => status(`no: ${headers['authorization']?.slice(7)}`),
    'application/json',
  );
  const headers = { Authorization: 'Bearer own-sesame' };
  await expect(rest.get('/version', { headers })).rejects.toThrow('no: [hidden]');
});
