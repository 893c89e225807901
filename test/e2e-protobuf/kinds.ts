import type { Clientset } from '@kgen/kubernetes';
import { catalog, isCatalogKey } from '@kgen/kubernetes/catalog';
import { decode, encode } from '@kgen/kubernetes/protobuf';
import { type KubernetesObject, resource } from '@kgen/runtime';
import type {
  ClusterDynamicResource,
  NamespacedDynamicResource,
  UnstructuredClient,
} from '@kgen/runtime/dynamic';
import { describe, expect, it } from 'vitest';
import { type Pair, pair } from './clientset-pair.ts';
import { differences } from './differences.ts';
import type { Env } from './env.ts';
import { unexpectedLines } from './expected-differences.ts';
import { json, parsed, protobuf, type RawClient } from './raw-client.ts';
import { bothWays, faults, replacements } from './readings.ts';
import { pathOf, type Served } from './served-resources.ts';
import { common, type Home, type Specimen, specimen } from './specimens.ts';
import { otherThanProtobuf } from './traffic.ts';
import { virtualKinds } from './virtual-kinds.ts';

/**
 * Kinds that affect the admission of other objects: in the same namespace they would affect some samples and
 * not others.
 */
const actsOnOthers: ReadonlySet<string> = new Set(['v1/LimitRange', 'v1/ResourceQuota']);

/**
 * Registers tests of every kind that can be created, written and read in both encodings. `least`: minimum
 * number of such kinds.
 */
export function kindTests(env: Env, least: number): void {
  describe('every kind', () => {
    it('is stored and read equally with protobuf and JSON', async () => {
      const kinds = env.served.filter(({ key, verbs }) => verbs.includes('create') && !virtualKinds.has(key));
      expect(kinds.length).toBeGreaterThanOrEqual(least);
      const [home, apart] = [await env.home(), await env.home()];
      await makeNeeded(env.raw, home, kinds);
      const homeOf = ({ key }: Served): Home => (actsOnOthers.has(key) ? apart : home);
      expect(await faultsOf(env, kinds, (served) => tried(env.raw, served, homeOf(served)))).toEqual({});
    });

    it('that is never stored has equal responses', async () => {
      const kinds = env.served.filter(({ key }) => virtualKinds.has(key));
      expect(kinds.map(({ key }) => key).sort()).toEqual([...virtualKinds.keys()].sort());
      const home = await env.home();
      expect(await faultsOf(env, kinds, (served) => submitted(env.raw, served, home))).toEqual({});
    });

    it('that can be listed has equal lists, including objects of the server', async () => {
      const kinds = env.served.filter(({ verbs }) => verbs.includes('list'));
      expect(await faultsOf(env, kinds, (served) => listed(env.raw, served))).toEqual({});
    });

    it('is listed and read equally by clients', async () => {
      const both = pair(env);
      const kinds = env.served.filter(({ key, verbs }) => verbs.includes('watch') && isCatalogKey(key));
      expect(kinds.length).toBeGreaterThan(50);
      expect(await faultsOf(env, kinds, (served) => fetched(served, both))).toEqual({});
      expect(otherThanProtobuf(both.seen)).toEqual([]);
    });
  });
}

/** Runs a trial of each kind, and returns the lines of the kinds with differences. */
async function faultsOf(
  { minor }: Env,
  kinds: readonly Served[],
  trial: (served: Served) => Promise<readonly string[]>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const all = await Promise.all(
    kinds.map(async (served): Promise<readonly [string, readonly string[]]> => {
      const lines = await trial(served).catch((error: unknown) => [String(error)]);
      return [served.key, unexpectedLines(served.key, minor, lines)];
    }),
  );
  return Object.fromEntries(all.filter(([, lines]) => lines.length > 0));
}

/** Creates the objects that samples of other kinds refer to, if the server requires their existence. */
async function makeNeeded(raw: RawClient, home: Home, kinds: readonly Served[]): Promise<void> {
  const workloads = kinds.find(({ kind }) => kind === 'Workload');
  if (workloads === undefined) return;
  const made = specimen(workloads, home);
  const body = JSON.stringify({ ...made?.object, metadata: { name: 'training' } });
  await raw.expect(json, { method: 'POST', path: pathOf(workloads, home.namespace), body });
}

async function tried(raw: RawClient, served: Served, home: Home): Promise<readonly string[]> {
  const [one, other] = [specimen(served, home), specimen(served, home)];
  if (one === undefined || other === undefined) return ['sample missing: add one to samples/'];
  const fromJson = await create(raw, one, json);
  const fromProtobuf = await create(raw, other, protobuf);
  const stored = differences(common(fromProtobuf, other.place), common(fromJson, one.place));
  const lines = [
    ...stored.map((line) => `created: ${line}`),
    ...(await faults(await bothWays(raw, one.path))),
    ...(await faults(await bothWays(raw, other.path))),
  ];
  if (served.verbs.includes('update')) lines.push(...(await replacements(raw, other.path)));
  if (served.subresources.get('status')?.verbs.includes('update')) {
    lines.push(...(await replacements(raw, `${other.path}/status`)).map((line) => `status: ${line}`));
  }
  if (served.subresources.get('scale')?.verbs.includes('update')) {
    lines.push(...(await faults(await bothWays(raw, `${other.path}/scale`))).map((line) => `scale: ${line}`));
  }
  return lines;
}

async function create(
  raw: RawClient,
  { collection: path, object }: Pick<Specimen, 'collection' | 'object'>,
  form: typeof json | typeof protobuf,
): Promise<unknown> {
  if (form === json) {
    return parsed(await raw.expect(json, { method: 'POST', path, body: JSON.stringify(object) }));
  }
  // Samples have an apiVersion, a kind and a name.
  const body = await encode(object as KubernetesObject);
  return decode(await raw.expect(protobuf, { method: 'POST', path, body, contentType: protobuf }));
}

/** Returns the value without parts that differ between two equal requests: times, and the order of rules. */
function settled(name: string, value: unknown): unknown {
  if (name === 'time' || name === 'creationTimestamp') return undefined;
  return Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value;
}

async function submitted(raw: RawClient, { key }: Served, home: Home): Promise<readonly string[]> {
  const submit = virtualKinds.get(key);
  if (submit === undefined) return ['submission missing'];
  const responses: unknown[] = [];
  for (const form of [json, protobuf] as const) {
    const { path: collection, object } = await submit(raw, home);
    const response = await create(raw, { collection, object }, form);
    responses.push(JSON.parse(JSON.stringify(response), settled));
  }
  return differences(responses[1], responses[0]);
}

/** Returns the differences between lists of all objects of a kind in both encodings, at the same version. */
async function listed(raw: RawClient, served: Served): Promise<readonly string[]> {
  const bytes = await raw.expect(protobuf, { path: pathOf(served) });
  const decoded = (await decode(bytes)) as List;
  const { resourceVersion } = decoded.metadata;
  const exactly = resourceVersion ? `?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact` : '';
  const want = parsed(await raw.expect(json, { path: `${pathOf(served)}${exactly}` })) as List;
  const { apiVersion, kind } = served;
  const items = want.items.map((item) => ({ apiVersion, kind, ...item }));
  if (exactly === '') for (const all of [decoded.items, items]) all.sort(byName);
  const again = await encode(await decode(bytes));
  return [
    ...differences(decoded, { ...want, items }),
    ...(Buffer.compare(again, bytes) === 0 ? [] : ['encode(decode(bytes)) returns other bytes']),
  ];
}

/** Response to a list request. */
interface List extends KubernetesObject {
  readonly metadata: { readonly resourceVersion?: string };
  readonly items: Item[];
}

interface Item {
  readonly metadata: { readonly name: string };
}

/** Compares items by name. Generated objects are listed in any order. */
function byName(one: Item, other: Item): number {
  return one.metadata.name < other.metadata.name ? -1 : 1;
}

/**
 * Returns the differences between the lists of two clients at the same version, and between single objects.
 */
async function fetched({ key }: Served, { protobuf: ours, json: theirs }: Pair): Promise<readonly string[]> {
  if (!isCatalogKey(key)) return ['the catalog does not know it'];
  // Only the location of the object matters here, not its type.
  const descriptor = (await catalog[key]()) as unknown as NamespacedDynamicResource | ClusterDynamicResource;
  const list = await accessOf(ours, descriptor).list();
  const { resourceVersion } = list.metadata;
  const exactly = { resourceVersion, resourceVersionMatch: 'Exact' } as const;
  const same = await accessOf(theirs, descriptor).list(exactly);
  const one = list.items.at(-1);
  if (one === undefined) return differences(list, same);
  const { name, namespace } = one.metadata;
  const got = await accessOf(ours, descriptor, namespace).get(name);
  const changed = got.metadata.resourceVersion !== one.metadata.resourceVersion;
  return [...differences(list, same), ...(changed ? [] : differences(got, one))];
}

/** Returns a client of all objects of a kind, or of those in a namespace. */
function accessOf(
  { rest }: Clientset,
  descriptor: NamespacedDynamicResource | ClusterDynamicResource,
  namespace?: string,
): UnstructuredClient {
  if (descriptor.scope === 'Cluster') return resource(rest, descriptor);
  const access = resource(rest, descriptor);
  // Across all namespaces only lists are requested.
  return namespace === undefined ? (access as unknown as UnstructuredClient) : access.in(namespace);
}
