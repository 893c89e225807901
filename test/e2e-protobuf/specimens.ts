/** Samples created on a server: each kind twice, from a body in JSON and from one in protobuf. */

import { samples } from '../support/built-in-samples/all.ts';
import type { Place } from '../support/built-in-samples/types.ts';
import { unique } from '../support/cluster-tests.ts';
import { pathOf, type Served } from './served-resources.ts';

/** Namespace and shared values of specimens. */
export interface Home {
  readonly namespace: string;
  readonly authority: string;
}

/** A sample with its place. */
export interface Specimen {
  readonly place: Place;
  /** Path to create it. */
  readonly collection: string;
  /** Path of the created object. */
  readonly path: string;
  readonly object: Readonly<Record<string, unknown>>;
}

let made = 0x1000;

/** Returns a new specimen of a kind; `undefined` without a sample of the kind. */
export function specimen(served: Served, home: Home): Specimen | undefined {
  const sample = Object.hasOwn(samples, served.key) ? samples[served.key] : undefined;
  if (sample === undefined) return undefined;
  made += 1;
  const part = made.toString(16);
  const place: Place = {
    ...home,
    name: unique('s'),
    address: `2001:db8::${part}`,
    range: `fd00:${part}::/64`,
  };
  const { metadata: own, ...rest } = sample(place);
  const where = served.namespaced ? { namespace: home.namespace } : {};
  const metadata = { name: place.name, ...where, ...own };
  const collection = pathOf(served, home.namespace);
  return {
    place,
    collection,
    path: `${collection}/${metadata.name}`,
    object: { apiVersion: served.apiVersion, kind: served.kind, ...rest, metadata },
  };
}

/**
 * Returns the parts that are equal in two specimens of a kind that a server created in the same way: without
 * unique values set by the server, and without later writes of controllers.
 */
export function common(stored: unknown, { name, address, range }: Place): unknown {
  const text = JSON.stringify(stored).replaceAll(name, 'NAME').replaceAll(address, 'ADDRESS');
  return JSON.parse(text.replaceAll(range, 'RANGE'), (key, value: unknown) =>
    ownOfEach.has(key) ? undefined : value,
  );
}

const ownOfEach = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'time',
  'lastPhaseTransitionTime',
  'controller-uid',
  'batch.kubernetes.io/controller-uid',
  'clusterIP',
  'clusterIPs',
  'nodePort',
  'healthCheckNodePort',
]);
