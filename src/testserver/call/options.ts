/** Query options of create, update and patch requests. */
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@kgen/runtime/objects';
import type { JsonObject } from '@kgen/schema/values/json';
import { invalid } from '../errors/failures.ts';
import { boolean } from '../request/query.ts';
import type { Context } from './context.ts';

/** Query options of create, update and patch. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  /** The manager that the query names; empty if that of the user agent is used. */
  readonly sentManager: string;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  readonly force: boolean | undefined;
}

/** Returns the options as an object, as admission receives them. */
export function optionsObject(kind: string, { dryRun, sentManager }: Partial<WriteOptions>): JsonObject {
  return {
    kind,
    apiVersion: 'meta.k8s.io/v1',
    ...(dryRun === true ? { dryRun: ['All'] } : {}),
    ...(sentManager === undefined || sentManager === '' ? {} : { fieldManager: sentManager }),
  };
}

/**
 * Reads and validates the options of a write.
 * @throws {Failure} 422 about the options object `kind`
 */
export function writeOptions(
  context: Context,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
): WriteOptions {
  const { query, contentType, userAgent } = context.request;
  const apply = contentType.startsWith('application/apply-patch+');
  const manager = query.get('fieldManager') ?? '';
  const validation = query.get('fieldValidation') ?? '';
  const errors = [
    ...dryRunErrors(query.getAll('dryRun')),
    ...managerErrors(manager, kind === 'PatchOptions' && apply),
    ...(query.has('force') && kind === 'PatchOptions' && !apply
      ? [forbiddenField('force', 'may not be specified for non-apply patch')]
      : []),
    ...(['', 'Strict', 'Warn', 'Ignore'].includes(validation)
      ? []
      : [notSupported('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn'])]),
  ];
  if (errors.length > 0) throw invalid('meta.k8s.io', kind, '', errors);
  return {
    dryRun: query.getAll('dryRun').includes('All'),
    fieldManager: manager || (userAgent.split('/')[0] ?? '').slice(0, 128) || 'unknown',
    sentManager: manager,
    fieldValidation: validation === 'Strict' || validation === 'Ignore' ? validation : 'Warn',
    force: boolean(query, 'force'),
  };
}

/** Returns errors for values of dryRun other than `All`. */
export function dryRunErrors(values: readonly string[]): readonly FieldError[] {
  return values.every((value) => value === 'All') ? [] : [notSupported('dryRun', values, ['All'])];
}

function managerErrors(manager: string, apply: boolean): readonly FieldError[] {
  if (apply && manager === '') return [required('fieldManager', 'is required for apply patch')];
  if (manager.length > 128)
    return [{ reason: 'FieldValueTooLong', field: 'fieldManager', detail: 'may not be more than 128 bytes' }];
  const wrong = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(manager);
  if (wrong !== null) return [invalidValue('fieldManager', manager, unprintable(wrong))];
  return [];
}

/** Names a character, and its place in bytes. */
function unprintable({ 0: character, index, input }: RegExpExecArray): string {
  const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `invalid character U+${point} (at position ${Buffer.byteLength(input.slice(0, index))})`;
}
