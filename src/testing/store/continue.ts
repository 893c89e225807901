import { badRequest } from '../api/failures.ts';
import { isObject, type Json, own } from '../values/json.ts';

/**
 * Position of a list: it continues after `start`, at `revision` (-1: at the current one, after the first
 * revision was compacted).
 */
export interface Continue {
  readonly revision: number;
  readonly start: string;
}

/** Returns an opaque continue token. */
export function encodeContinue(token: Continue): string {
  const value = { v: 'meta.k8s.io/v1', rv: token.revision, start: token.start };
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/**
 * Parses a token.
 * @throws {Failure} 400 if it is not a token of this server
 */
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
      'invalid continue token: continue key is not valid: the token was not created by this server',
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
