/** Requests for the Secret of certificates, and its object. */
import type { RESTClient } from '@kgen/runtime';
import { isObject, member, metadataString } from '../../members.ts';
import { dataOf, type KeptPairs, pairsOf } from './kept-pairs.ts';
import type { SecretState } from './rotation.ts';

/** Annotation of the Secret: the Service whose certificates it contains. */
const annotation = 'kgen.dev/webhook-certificates';
const collection = '/api/v1/namespaces/{namespace}/secrets';

/** Secret of the certificates of a Service. */
export interface SecretPlace {
  readonly namespace: string;
  readonly name: string;
  readonly service: string;
}

/** Returns the state of the Secret. */
export function secretStateOf(secret: unknown, { service }: SecretPlace): SecretState {
  if (secret === undefined) return { type: 'absent' };
  const annotations = member(member(secret, 'metadata'), 'annotations');
  if (member(annotations, annotation) !== service) return { type: 'foreign' };
  const data = member(secret, 'data');
  const version = metadataString(secret, 'resourceVersion') ?? '';
  return { type: 'kept', pairs: pairsOf(isObject(data) ? data : {}), version };
}

/** Creates the Secret, or replaces the one that was read unless it has changed since. Returns the new one. */
export function storeSecret(
  rest: RESTClient,
  { namespace, name, service }: SecretPlace,
  read: unknown,
  pairs: KeptPairs,
  signal: AbortSignal,
): Promise<unknown> {
  const old = member(read, 'metadata');
  const annotations = member(old, 'annotations');
  const metadata = {
    ...(isObject(old) ? old : { namespace, name }),
    annotations: { ...(isObject(annotations) && annotations), [annotation]: service },
    managedFields: undefined,
  };
  const body = { apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls', metadata, data: dataOf(pairs) };
  return read === undefined
    ? rest.post(collection, { path: { namespace }, body, signal })
    : rest.put(`${collection}/{name}`, { path: { namespace, name }, body, signal });
}
