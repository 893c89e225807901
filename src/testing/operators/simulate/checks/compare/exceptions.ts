/** Fields that users except from the comparison, or compare by a rule of their own. */
import type { ObjectOf, Resource } from '@kgen/runtime/client';
import type { Json } from '@kgen/schema/values/json';
import { storageOf } from '@kgen/testserver/internal/controllers/cluster';
import type { Recorded } from './snapshot.ts';

/** A path whose members exist in `T`; for others, the type of the names that are possible. */
export type MemberPath<T, Path extends readonly string[]> = Path extends readonly [
  infer First,
  ...infer Rest extends readonly string[],
]
  ? First extends keyof NonNullable<T>
    ? readonly [First, ...MemberPath<NonNullable<T>[First], Rest>]
    : readonly [keyof NonNullable<T> & string]
  : readonly [];

/** A field of the objects of a resource. */
export interface ComparedField {
  readonly resource: Resource;
  readonly path: readonly string[];
  /** Whether the values of the run without faults and of the other run are the same. Default: always. */
  readonly isSame?: (expected: unknown, actual: unknown) => boolean;
}

/**
 * Returns a field for the options `ignore` and `compare` of `simulate`, with all members below it.
 * @example
 * ```ts
 * import { fieldOf } from '@kgen/testing';
 * import { redisClusters } from './generated/cache.example.com/v1/index.js';
 *
 * const attempts = fieldOf(redisClusters, ['status', 'readyReplicas']);
 * console.log(attempts.path.join('.')); // status.readyReplicas
 * ```
 */
export function fieldOf<R extends Resource, const Path extends readonly string[]>(
  resource: R,
  path: Path & MemberPath<ObjectOf<R>, Path>,
): ComparedField {
  return { resource, path };
}

/** Rules of users for fields. */
export class Exceptions {
  readonly #rules: readonly ComparedField[];

  constructor(fields: readonly ComparedField[]) {
    this.#rules = fields;
  }

  /** Returns whether a rule of the user decides that a field is the same; `undefined` without a rule. */
  decide(
    { resource }: Recorded,
    path: string,
    expected: Json | undefined,
    actual: Json | undefined,
  ): boolean | undefined {
    const rule = this.#rules.find(
      (each) => storageOf(each.resource) === resource && `.${each.path.join('.')}` === path,
    );
    return rule && (rule.isSame?.(expected, actual) ?? true);
  }
}
