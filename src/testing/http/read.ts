import type { IncomingMessage } from 'node:http';
import { badRequest, failure } from '../api/failures.ts';
import type { ApiRequest } from '../api/request.ts';

/** Maximum size of a body in bytes, equal to that of a real API server. */
const bodyLimit = 3 * 1024 * 1024;

/**
 * Reads the whole request.
 * @throws {Failure} 400 for a path that cannot be decoded, 413 for a body that is too large
 */
export async function readRequest(message: IncomingMessage): Promise<ApiRequest> {
  const url = new URL(message.url ?? '/', 'http://127.0.0.1');
  return {
    method: message.method ?? 'GET',
    path: segments(url.pathname),
    query: url.searchParams,
    accept: message.headers.accept ?? '',
    contentType: message.headers['content-type'] ?? '',
    userAgent: message.headers['user-agent'] ?? '',
    body: await readBody(message),
  };
}

function segments(path: string): readonly string[] {
  try {
    return path
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
  } catch (error) {
    throw badRequest(
      `the path ${path} cannot be decoded: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early must not destroy the socket, which is needed for the response.
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    // Without an encoding, the chunks of a request are buffers.
    const buffer = chunk as Buffer;
    size += buffer.length;
    if (size > bodyLimit)
      throw failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${bodyLimit}`);
    chunks.push(buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
