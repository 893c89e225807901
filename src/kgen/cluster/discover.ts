/** Discovery of a cluster, in its aggregated form or by one request per group version. */
import { apiVersionOf } from '../common/names.ts';
import { type Checked, type InputProblem, warning } from '../common/problems.ts';
import type { JsonValue } from '../input/crd/crd-input.ts';
import { isAggregated, readAggregated, staleWarning } from '../openapi/discovery/discovery.ts';
import { parseGroups, parseResourceList } from '../openapi/discovery/discovery-legacy.ts';
import type { GroupVersion } from '../openapi/discovery/discovery-names.ts';
import type { DiscoveredGroupVersion } from '../openapi/types.ts';
import { allInOrder, inParallel } from './in-parallel.ts';
import { hasStatus, lacksRights, Refusal, Unavailable } from './refusal.ts';
import type { Server } from './server.ts';

/** The resources of a server. */
export interface Discovery {
  readonly groupVersions: readonly DiscoveredGroupVersion[];
  /** A warning for each group version whose server is unavailable, by `apps/v1`. */
  readonly silent: ReadonlyMap<string, InputProblem>;
}

/** Aggregated discovery in the newest form that the server supports, otherwise legacy discovery. */
const accept = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

/** Requests all served resources. An unavailable group results in a warning; an invalid entry is dropped. */
export async function discover(server: Server): Promise<Checked<Discovery>> {
  const [groups, core] = await allInOrder([discoverBelow(server, '/apis'), discoverBelow(server, '/api')]);
  return {
    value: {
      groupVersions: [...core.value.groupVersions, ...groups.value.groupVersions],
      silent: new Map([...core.value.silent, ...groups.value.silent]),
    },
    problems: [...core.problems, ...groups.problems],
  };
}

async function discoverBelow(server: Server, path: '/api' | '/apis'): Promise<Checked<Discovery>> {
  const value = await readRoot(server, path);
  if (value === undefined) return { value: { groupVersions: [], silent: new Map() }, problems: [] };
  if (!isAggregated(value)) return discoverEach(server, path, value);
  const { value: read, problems } = readAggregated(value, path);
  const silent = read.stale.map((one) => [apiVersionOf(one), staleWarning(one, path)] as const);
  return { value: { groupVersions: read.groupVersions, silent: new Map(silent) }, problems };
}

/** Returns `undefined` if there is no core group, as on servers that do not implement all of Kubernetes. */
async function readRoot(server: Server, path: '/api' | '/apis'): Promise<JsonValue | undefined> {
  try {
    const { value } = await server.requestChanges({ path, accept });
    return value;
  } catch (cause) {
    if (path === '/api' && hasStatus(cause, 404)) return undefined;
    if (hasStatus(cause, 404)) {
      throw new Refusal(
        `get ${path}: no Kubernetes API found at the server of the context (404): check its address`,
      );
    }
    if (hasStatus(cause, 403)) throw lacksRights(cause);
    throw cause;
  }
}

/**
 * Requests the list of groups again after some groups have failed.
 * @throws {Unavailable} the server does not respond at all, or does not accept the credentials any more
 */
export async function assertResponsive(server: Server): Promise<void> {
  try {
    await readRoot(server, '/apis');
  } catch (cause) {
    if (!(cause instanceof Unavailable) || hasStatus(cause, 0, 401)) throw cause;
  }
}

/** Legacy discovery: one document per group version. */
async function discoverEach(server: Server, root: string, groups: JsonValue): Promise<Checked<Discovery>> {
  const { value: names, problems } = parseGroups(groups, root);
  if (names.length === 0 && problems.some(({ severity }) => severity === 'error')) {
    throw new Refusal(`get ${root}: the response is JSON but lists no API groups: is this a Kubernetes API?`);
  }
  const read = await inParallel(names, (name) => readGroupVersion(server, name));
  const silent = read.flatMap(({ name, missing }) =>
    missing === undefined ? [] : [[name, missing] as const],
  );
  return {
    value: { groupVersions: read.flatMap(({ found }) => found ?? []), silent: new Map(silent) },
    problems: [...problems, ...read.flatMap((one) => one.problems)],
  };
}

interface Read {
  readonly name: string;
  readonly found?: DiscoveredGroupVersion;
  /** Reason why it could not be requested. */
  readonly missing?: InputProblem;
  readonly problems: readonly InputProblem[];
}

async function readGroupVersion(server: Server, requested: GroupVersion): Promise<Read> {
  const name = apiVersionOf(requested);
  const path = requested.group === '' ? `/api/${name}` : `/apis/${name}`;
  try {
    const { value, problems } = parseResourceList((await server.request({ path })).value, path);
    if (value === undefined)
      return { name, missing: unusable(name, `get ${path}: ${problems[0]?.what}`), problems: [] };
    const isOther = apiVersionOf(value) !== name;
    if (isOther)
      return { name, missing: lost(name, `the response describes ${apiVersionOf(value)}`), problems };
    return { name, found: value, problems };
  } catch (cause) {
    if (!(cause instanceof Unavailable)) throw cause;
    return { name, missing: lost(name, cause.message), problems: [] };
  }
}

/** Returns the problem for a group version that is unavailable. */
export function lost(name: string, why: string): InputProblem {
  return warning(`${name} does not respond and is left out: ${why}`);
}

/** Returns the problem for a group version whose response is invalid. */
export function unusable(name: string, why: string): InputProblem {
  return warning(`${name} has no usable document and is left out: ${why}`);
}
