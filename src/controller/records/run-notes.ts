/** Notes of one run: its reads and writes. Strings and numbers only, so that no object outlives its run. */

import type { RequestTarget } from '../client/request-target.ts';
import type { RunRead, RunRequest, RunResponse } from '../client/run-scope.ts';
import { errorOf } from '../errors.ts';
import { differencesOf, type Mask, shownValue } from '../loops/changes.ts';
import { isObject, member, metadataString } from '../members.ts';
import type { ObjectName } from '../runs/key.ts';
import { noSecrets, type SecretTexts } from '../secrecy/secret-values.ts';
import type { FieldChange, RecordedRead, RecordedTarget, RunWrite } from './record.ts';

/** The most entries of a record. */
const limits = { reads: 50, writes: 20, changes: 20, errorLength: 500 };

/** Reads and writes of a run. Its methods never throw. */
export class RunNotes {
  readonly reads: RecordedRead[] = [];
  readonly writes: RunWrite[] = [];
  omittedReads = 0;
  omittedWrites = 0;
  readonly #secrets: SecretTexts;

  constructor(secrets: SecretTexts = noSecrets) {
    this.#secrets = secrets;
  }

  /** Notes a read of a cache. */
  read({ resource, namespace = '', name, objects }: RunRead): void {
    if (this.reads.length >= limits.reads) {
      this.omittedReads += 1;
      return;
    }
    const target = { resource: resourceText(resource), namespace, name: name ?? '' };
    this.reads.push(
      name === undefined
        ? { from: 'cache', ...target, resourceVersion: '', count: objects.length }
        : { from: 'cache', ...target, resourceVersion: metadataString(objects[0], 'resourceVersion') ?? '' },
    );
  }

  /** Notes a request at its end. */
  responded(request: RunRequest, end: RunResponse): void {
    if (request.isWrite) this.#wrote(request, end);
    else this.#got(request, end);
  }

  #got({ request, target }: RunRequest, end: RunResponse): void {
    if (this.reads.length >= limits.reads) {
      this.omittedReads += 1;
      return;
    }
    const response = end.type === 'error' ? undefined : end.response;
    const items = member(response, 'items');
    this.reads.push({
      from: 'server',
      ...targetText(target, request.path),
      resourceVersion: Array.isArray(items) ? '' : (metadataString(response, 'resourceVersion') ?? ''),
      ...(Array.isArray(items) && { count: items.length }),
      ...(end.type === 'error' && { error: errorText(end.error, this.#secrets) }),
    });
  }

  #wrote({ request, verb, target, before }: RunRequest, end: RunResponse): void {
    if (this.writes.length >= limits.writes) {
      this.omittedWrites += 1;
      return;
    }
    const response = end.type === 'error' ? undefined : end.response;
    const text = targetText(target, request.path);
    const common = { verb, ...text, subresource: target?.subresource ?? '' };
    if (end.type === 'error') {
      const status: unknown = end.error instanceof Error ? Reflect.get(end.error, 'code') : undefined;
      const failed = {
        ...common,
        result: 'failed',
        resourceVersion: '',
        error: errorText(end.error, this.#secrets),
      } as const;
      this.writes.push(typeof status === 'number' ? { ...failed, status } : failed);
      return;
    }
    const name = text.name === '' ? (metadataString(response, 'name') ?? '') : text.name;
    this.writes.push({
      ...common,
      name,
      result: end.type === 'skipped' ? 'skipped' : 'done',
      resourceVersion: metadataString(response, 'resourceVersion') ?? '',
      changes: end.type === 'skipped' ? [] : this.#changes(request.method, target, before, end),
    });
  }

  #changes(
    method: string | undefined,
    target: RequestTarget | undefined,
    before: object | undefined,
    { response, after }: Extract<RunResponse, { readonly type: 'response' }>,
  ): readonly FieldChange[] | undefined {
    if (target === undefined || !isObject(response) || !isComparable(target)) return undefined;
    const { group, resource, namespace = '', name = '' } = target;
    const object = { group, resource, namespace, name };
    if (method === 'DELETE') return [{ path: '', before: '(present)', after: '(deleted)' }];
    if (before === undefined)
      return method === 'POST' ? [{ path: '', before: '(absent)', after: '(created)' }] : undefined;
    // Not the response: the cache may keep selected or transformed fields only.
    return after && fieldChanges(object, before, after, { mask: this.#secrets.mask });
  }
}

/** Returns the name of a resource as kubectl accepts it: `deployments.apps`. */
export function resourceText({ group, resource }: Pick<RequestTarget, 'group' | 'resource'>): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** Returns an object's version, or `''`. */
export function versionOf(object: object | undefined): string {
  return metadataString(object, 'resourceVersion') ?? '';
}

/** Returns the fields in which two states of an object differ, as text. */
export function fieldChanges(
  object: ObjectName,
  before: object,
  after: object,
  { limit = limits.changes, mask }: { readonly limit?: number; readonly mask?: Mask | undefined } = {},
): readonly FieldChange[] {
  return differencesOf(before, after, limit).map((difference) => ({
    path: difference.path,
    before: shownValue(object, difference.path, difference.before, mask),
    after: shownValue(object, difference.path, difference.after, mask),
  }));
}

/** Returns an error as one text of limited length, without values of Secrets. */
export function errorText(thrown: unknown, secrets: SecretTexts): string {
  return limitedText(thrown, secrets.messageOf(thrown));
}

/** Returns the name of an error with a message, as one text of limited length. */
export function limitedText(thrown: unknown, message: string): string {
  const text = `${errorOf(thrown).name}: ${message}`;
  return text.length <= limits.errorLength ? text : `${text.slice(0, limits.errorLength - 1)}…`;
}

function targetText(target: RequestTarget | undefined, path: string): RecordedTarget {
  if (target === undefined) return { resource: path, namespace: '', name: '' };
  const { namespace = '', name = '' } = target;
  return { resource: resourceText(target), namespace, name };
}

/** The response has the form of the cached object. */
function isComparable({ subresource }: RequestTarget): boolean {
  return subresource === undefined || subresource === 'status';
}
