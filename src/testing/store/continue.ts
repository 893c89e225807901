import { badRequest } from '../api/failures.ts';
import { isObject, type Json, own } from '../values/json.ts';

/** Where a list goes on: after `start`, as of `revision` (-1: as of now, after the first revision was compacted). */
export interface Continue {
  readonly revision: number;
  readonly start: string;
}

/** The opaque text of a continue token. */
export function encodeContinue(token: Continue): string {
  const value = { v: 'meta.k8s.io/v1', rv: token.revision, start: token.start };
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Reads a token back. @throws {Failure} 400 when it is none of this server. */
export function decodeContinue(token: string): Continue {
  const value = parse(Buffer.from(token, 'base64url').toString());
  const revision = own(value, 'rv');
  const start = own(value, 'start');
  if (
    !isObject(value) ||
    typeof revision !== 'number' ||
    typeof start !== 'string' ||
    !start.endsWith('\u0000')
  ) {
    throw badRequest(
      'invalid continue token: continue key is not valid: the token was not made by this server',
    );
  }
  return { revision, start };
}

function parse(value: string): Json {
  try {
    // JSON.parse is `any`; every part is checked before use.
    return JSON.parse(value) as Json;
  } catch (error) {
    throw badRequest(
      `invalid continue token: continue key is not valid: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
