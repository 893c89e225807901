/** Objects without the values of Secrets: their lengths remain. */

/** Annotation in which `kubectl apply` stores the whole object. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** In place of a value in recordings, and its form in base64. */
const redactedForms: ReadonlySet<string> = new Set(['(redacted)', 'KHJlZGFjdGVkKQ==']);

/** Members of a Secret that identify it. */
const identifying: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'type', 'immutable']);

/** Returns whether a resource is Secrets. */
export function isSecret({
  group,
  resource,
}: {
  readonly group: string;
  readonly resource: string;
}): boolean {
  return group === '' && resource === 'secrets';
}

/**
 * Returns an object, a list or a patch as it may be shown: values of Secrets and tokens as their lengths.
 * @param secret whether it belongs to the resource `secrets`
 */
export function shownContent(value: unknown, secret: boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => shownOperation(item, secret));
  if (!isRecord(value)) return secret || isLastApplied(value) ? lengthOf(value) : value;
  const { kind, items } = value;
  const isOwn = secret || kind === 'Secret';
  if (Array.isArray(items) && kind !== 'Secret')
    return {
      ...value,
      items: items.map((item: unknown) => shownContent(item, secret || kind === 'SecretList')),
    };
  if (isOwn && kind === 'Status') return { kind, status: value['status'], code: value['code'] };
  const shown = isOwn ? mapped(value, shownMember) : value;
  return withoutTokens(withoutLastApplied(shown, isOwn));
}

function shownMember(value: unknown, name: string): unknown {
  if (identifying.has(name) || value === null) return value;
  return isRecord(value) ? mapped(value, lengthOf) : lengthOf(value);
}

/** An operation of a JSON patch contains a value of a member, or of the whole object. */
function shownOperation(item: unknown, secret: boolean): unknown {
  if (!isRecord(item) || !('value' in item)) return item;
  const { path, value } = item;
  if (secret || String(path).startsWith('/metadata/annotations')) return { ...item, value: lengthOf(value) };
  if (path !== '/metadata') return { ...item, value: shownContent(value, false) };
  return { ...item, value: withoutLastApplied({ metadata: value }, false)['metadata'] };
}

/** A text may be YAML. */
function isLastApplied(value: unknown): boolean {
  return typeof value === 'string' && value.includes(lastApplied);
}

function withoutLastApplied(value: Record, hidesAll: boolean): Record {
  const { metadata } = value;
  if (!isRecord(metadata) || !isRecord(metadata['annotations'])) return value;
  const annotations = mapped(metadata['annotations'], (each, name) =>
    hidesAll || name === lastApplied ? lengthOf(each) : each,
  );
  return { ...value, metadata: { ...metadata, annotations } };
}

function withoutTokens(value: Record): Record {
  if (value['kind'] !== 'TokenRequest' && value['kind'] !== 'TokenReview') return value;
  return mapped(value, (part) =>
    isRecord(part) ? mapped(part, (each, name) => (name === 'token' ? lengthOf(each) : each)) : part,
  );
}

/** Returns the length of a value in place of it; data of Secrets is in base64, which is longer by a third. */
export function lengthOf(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (redactedForms.has(text)) return '(redacted)';
  // Of a source that has replaced the value already.
  return /^\(\d+ characters\)$/.test(text) ? text : `(${text.length} characters)`;
}

/** An object of JSON. */
export type Record = { readonly [name: string]: unknown };

/** Returns whether a value is an object of JSON. */
export function isRecord(value: unknown): value is Record {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the metadata of an object; empty without one. */
export function metadataOf(object: unknown): Record {
  return isRecord(object) && isRecord(object['metadata']) ? object['metadata'] : {};
}

function mapped(value: Record, change: (member: unknown, name: string) => unknown): Record {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, name)]));
}
