/** Objects without the values of Secrets and tokens. */

import { isObject, type JsonObject, member } from '../members.ts';
import { redactedText as hidden, lastApplied } from './rules.ts';

/** In place of a value that the API requires to be base64. */
const hiddenBase64: string = Buffer.from(hidden).toString('base64');

/**
 * Returns an object, a list, a patch or a response without secret values: of Secrets, all members but those
 * that identify them; `status.token` and `spec.token` of tokens; and the annotation of `kubectl apply` in all
 * objects.
 * @param isSecret whether it belongs to the resource `secrets`
 */
export function redacted(value: unknown, isSecret: boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => redactedOperation(item, isSecret));
  if (!isObject(value)) return redactedScalar(value, isSecret);
  const kind = member(value, 'kind');
  const items = member(value, 'items');
  if (Array.isArray(items) && kind !== 'Secret') {
    const isList = isSecret || kind === 'SecretList';
    const shown = items.map((item: unknown) => redacted(item, isList));
    return { ...(isList ? redactedSecret({ ...value, items: undefined }) : value), items: shown };
  }
  if (kind === 'Status') return isSecret ? redactedStatus(value) : value;
  if (isSecret || kind === 'Secret') return redactedSecret(value);
  const result = withAnnotations(value);
  return kind === 'TokenRequest' || kind === 'TokenReview' ? redactedToken(result) : result;
}

/** Returns a `Status` without its messages, which may quote values. */
export function redactedStatus(status: object): JsonObject {
  const { message, details, ...rest } = isObject(status) ? status : {};
  const { causes, ...names } = isObject(details) ? details : {};
  const shown = Array.isArray(causes) ? causes.map((cause: unknown) => hiddenMessage(cause)) : undefined;
  return {
    ...rest,
    ...(message !== undefined && { message: hidden }),
    ...(details !== undefined && { details: { ...names, ...(shown && { causes: shown }) } }),
  };
}

function hiddenMessage(cause: unknown): JsonObject {
  return { ...(isObject(cause) && cause), message: hidden };
}

/** Text may be YAML, and any value may be that of a Secret. */
function redactedScalar(value: unknown, isSecret: boolean): unknown {
  if (value === undefined || value === null) return value;
  const isHidden = isSecret || (typeof value === 'string' && value.includes(lastApplied));
  return isHidden ? hidden : value;
}

/** An operation of a JSON patch contains one value: of a member, of its parent, or of the whole object. */
function redactedOperation(item: unknown, isSecret: boolean): unknown {
  if (!isObject(item)) return isSecret ? hidden : item;
  if (!('value' in item) && !isSecret) return item;
  const { op, path, from, value } = item;
  const operation = { op, path, ...(from !== undefined && { from }) };
  if (!('value' in item)) return operation;
  return { ...operation, value: isSecret ? hidden : redactedPart(String(path), value) };
}

/** Returns the value of a JSON pointer without the annotation of `kubectl apply`. */
function redactedPart(path: string, value: unknown): unknown {
  if (path === '') return redacted(value, false);
  if (path === '/metadata') return member(withAnnotations({ metadata: value }), 'metadata');
  return path.startsWith('/metadata/annotations') ? hidden : value;
}

function withAnnotations(value: JsonObject): JsonObject {
  const metadata = member(value, 'metadata');
  const annotations = member(metadata, 'annotations');
  if (!isObject(metadata) || !isObject(annotations) || !Object.hasOwn(annotations, lastApplied)) return value;
  return { ...value, metadata: { ...metadata, annotations: { ...annotations, [lastApplied]: hidden } } };
}

/** Members of a Secret that identify it. All others are hidden, whatever a request contains. */
const identifying: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'type', 'immutable']);

function redactedSecret(value: JsonObject): JsonObject {
  const members = Object.keys(value).flatMap((name): (readonly [string, unknown])[] => {
    const content = value[name];
    if (content === undefined) return [];
    if (identifying.has(name) || content === null) return [[name, content]];
    if (name === 'metadata') return [[name, hiddenAnnotations(content)]];
    return [[name, hiddenValues(content, name === 'data' ? hiddenBase64 : hidden)]];
  });
  return Object.fromEntries(members);
}

function hiddenAnnotations(metadata: unknown): unknown {
  if (!isObject(metadata)) return hidden;
  const annotations = member(metadata, 'annotations');
  if (annotations === undefined || annotations === null) return metadata;
  return { ...metadata, annotations: hiddenValues(annotations, hidden) };
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
