/** The cluster of one table test: a server in memory with the given objects, in virtual time. */
import type { Transport } from '@kgen/runtime/rest';
import { array, type JsonObject, text } from '@kgen/schema/values/json';
import type { LoggedRequest } from '@kgen/testserver/internal/http/request-log';
import {
  type CreatedObject,
  createObject,
  deleteTerminating,
  sendObject,
} from '@kgen/testserver/internal/server/seed';
import { type ClusterBase, idOf, idText, type ObjectId, SimulatedCluster } from '../cluster.ts';

/** Name of the user who changes objects, as in their managed fields. */
const user = 'user';

/** A cluster with the writes of users. */
export class TableCluster extends SimulatedCluster {
  /** Uids by those that the objects of the test have. */
  readonly #uids = new Map<string, string>();

  /** Network whose lists are never late. */
  readonly transport: Transport = this.transportOf(() => undefined);

  constructor(base: ClusterBase, onRequest: (request: LoggedRequest) => void) {
    super(base, 0, onRequest);
  }

  /**
   * Creates objects with their status, owners before the objects that refer to them, and their namespaces.
   * Objects with a `deletionTimestamp` are marked for deletion.
   * @throws {Error} names the object and the reason of the server
   */
  async seed(objects: readonly JsonObject[]): Promise<void> {
    const seeded: CreatedObject[] = [];
    for (const value of ownersFirst(objects)) {
      const place = 'given';
      await this.#createNamespace(value);
      const created = await createObject(this.state, { place, value }, this.#uids);
      seeded.push({ place, value, created });
      this.#uids.set(text(value, 'metadata', 'uid'), text(created, 'metadata', 'uid'));
    }
    deleteTerminating(this.state, seeded);
  }

  async #createNamespace(value: JsonObject): Promise<void> {
    const name = text(value, 'metadata', 'namespace');
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    const isThere = name === '' || this.find({ ...idOf(namespace), namespace: '' }) !== undefined;
    if (!isThere) await createObject(this.state, { place: 'given', value: namespace }, this.#uids);
  }

  /**
   * Returns an object.
   * @throws {Error} if it does not exist
   */
  stored(id: ObjectId): JsonObject {
    const value = this.find(this.placed(id));
    if (value !== undefined) return value;
    throw new Error(`${idText(id)} does not exist: pass it to given(), or create it`);
  }

  /**
   * Replaces an object, or its subresource.
   * @throws {Error} with the reason of the server
   */
  async put(id: ObjectId, value: JsonObject, subresource?: 'status'): Promise<void> {
    await this.#send('PUT', id, value, subresource);
  }

  /** @throws {Error} with the reason of the server */
  async remove(id: ObjectId): Promise<void> {
    await this.#send('DELETE', id, {});
  }

  /** Returns an identity with the default namespace, if its kind has namespaces. */
  placed(id: ObjectId): ObjectId {
    const namespace = this.typeOf(id).namespaced ? id.namespace || 'default' : '';
    return { ...id, namespace };
  }

  async #send(method: string, id: ObjectId, value: JsonObject, subresource?: string): Promise<void> {
    const { group, version, plural } = this.typeOf(id);
    const { namespace, name } = this.placed(id);
    const root = group === '' ? ['api', version] : ['apis', group, version];
    const scope = namespace === '' ? [] : ['namespaces', namespace];
    const path = [...root, ...scope, plural, name, ...(subresource === undefined ? [] : [subresource])];
    await sendObject(this.state, method, path, value, user);
  }
}

function ownersFirst(objects: readonly JsonObject[]): readonly JsonObject[] {
  const uidOf = (value: JsonObject): string => text(value, 'metadata', 'uid');
  const left = [...objects];
  const sorted: JsonObject[] = [];
  while (left.length > 0) {
    const waiting = new Set(left.map(uidOf).filter((uid) => uid !== ''));
    const isFree = (value: JsonObject): boolean =>
      array(value, 'metadata', 'ownerReferences').every((owner) => !waiting.has(text(owner, 'uid')));
    // Objects that own each other are created in the order of the test.
    const [next] = left.splice(Math.max(left.findIndex(isFree), 0), 1);
    if (next !== undefined) sorted.push(next);
  }
  return sorted;
}
