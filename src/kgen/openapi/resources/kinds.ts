import { apiVersionOf, isGroup, isKind, isLabel } from '../../common/names.ts';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { isList, isObject, own } from '../../input/json.ts';
import type { GroupVersionKind } from '../types.ts';

/** Returns a unique string for a kind. */
export function kindKey(kind: GroupVersionKind): string {
  return `${apiVersionOf(kind)} ${kind.kind}`;
}

/** Reads one `x-kubernetes-group-version-kind`. Returns `undefined` if it is not a valid kind. */
export function kindOf(value: JsonValue | undefined): GroupVersionKind | undefined {
  if (!isObject(value)) return undefined;
  const [group, version, kind] = [own(value, 'group') ?? '', own(value, 'version'), own(value, 'kind')];
  if (typeof group !== 'string' || typeof version !== 'string' || typeof kind !== 'string') return undefined;
  return isGroup(group) && isLabel(version) && isKind(kind) ? { group, version, kind } : undefined;
}

/** Returns the kinds of a definition, in order. A single kind may be written without a list. */
export function kindsOf(schema: JsonObject): readonly GroupVersionKind[] {
  const value = schema['x-kubernetes-group-version-kind'];
  if (value === undefined) return none;
  return (isList(value) ? value : [value]).map(kindOf).filter((kind) => kind !== undefined);
}

const none: readonly GroupVersionKind[] = [];
