/** The body of a success as the value that it is JSON of. */
import { decodeJson } from '../codec/json.ts';
import { readAll } from './body.ts';
import type { Operation, Response } from './types.ts';

/**
 * Reads and decodes a body.
 * @throws {DecodeError} empty, cut off, or no JSON
 */
export async function decodeBody(response: Response, operation: Operation): Promise<unknown> {
  return decodeJson(await readAll(response), operation, response.headers['content-type']);
}
