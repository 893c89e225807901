import { DecodeError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';
import type { VersionInfo } from '../types.ts';
import { textOf } from './values.ts';

/**
 * Parses the response of `/version`.
 * @throws {DecodeError} the value has another type
 */
export function parseVersion(value: unknown, operation: RequestOperation): VersionInfo {
  const [major, minor, gitVersion] = [
    textOf(value, 'major'),
    textOf(value, 'minor'),
    textOf(value, 'gitVersion'),
  ];
  if (gitVersion === '') {
    throw new DecodeError('the response has no version: is this a Kubernetes API?', operation);
  }
  const more = (['gitCommit', 'buildDate', 'platform'] as const).map((name) => [name, textOf(value, name)]);
  return { major, minor, gitVersion, ...Object.fromEntries(more.filter(([, text]) => text !== '')) };
}
