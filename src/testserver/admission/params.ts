/** Parameters of policies. */

import { isObject, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { servedTypes } from '../resources/catalog.ts';
import { matchesSelector } from '../resources/label-selector.ts';
import type { ResourceType } from '../resources/type.ts';
import type { Store } from '../store/store.ts';

/** Thrown for a binding whose parameters cannot be determined. */
export class ParamError extends Error {}

/**
 * Returns the parameters of a binding: one `undefined` if the policy or the binding has none.
 * @throws {ParamError}
 */
export function paramsOf(
  store: Store,
  policy: JsonObject,
  binding: JsonObject,
  namespace: string,
): readonly (Json | undefined)[] {
  const kind = own(own(policy, 'spec'), 'paramKind');
  const ref = own(own(binding, 'spec'), 'paramRef');
  if (!isObject(kind) || !isObject(ref)) return [undefined];
  const type = typeOf(store, kind);
  const found = select(store, type, ref, scopeOf(type, ref, namespace));
  if (found.length === 0 && text(ref, 'parameterNotFoundAction') === 'Deny')
    throw new ParamError('no params found for policy binding with `Deny` parameterNotFoundAction');
  return found;
}

function typeOf(store: Store, kind: JsonObject): ResourceType {
  const [apiVersion, name] = [text(kind, 'apiVersion'), text(kind, 'kind')];
  const type = servedTypes(store).find((each) => each.apiVersion === apiVersion && each.kind === name);
  if (type !== undefined) return type;
  throw new ParamError(
    `failed to find resource referenced by paramKind: '${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${name}'`,
  );
}

/** Returns the namespace of the parameters; empty for cluster-scoped kinds. */
function scopeOf(type: ResourceType, ref: JsonObject, namespace: string): string {
  const given = text(ref, 'namespace');
  if (!type.namespaced) {
    if (given === '') return '';
    throw new ParamError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  if (given === '' && namespace === '')
    throw new ParamError(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    );
  return given || namespace;
}

function select(store: Store, type: ResourceType, ref: JsonObject, namespace: string): readonly JsonObject[] {
  const prefix = type.namespaced ? `${namespace}/` : '';
  const name = text(ref, 'name');
  if (name !== '') {
    const found = store.get(type.storage, `${prefix}${name}`);
    return found === undefined ? [] : [found];
  }
  const selector = own(ref, 'selector');
  return store
    .list(type.storage, prefix)
    .map(([, value]) => value)
    .filter((value) => matchesSelector(object(value, 'metadata', 'labels'), selector));
}
