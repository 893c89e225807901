/** Runs the rows of permissions against a server. */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import type { ClusterConfig } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { unique } from '../support/cluster-tests.ts';
import { chapters, type Row } from './rows.ts';

/** Registers the rows, with a namespace and names of their own for each chapter. */
export function permissionTests(title: string, config: () => ClusterConfig): void {
  describe(title, () => {
    it.each(Object.entries(chapters))('%s', async (_, rows) => {
      const run: Run = { ns: unique('access'), id: unique('access'), token: '' };
      await send(
        config(),
        {
          request: 'POST /api/v1/namespaces',
          body: { metadata: { name: run.ns }, apiVersion: 'v1', kind: 'Namespace' },
          code: 201,
        },
        run,
      );
      for (const row of rows) {
        const reply = await expected(config(), filled(row, run), run);
        const { request, as, code, message, contains } = filled(row, run);
        const seen = {
          request,
          as,
          code: reply.code,
          ...(message === undefined ? {} : { message: member(reply.body, 'message') }),
        };
        expect
          .soft(seen, reply.text)
          .toEqual({ request, as, code, ...(message === undefined ? {} : { message }) });
        if (contains !== undefined) expect.soft(reply.body).toMatchObject(contains as object);
        const issued = member(member(reply.body, 'status'), 'token');
        if (typeof issued === 'string') run.token = issued;
      }
    });
  });
}

/** Values of the placeholders of one chapter. */
interface Run {
  readonly ns: string;
  readonly id: string;
  token: string;
}

interface Reply {
  readonly code: number;
  readonly text: string;
  readonly body: unknown;
}

/** A real server applies a changed role or binding a moment later, which may only change the message. */
const attempts = 40;

async function expected(config: ClusterConfig, row: Row, run: Run, attempt = 1): Promise<Reply> {
  const reply = await send(config, row, run);
  const isExpected =
    reply.code === row.code && (row.message === undefined || member(reply.body, 'message') === row.message);
  if (isExpected || attempt === attempts) return reply;
  await setTimeout(50);
  return expected(config, row, run, attempt + 1);
}

function filled(row: Row, { ns, id, token }: Run): Row {
  const text = JSON.stringify(row).replaceAll('{ns}', ns).replaceAll('{id}', id).replaceAll('{token}', token);
  return JSON.parse(text) as Row;
}

function send({ server, tls, auth }: ClusterConfig, row: Row, run: Run): Promise<Reply> {
  const [method = '', path = ''] = row.request.split(' ');
  const isAdmin = row.as === undefined || Array.isArray(row.as);
  const token =
    row.as === 'token' ? run.token : row.as === 'invalid' ? 'wrong' : isAdmin ? auth?.token : undefined;
  const body = row.body === undefined ? undefined : JSON.stringify(row.body);
  const [user, ...groups] = Array.isArray(row.as) ? row.as : [];
  const options = {
    method,
    agent: false as const,
    ...(tls?.ca === undefined ? {} : { ca: tls.ca }),
    ...(isAdmin && tls?.cert !== undefined ? { cert: tls.cert, key: tls.key } : {}),
    headers: {
      'User-Agent': 'access/1',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
      'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      ...(user === undefined ? {} : { 'Impersonate-User': user }),
      ...(groups.length === 0 ? {} : { 'Impersonate-Group': groups }),
      ...(row.headers as Record<string, string | string[]>),
    },
  };
  return new Promise((resolve, reject) => {
    const request = (server.startsWith('https:') ? httpsRequest : httpRequest)(
      server + path,
      options,
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            code: response.statusCode ?? 0,
            text,
            body: text.startsWith('{') ? (JSON.parse(text) as unknown) : undefined,
          });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
