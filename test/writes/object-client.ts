/** Writes of one object by a REST client, in every form. */

import type { RESTClient } from '@kgen/runtime';
import { isFields, type Write } from './history.ts';
import { apiVersionOf, type Fields, type Kind, pathOf } from './kinds.ts';

/** Place of the written object. */
export interface Place {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
}

/** Media types of patches. */
export const mediaTypes = {
  apply: 'application/apply-patch+yaml',
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** Sends a write. `resourceVersion` is that of the body; by default, updates have the present one. */
export async function send(
  rest: RESTClient,
  place: Place,
  write: Write,
  resourceVersion?: string,
): Promise<unknown> {
  const { kind, namespace, name } = place;
  const { verb, version = 'v1', manager, body } = write;
  const query = { fieldManager: manager };
  const path = pathOf(kind, version, namespace, name);
  const full = bodyOf(place, write, resourceVersion);
  const apply = { contentType: mediaTypes.apply, query: { ...query, force: write.force ?? true } };
  const patch = (contentType: string, to = path): Promise<unknown> =>
    rest.patch(to, { body, contentType, query });
  switch (verb) {
    case 'create':
      return rest.post(pathOf(kind, version, namespace), { body: full, query });
    case 'apply':
      return rest.patch(path, { ...apply, body: full });
    case 'applyText':
      return rest.patch(path, { ...apply, body: `---\n${JSON.stringify(full)}\n` });
    case 'applyStatus':
      return rest.patch(`${path}/status`, { ...apply, body: full });
    case 'update':
    case 'updateStatus':
      return update(rest, place, write, resourceVersion);
    case 'json':
    case 'merge':
    case 'strategic':
      return patch(mediaTypes[verb]);
    case 'mergeStatus':
      return patch(mediaTypes.merge, `${path}/status`);
    case 'mergeScale':
      return rest.patch(`${path}/scale`, { body: { spec: { replicas: body } }, query });
    case 'scale': {
      const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name, namespace } };
      return rest.put(`${path}/scale`, { body: { ...scale, spec: { replicas: body } }, query });
    }
    case 'streamed':
      return streamed(rest, path, write);
    case 'delete':
      return rest.delete(path);
    case 'deleteCollection':
      return rest.delete(pathOf(kind, version, namespace));
    default:
      throw new TypeError(`${verb} needs a cache`);
  }
}

/** Replaces the status of an object that the process has changed. */
export async function putStatus(
  rest: RESTClient,
  { kind, namespace, name }: Place,
  { version = 'v1', manager }: Write,
  body: object,
): Promise<unknown> {
  const path = pathOf(kind, version, namespace, name, 'status');
  return rest.put(path, { body, query: { fieldManager: manager } });
}

/** Replaces the present object, or its status, by one with other content. */
async function update(
  rest: RESTClient,
  { kind, namespace, name }: Place,
  { verb, version = 'v1', manager, body, resourceVersion: form }: Write,
  resourceVersion: string | undefined,
): Promise<unknown> {
  const path = pathOf(kind, version, namespace, name);
  const live = fieldsOf(await rest.get(path));
  const { managedFields: _, ...metadata } = fieldsOf(live['metadata']);
  const content = fieldsOf(body);
  const changed = {
    ...metadata,
    ...fieldsOf(content['metadata']),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(form === 'none' && { resourceVersion: undefined }),
  };
  return rest.put(verb === 'update' ? path : `${path}/status`, {
    body: { ...live, ...content, metadata: changed },
    query: { fieldManager: manager },
  });
}

async function streamed(
  rest: RESTClient,
  path: string,
  { manager = 'operator', body }: Write,
): Promise<undefined> {
  const response = await rest.stream({
    method: 'PATCH',
    path,
    query: [['fieldManager', manager]],
    headers: { 'content-type': mediaTypes.merge },
    body: JSON.stringify(body),
  });
  for await (const _ of response.body);
  return undefined;
}

function bodyOf(
  { kind, name, namespace }: Place,
  { verb, version = 'v1', body }: Write,
  resourceVersion: string | undefined,
): Fields {
  const content = fieldsOf(body);
  const metadata = {
    ...fieldsOf(content['metadata']),
    name,
    namespace,
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  const merged = { ...(verb === 'applyStatus' ? {} : merge(kind.base, content)) };
  const part = verb === 'applyStatus' ? content : merged;
  return { ...part, apiVersion: apiVersionOf(kind, version), kind: kind.kind, metadata };
}

/** Merges objects; lists and scalars of the second one replace those of the first one. */
function merge(base: Fields, content: Fields): Fields {
  const merged = { ...base };
  for (const [name, value] of Object.entries(content)) {
    const old = merged[name];
    merged[name] = isFields(old) && isFields(value) ? merge(old, value) : value;
  }
  return merged;
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}
