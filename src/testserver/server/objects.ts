/** Objects that exist when a server starts. */
import { type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { loadSources, type ObjectSource, type SourcedObject, type SourcedValue } from './sources.ts';

/**
 * Loads the objects of all sources in the order of their creation: namespaces and definitions first, webhooks
 * last, otherwise as in the sources.
 * @param option name of the option, for messages
 * @throws {Error} names the source, the line and the cause
 */
export async function loadObjects(
  sources: readonly ObjectSource[],
  option: 'objects' | 'as' = 'objects',
): Promise<readonly SourcedObject[]> {
  if (sources.length === 0) return [];
  const loaded = await loadSources(sources, option);
  const objects = loaded.flatMap(({ values }) => values.map(checked));
  const { orderManifests } = await import('@kgen/runtime/manifests');
  return orderManifests(objects);
}

/** An object with the parts that decide on its order. */
interface CheckedObject extends SourcedObject {
  readonly group: string;
  readonly kind: string;
}

function checked({ place, value }: SourcedValue): CheckedObject {
  const [apiVersion, kind] = [text(value, 'apiVersion'), text(value, 'kind')];
  const missing = apiVersion === '' ? 'apiVersion' : 'kind';
  if (apiVersion === '' || kind === '')
    throw new Error(`${place}: not a Kubernetes object: it has no ${missing}`);
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
  return { place, value: object(value), group, kind };
}

/** Returns the name of an object in messages: `Deployment shop/web`. */
export function describeObject(value: JsonObject): string {
  const metadata = object(value, 'metadata');
  const name = text(metadata, 'name') || `${text(metadata, 'generateName')}…`;
  const namespace = text(metadata, 'namespace');
  return `${text(value, 'kind')} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/**
 * Returns an object without the members that a server assigns, so that the output of `kubectl get -o yaml`
 * can be created, with references to the owners that were created under other uids.
 */
export function creatable(value: JsonObject, uids: ReadonlyMap<string, string>): JsonObject {
  const metadata = object(value, 'metadata');
  const kept = Object.entries(metadata).filter(([key]) => !assigned.has(key));
  const owners = own(metadata, 'ownerReferences');
  const references = Array.isArray(owners)
    ? {
        ownerReferences: owners.map((owner) => ({
          ...object(owner),
          uid: uids.get(text(owner, 'uid')) ?? text(owner, 'uid'),
        })),
      }
    : {};
  return { ...value, metadata: { ...Object.fromEntries(kept), ...references } };
}

const assigned: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'managedFields',
  'selfLink',
]);
