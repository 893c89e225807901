import { isObject } from '../input/json.ts';
import type { ApiDocument } from './types.ts';

/**
 * Returns `1.36` for `v1.36.3`: the version of the server, otherwise that of the first document that has one.
 */
export function versionOf(documents: readonly ApiDocument[], stated: string | undefined): string | undefined {
  if (stated !== undefined) return minorOf(stated);
  for (const { value } of documents) {
    const info = value['info'];
    const version = isObject(info) && info['title'] === 'Kubernetes' ? info['version'] : undefined;
    const minor = typeof version === 'string' ? minorOf(version) : undefined;
    if (minor !== undefined) return minor;
  }
  return undefined;
}

function minorOf(version: string): string | undefined {
  return /^v?(\d{1,4}\.\d{1,4})(?!\d)/.exec(version)?.[1];
}
