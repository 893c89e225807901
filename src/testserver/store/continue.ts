/** Continue tokens of lists. */
import { posix } from 'node:path';
import { isObject, type Json, type JsonObject, own, text } from '@kgen/schema/values/json';
import { messageOf } from '@kgen/schema/values/thrown';
import { badRequest } from '../errors/failures.ts';
import type { Failure } from '../errors/status.ts';

/**
 * Position of a list: it continues after `start`, at `revision` (-1: at the current one, after the first
 * revision was compacted).
 */
export interface Continue {
  readonly revision: number;
  /** The last key of the page before and a NUL, without the prefix of the namespace. */
  readonly start: string;
}

/** Returns an opaque continue token. */
export function encodeContinue(token: Continue): string {
  const value = { v: 'meta.k8s.io/v1', rv: token.revision, start: token.start };
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/**
 * Parses a token.
 * @throws {Failure} 400 if it is not a token of an API server
 */
export function decodeContinue(token: string): Continue {
  const value = parse(token);
  const version = own(value, 'v');
  if (version !== 'meta.k8s.io/v1')
    throw invalidToken(`: server does not recognize this encoded version ${text(value, 'v')}`);
  const revision = own(value, 'rv');
  const start = text(value, 'start');
  if (typeof revision !== 'number' || revision === 0)
    throw invalidToken(': incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (start === '') throw invalidToken(': encoded start key empty (version meta.k8s.io/v1)');
  const path = start.startsWith('/') ? start : `/${start}`;
  if (posix.normalize(path) !== path) throw invalidToken(`: ${start}`);
  return { revision, start: path.slice(1) };
}

function invalidToken(why: string): Failure {
  return badRequest(`invalid continue token: continue key is not valid${why}`);
}

function parse(token: string): JsonObject {
  const invalid = /[^A-Za-z0-9_-]/.exec(token)?.index ?? (token.length % 4 === 1 ? token.length - 1 : -1);
  if (invalid >= 0) throw invalidToken(`: illegal base64 data at input byte ${invalid}`);
  try {
    // JSON.parse is `any`; every part is checked before use.
    const value = JSON.parse(Buffer.from(token, 'base64url').toString()) as Json;
    if (isObject(value)) return value;
  } catch (error) {
    throw invalidToken(`: ${messageOf(error)}`);
  }
  throw invalidToken(': json: cannot unmarshal the token into an object');
}
