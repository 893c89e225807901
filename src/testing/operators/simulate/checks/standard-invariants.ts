/** Invariants that hold for most operators. */
import type { Stored } from '@kgen/runtime';
import type { ObjectOf, Resource } from '@kgen/runtime/client';
import { array, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { idOf, idText } from '../cluster.ts';
import { userManager } from '../run/user-requests.ts';
import type { Invariant } from './invariants.ts';

/** Invariants for the option `invariants` of `simulate`. Each one throws an error that names the object. */
export const invariants: {
  /**
   * Returns an invariant: no two objects have the same role, such as the primary of a cluster. `roleOf`
   * returns the role of an object; `undefined` for one without a role. Objects that are being deleted do not
   * count.
   */
  readonly onePerRole: <R extends Resource>(
    resource: R,
    roleOf: (object: Stored<ObjectOf<R>>) => string | undefined,
  ) => Invariant;
  /**
   * Returns an invariant: `observedGeneration` of the status and of its conditions is not greater than
   * `metadata.generation`.
   */
  readonly observedGenerations: (resource: Resource) => Invariant;
  /**
   * Returns an invariant: the conditions of the status have the form of the API conventions: different types,
   * the status `True`, `False` or `Unknown`, a reason, and a time of transition that has passed.
   * @see https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md
   */
  readonly conditions: (resource: Resource) => Invariant;
  /**
   * Returns an invariant: fields of `spec` belong to users. No other field manager has written one, unless
   * its path is among `except`: `['spec', 'replicas']`.
   */
  readonly specOfUsers: (resource: Resource, except?: readonly (readonly string[])[]) => Invariant;
} = {
  onePerRole: (resource, roleOf) => (cluster) => {
    const known = new Map<string, string>();
    for (const each of cluster.list(resource)) {
      const isBeingDeleted = text(jsonOf(each), 'metadata', 'deletionTimestamp') !== '';
      const role = isBeingDeleted ? undefined : roleOf(each);
      const name = nameOf(each);
      const other = role === undefined ? undefined : known.get(role);
      if (other !== undefined) throw new Error(`${other} and ${name} have the role ${role}`);
      if (role !== undefined) known.set(role, name);
    }
  },
  observedGenerations: (resource) => (cluster) => {
    for (const each of cluster.list(resource).map(jsonOf)) {
      const generation = Number(own(object(each, 'metadata'), 'generation') ?? 0);
      const status = object(each, 'status');
      for (const place of [status, ...array(status, 'conditions')]) {
        const observed = own(place, 'observedGeneration');
        if (typeof observed === 'number' && observed > generation)
          throw new Error(`${nameOf(each)}: observedGeneration is ${observed}, and generation ${generation}`);
      }
    }
  },
  conditions:
    (resource) =>
    (cluster, { now }) => {
      for (const each of cluster.list(resource).map(jsonOf)) {
        const types = new Set<string>();
        for (const condition of array(each, 'status', 'conditions')) {
          const type = text(condition, 'type');
          const fault = types.has(type) ? 'there are two with this type' : faultOf(condition, now);
          types.add(type);
          if (fault !== undefined)
            throw new Error(`${nameOf(each)}: condition ${type || 'without a type'}: ${fault}`);
        }
      }
    },
  specOfUsers:
    (resource, except = []) =>
    (cluster) => {
      const allowed = new Set(except.map((path) => path.join('.')));
      for (const each of cluster.list(resource).map(jsonOf)) {
        for (const entry of array(each, 'metadata', 'managedFields')) {
          const manager = text(entry, 'manager');
          const foreign =
            manager === userManager ? [] : fieldsIn(object(entry, 'fieldsV1', 'f:spec'), 'spec');
          const [path] = foreign.filter((field) => !allowed.has(field));
          if (path !== undefined)
            throw new Error(`${nameOf(each)}: the field manager ${manager} has written ${path}`);
        }
      }
    },
};

const statuses: ReadonlySet<string> = new Set(['True', 'False', 'Unknown']);

/** Returns the reason why a condition has another form; `undefined` if there is none. */
function faultOf(condition: Json, now: number): string | undefined {
  const [type, status, reason] = ['type', 'status', 'reason'].map((member) => text(condition, member));
  if (type === '') return 'the type is missing';
  if (!statuses.has(status ?? '')) return `the status is ${JSON.stringify(own(condition, 'status') ?? null)}`;
  if (!/^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(reason ?? ''))
    return `the reason is ${JSON.stringify(own(condition, 'reason') ?? null)}`;
  const transition = Date.parse(text(condition, 'lastTransitionTime'));
  if (Number.isNaN(transition)) return 'lastTransitionTime is missing';
  return transition > now ? 'lastTransitionTime is in the future' : undefined;
}

/** Returns the paths of the fields in a set of managed fields, those of items of lists without their keys. */
function fieldsIn(set: JsonObject, path: string): readonly string[] {
  const inner = Object.entries(set).filter(([key]) => key !== '.');
  if (inner.length === 0) return [path];
  return inner.flatMap(([key, value]) =>
    fieldsIn(object(value), key.startsWith('f:') ? `${path}.${key.slice(2)}` : path),
  );
}

function jsonOf(value: object): JsonObject {
  // seam: objects of the server are JSON.
  return value as JsonObject;
}

function nameOf(value: object): string {
  return idText(idOf(jsonOf(value)));
}
