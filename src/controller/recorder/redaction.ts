/** Objects without the values of Secrets and tokens. */

import { isObject, type JsonObject, member } from '../members.ts';

/** In place of a secret value; in base64 where the API requires it. */
const hidden = '(redacted)';
const hiddenBase64: string = Buffer.from(hidden).toString('base64');

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Returns an object, a list, a patch or a response without secret values: `data`, `stringData` and
 * annotations of Secrets, `status.token` and `spec.token` of tokens, and the annotation of `kubectl apply` in
 * all objects.
 * @param isSecret whether it belongs to the resource `secrets`
 */
export function redacted(value: unknown, isSecret: boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => redactedOperation(item, isSecret));
  if (!isObject(value)) return isSecret && typeof value === 'string' ? hidden : value;
  const items = member(value, 'items');
  if (Array.isArray(items)) {
    const isList = isSecret || member(value, 'kind') === 'SecretList';
    return { ...value, items: items.map((item: unknown) => redacted(item, isList)) };
  }
  const kind = member(value, 'kind');
  const result = withAnnotations(value, isSecret || kind === 'Secret');
  if (isSecret || kind === 'Secret') return redactedSecret(result);
  return kind === 'TokenRequest' || kind === 'TokenReview' ? redactedToken(result) : result;
}

/** An operation of a JSON patch contains one value. */
function redactedOperation(item: unknown, isSecret: boolean): unknown {
  if (!isObject(item)) return isSecret ? hidden : item;
  const path = member(item, 'path');
  const isAnnotation = typeof path === 'string' && path.startsWith('/metadata/annotations');
  return 'value' in item && (isSecret || isAnnotation) ? { ...item, value: hidden } : item;
}

function withAnnotations(value: JsonObject, isSecret: boolean): JsonObject {
  const metadata = member(value, 'metadata');
  const annotations = member(metadata, 'annotations');
  if (!isObject(metadata) || !isObject(annotations)) return value;
  if (!isSecret && !Object.hasOwn(annotations, lastApplied)) return value;
  const shown = isSecret ? hiddenValues(annotations, hidden) : { ...annotations, [lastApplied]: hidden };
  return { ...value, metadata: { ...metadata, annotations: shown } };
}

function redactedSecret(value: JsonObject): JsonObject {
  const [data, stringData] = [member(value, 'data'), member(value, 'stringData')];
  return {
    ...value,
    ...(data !== undefined && { data: hiddenValues(data, hiddenBase64) }),
    ...(stringData !== undefined && { stringData: hiddenValues(stringData, hidden) }),
  };
}

function redactedToken(value: JsonObject): JsonObject {
  const parts = ['spec', 'status'].flatMap((name) => {
    const part = member(value, name);
    return isObject(part) && Object.hasOwn(part, 'token')
      ? [[name, { ...part, token: hidden }] as const]
      : [];
  });
  return { ...value, ...Object.fromEntries(parts) };
}

function hiddenValues(value: unknown, replacement: string): unknown {
  if (!isObject(value)) return replacement;
  return Object.fromEntries(Object.keys(value).map((key) => [key, value[key] === null ? null : replacement]));
}
