/** Sends malformed requests to a server. */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { ClusterConfig } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { type Row, rows } from './rows.ts';

/** Registers the rows. */
export function badInputTests(title: string, config: () => ClusterConfig): void {
  describe(title, () => {
    it.each(rows.map((row) => [row.title, row] as const))('responds to %s', async (_, row) => {
      const reply = await send(config(), row);
      expect(reply.code, reply.text).toBe(row.code);
      if (row.message instanceof RegExp) expect(messageOf(reply.text)).toMatch(row.message);
      else if (row.message !== undefined) expect(messageOf(reply.text)).toBe(row.message);
    });

    it('continues to respond', async () => {
      expect((await send(config(), { title: '', request: 'GET /readyz', code: 200 })).code).toBe(200);
    });
  });
}

interface Reply {
  readonly code: number;
  readonly text: string;
}

function send({ server, tls, auth }: ClusterConfig, { request, body, headers }: Row): Promise<Reply> {
  const [method = '', path = ''] = request.split(' ');
  const { protocol, hostname, port } = new URL(server);
  const options = {
    method,
    path,
    hostname,
    port,
    agent: false as const,
    ...(tls?.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls?.cert === undefined ? {} : { cert: tls.cert, key: tls.key }),
    headers: {
      'user-agent': 'bad-input/1',
      ...(auth?.token === undefined ? {} : { authorization: `Bearer ${auth.token}` }),
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      ...(isLarge(body) ? { expect: '100-continue' } : {}),
      ...headers,
    },
  };
  return new Promise((resolve, reject) => {
    let hasResponse = false;
    const sent = (protocol === 'https:' ? httpsRequest : httpRequest)(options, (response) => {
      hasResponse = true;
      const chunks: Buffer[] = [];
      const end = (): void =>
        resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8').trim() });
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      // A server closes the connection of a request whose body it refuses.
      response.on('error', end);
      response.on('end', end);
    });
    sent.on('error', (cause) => {
      if (!hasResponse) reject(cause);
    });
    if (!isLarge(body)) return sent.end(body);
    // A server that refuses a body closes the connection. Data that it has not read then resets it, and may
    // discard the response: no more is sent than it reads.
    const part = protocol === 'https:' ? Buffer.from(body ?? '').subarray(0, mostBytes + 1) : undefined;
    sent.on('continue', () => (part === undefined ? sent.end(body) : sent.write(part)));
    sent.on('response', (response) => response.on('end', () => part && sent.destroy()));
    return sent.flushHeaders();
  });
}

/** Maximum size of a body that servers accept. */
const mostBytes = 3 * 2 ** 20;

function isLarge(body: Row['body']): boolean {
  return body !== undefined && Buffer.byteLength(body) > 8 * 2 ** 20;
}

function messageOf(text: string): string {
  if (!text.startsWith('{')) return text;
  const status = JSON.parse(text) as { readonly message?: unknown };
  return String(status.message);
}
