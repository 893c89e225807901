import { DecodeError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';
import { isFields } from '../../common/fields.ts';
import type { OpenAPIV3Path } from '../types.ts';
import { groupVersionOf } from './names.ts';
import { fieldOf, textOf } from './values.ts';

/** Path of the list of documents. */
export const openAPIV3Root = '/openapi/v3';

/** Returns the key of the document of a group version. */
export function openAPIV3Key(groupVersion: string): string {
  return groupVersion.includes('/') ? `apis/${groupVersion}` : `api/${groupVersion}`;
}

/**
 * Accepts only paths below the list: the address comes from the server and is requested with the user's
 * credentials.
 */
const address = /^(\/openapi\/v3\/[-\w./]{1,1024})(?:\?hash=([-\w]{1,256}))?$/;

/**
 * Parses the list of documents. Documents with other addresses are ignored.
 * @throws {DecodeError} the value has another type
 */
export function parseOpenAPIV3(
  value: unknown,
  operation: RequestOperation,
): ReadonlyMap<string, OpenAPIV3Path> {
  const paths = fieldOf(value, 'paths');
  if (!isFields(paths)) {
    throw new DecodeError('expected a list of OpenAPI documents: is this a Kubernetes API?', operation);
  }
  const found = Object.entries(paths).flatMap(([key, item]) => pathOf(key, item) ?? []);
  return new Map(found.map((path) => [path.key, path]));
}

function pathOf(key: string, value: unknown): OpenAPIV3Path | undefined {
  const [, path, hash] = address.exec(textOf(value, 'serverRelativeURL')) ?? [];
  if (path === undefined || /\/\.{0,2}(?:\/|$)/.test(path)) return undefined;
  const groupVersion = groupVersionAt(key);
  return {
    key,
    path,
    ...(groupVersion !== undefined && { groupVersion }),
    ...(hash !== undefined && { hash }),
  };
}

function groupVersionAt(key: string): string | undefined {
  const [, name = ''] = /^apis?\/(.+)$/.exec(key) ?? [];
  return groupVersionOf(name) !== undefined && openAPIV3Key(name) === key ? name : undefined;
}
