/** The collection of one kind in the namespace of a sequence. */
import { isObject, type Json, type JsonObject } from '../../src/schema/values/json.ts';
import type { Random } from '../support/random.ts';
import type { SequenceKind } from './kinds.ts';
import { watchMs } from './port.ts';
import type { Step } from './step.ts';

/** A collection that the steps of a sequence read and write. */
export class Target {
  readonly kind: SequenceKind;
  readonly collection: string;
  readonly #random: Random;

  constructor(kind: SequenceKind, random: Random) {
    this.kind = kind;
    const root = kind.apiVersion.includes('/') ? `/apis/${kind.apiVersion}` : `/api/${kind.apiVersion}`;
    const namespace = kind.isClusterScoped === true ? '' : '/namespaces/{ns}';
    this.collection = `${root}${namespace}/${kind.plural}`;
    this.#random = random;
  }

  /** Returns one of three names. */
  name(): string {
    const prefix = this.kind.isClusterScoped === true ? '{ns}-' : '';
    return this.#random.pick(this.kind.names ?? [`${prefix}a`, `${prefix}b`, `${prefix}c`]);
  }

  /** Returns the path of an object, which may not exist. */
  object(): string {
    return `${this.collection}/${this.name()}`;
  }

  /** Restricts a list of a cluster-scoped kind to the objects of the sequence. */
  scoped(query: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    if (this.kind.isClusterScoped !== true) return query;
    const { labelSelector = '' } = query;
    return { ...query, labelSelector: labelSelector === '' ? 'run={ns}' : `run={ns},${labelSelector}` };
  }

  /** Returns a number of changes of each kind. */
  changes(accepted: number, refused: number): readonly JsonObject[] {
    return [...this.#random.some(this.kind.parts, accepted), ...this.#random.some(this.kind.wrong, refused)];
  }

  /** Merges patches into a value. */
  merge(value: JsonObject, ...patches: readonly JsonObject[]): JsonObject {
    return patches.reduce<JsonObject>((result, patch) => mergeOne(result, patch), value);
  }

  /** Watches all changes since the first object of the sequence. */
  history(): Step {
    const query = this.scoped({
      watch: 'true',
      timeoutSeconds: String(watchMs / 1_000),
      ...this.#random.pick<Readonly<Record<string, string>>>([
        { resourceVersion: '{rv:0}' },
        { resourceVersion: '{rv:0}' },
        { resourceVersion: '{rv:2}', labelSelector: 'app=a' },
        { resourceVersion: '{rv:0}', labelSelector: 'app' },
        { resourceVersion: '{rv:0}', fieldSelector: `metadata.name=${this.name()}` },
        {},
        { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' },
      ]),
    });
    const accept = this.#random.pick(['', '', '', '', 'Table', 'PartialObjectMetadata']);
    const represented = accept === '' ? {} : { accept: `application/json;as=${accept};v=v1;g=meta.k8s.io` };
    return { method: 'GET', path: this.collection, query, ...represented };
  }
}

function mergeOne(value: JsonObject, patch: JsonObject): JsonObject {
  const result: Record<string, Json> = { ...value };
  for (const [key, item] of Object.entries(patch)) {
    const before = result[key];
    // Null remains, so that it is sent.
    result[key] = isObject(item) && isObject(before) ? mergeOne(before, item) : item;
  }
  return result;
}
