/** Changes of definitions, by their effect on stored objects and on clients. Plain data for JSON. */
import { byText } from '../../common/words.ts';
import type { JsonPath, JsonValue } from '../../input/crd/crd-input.ts';

/**
 * Effect on stored objects: whether they may be refused by the next write. API servers do not validate values
 * that an update leaves unchanged, and drop fields without a schema when they read an object.
 */
export type StoredEffect = 'breaks' | 'breaks unless unchanged' | 'drops data' | 'none';

/** Effect on programs: whether requests may be refused, or responses have other values than before. */
export type ClientEffect = 'breaks' | 'none';

/** One change of a definition. */
export interface DefinitionChange {
  /** Name of the definition: `widgets.example.com`. */
  readonly definition: string;
  /** Kind of the change: `enum-narrowed`. */
  readonly rule: string;
  /** Steps from the root of the definition to the changed keyword: of the old one, if `isRemoved` is set. */
  readonly path: JsonPath;
  readonly isRemoved?: true;
  /** Absent if the change concerns all versions. */
  readonly version?: string;
  /** `.spec.users[].name`, with `{}` for the values of a map; `''` for the object or the definition. */
  readonly field: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  readonly stored: StoredEffect;
  /** The field whose value an update must not change, if `stored` is `breaks unless unchanged`. */
  readonly unchanged?: string;
  readonly clients: ClientEffect;
  /** One sentence: the consequence, and what to do. */
  readonly reason: string;
}

/** Returns whether a change affects stored objects or clients. */
export function isBreaking({ stored, clients }: DefinitionChange): boolean {
  return stored !== 'none' || clients !== 'none';
}

/** Sorts by definition, breaking changes first, then by version, field and rule. */
export function sortChanges(changes: readonly DefinitionChange[]): readonly DefinitionChange[] {
  return [...changes].sort(
    (a, b) =>
      byText(a.definition, b.definition) ||
      Number(isBreaking(b)) - Number(isBreaking(a)) ||
      byText(a.version ?? '', b.version ?? '') ||
      byText(a.field, b.field) ||
      byText(a.rule, b.rule),
  );
}
