import type { JsonObject, JsonValue } from '../input/crd-input.ts';
import { isList, isObject, own } from '../input/json.ts';
import { apiVersionOf, isGroup, isKind, isLabel } from '../names.ts';
import type { GroupVersionKind } from './types.ts';

/** A text that is the same for the same kind, and for no other. */
export function kindKey(kind: GroupVersionKind): string {
  return `${apiVersionOf(kind)} ${kind.kind}`;
}

/** One `x-kubernetes-group-version-kind`; undefined where it names no fit kind. */
export function kindOf(value: JsonValue | undefined): GroupVersionKind | undefined {
  if (!isObject(value)) return undefined;
  const [group, version, kind] = [own(value, 'group') ?? '', own(value, 'version'), own(value, 'kind')];
  if (typeof group !== 'string' || typeof version !== 'string' || typeof kind !== 'string') return undefined;
  return isGroup(group) && isLabel(version) && isKind(kind) ? { group, version, kind } : undefined;
}

/** The kinds that a definition says it is, in its order; a single one may stand without a list. */
export function kindsOf(schema: JsonObject): readonly GroupVersionKind[] {
  const value = schema['x-kubernetes-group-version-kind'];
  if (value === undefined) return none;
  return (isList(value) ? value : [value]).map(kindOf).filter((kind) => kind !== undefined);
}

const none: readonly GroupVersionKind[] = [];
