/** Actions that change objects of the cluster, and their code. */
import { isApiError } from '@kgen/runtime';
import type { ObjectIdentity, ObjectsClient } from '@kgen/runtime/dynamic';
import { createMergePatch } from '@kgen/runtime/patch';
import { loadAllYaml } from '@kgen/runtime/yaml';
import { at, isObject, type JsonObject, omit, text } from '@kgen/schema/values/json';
import { servedTypes } from '@kgen/testserver/internal/resources/catalog';
import type { ResourceType } from '@kgen/testserver/internal/resources/type';
import type { Store } from '@kgen/testserver/internal/store/store';
import type { TextError } from 'kgen/commands';
import { literalOf } from './literals.ts';

/** Result of an action that was performed. */
export interface Done {
  readonly message: string;
  /** Statements of a test. Absent for an action that a test does not need. */
  readonly code?: string;
  readonly value?: unknown;
}

/** An action that the cluster refuses, with the places of its errors in the YAML of the action. */
export class RefusedAction extends Error {
  readonly errors: readonly TextError[];

  constructor(message: string, errors: readonly TextError[] = [], options?: ErrorOptions) {
    super(message, options);
    this.errors = errors;
  }
}

/** Performs actions on objects. */
export class ObjectActions {
  readonly #client: ObjectsClient;
  readonly #store: Store;
  /** Objects that actions have created. */
  readonly #created = new Map<string, ObjectIdentity>();

  /** @param client that of an administrator */
  constructor(client: ObjectsClient, store: Store) {
    this.#client = client;
    this.#store = store;
  }

  /** Creates the objects of a text. */
  async create(yaml: string): Promise<Done> {
    const objects = await objectsIn(yaml);
    if (objects.length === 0)
      throw new RefusedAction('the YAML contains no object', [{ line: 1, message: 'no object' }]);
    const code: string[] = [];
    const names: string[] = [];
    for (const [index, object] of objects.entries()) {
      const created = await placed(yaml, index, () =>
        this.#client.create(named(object), { fieldValidation: 'Strict' }),
      );
      const identity = identityOf(created);
      this.#created.set(literalOf(identity), identity);
      names.push(titleOf(identity));
      code.push(`await cluster.create(${literalOf(object)});`);
    }
    return { message: `created ${names.join(', ')}`, code: code.join('\n') };
  }

  /** Sends the changes of an edited text as a merge patch: other fields remain as they are now. */
  async update(base: string, yaml: string): Promise<Done> {
    const [[before], [after, ...more]] = await Promise.all([objectsIn(base), objectsIn(yaml)]);
    if (before === undefined || after === undefined || more.length > 0)
      throw new RefusedAction('the YAML must contain one object', [
        { line: 1, message: 'one object is required' },
      ]);
    const identity = identityOf(before);
    if (literalOf(identityOf(after)) !== literalOf(identity))
      throw new RefusedAction('apiVersion, kind, name and namespace of an object cannot change');
    const [shown, changed] = [writable(before), writable(after)];
    const patch = createMergePatch(shown, changed);
    if (isObject(patch) && Object.keys(patch).length === 0) return { message: 'nothing has changed' };
    refuseHidden(identity, patch);
    const options = { type: 'merge', fieldValidation: 'Strict' } as const;
    await placed(yaml, 0, () => this.#client.patch(identity, patch, options));
    return { message: `changed ${titleOf(identity)}`, code: patchCode(identity, patch) };
  }

  /** Deletes an object. */
  async delete(
    identity: ObjectIdentity,
    propagationPolicy: 'Background' | 'Foreground' | 'Orphan',
  ): Promise<Done> {
    await this.#client.delete(identity, { propagationPolicy });
    const options = propagationPolicy === 'Background' ? '' : `, ${literalOf({ propagationPolicy })}`;
    return {
      message: `deleted ${titleOf(identity)}`,
      code: `await cluster.delete(${literalOf(identity)}${options});`,
    };
  }

  /** Sets the number of replicas, at the path of the scale subresource. */
  async scale(identity: ObjectIdentity, replicas: number): Promise<Done> {
    const path = scalePathOf(this.#typeOf(identity));
    if (path === undefined) throw new RefusedAction(`${identity.kind} has no replicas`);
    const patch = path.reduceRight<unknown>((value, key) => ({ [key]: value }), replicas);
    // seam: a path has at least one key.
    await this.#client.patch(identity, patch as object, { type: 'merge' });
    return { message: `${titleOf(identity)} has ${replicas} replicas`, code: patchCode(identity, patch) };
  }

  /** Returns the code that creates the present objects of earlier actions. */
  recreation(): readonly string[] {
    return [...this.#created.values()].flatMap((identity) => {
      const { namespace = '', name } = identity.metadata;
      const type = this.#typeOf(identity);
      const key = type?.namespaced === true ? `${namespace}/${name}` : name;
      const object = type && this.#store.get(type.storage, key);
      if (object === undefined || at(object, 'metadata', 'deletionTimestamp') !== undefined) return [];
      const { labels, annotations } = Object(object['metadata']);
      const metadata = { name, namespace, labels, annotations };
      return [`await cluster.create(${literalOf({ ...omit(object, 'status'), metadata })});`];
    });
  }

  #typeOf({ apiVersion, kind }: ObjectIdentity): ResourceType | undefined {
    return servedTypes(this.#store).find((type) => type.apiVersion === apiVersion && type.kind === kind);
  }
}

/** Returns the path of the replicas of a kind; `undefined` without one. */
export function scalePathOf(type: ResourceType | undefined): readonly string[] | undefined {
  if (type?.scale !== undefined) return type.scale.specReplicas;
  return type?.subresources?.some(({ name }) => name === 'scale') === true ? ['spec', 'replicas'] : undefined;
}

async function objectsIn(yaml: string): Promise<readonly JsonObject[]> {
  try {
    return (await loadAllYaml<unknown>(yaml)).map((value) => {
      if (!isObject(value)) throw new SyntaxError('yaml:1:1: a document is not an object');
      return value;
    });
  } catch (error) {
    const { errorsIn } = await import('./yaml-places.ts');
    throw new RefusedAction(messageOf(error), errorsIn(yaml, 0, error), { cause: error });
  }
}

/** Adds the places of errors to the error of a request. */
async function placed<T>(yaml: string, document: number, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const { errorsIn } = await import('./yaml-places.ts');
    throw new RefusedAction(messageOf(error), errorsIn(yaml, document, error), { cause: error });
  }
}

function messageOf(error: unknown): string {
  return isApiError(error) || error instanceof Error ? error.message : String(error);
}

/** The server of `kgen dev` refuses objects without these members; the client needs them before. */
function named(object: JsonObject): JsonObject & { readonly apiVersion: string; readonly kind: string } {
  return { ...object, apiVersion: text(object, 'apiVersion'), kind: text(object, 'kind') };
}

function identityOf(object: object): ObjectIdentity {
  const value = isObject(object) ? object : {};
  const [name, namespace] = [text(value, 'metadata', 'name'), text(value, 'metadata', 'namespace')];
  const metadata = { name, ...(namespace !== '' && { namespace }) };
  return { apiVersion: text(value, 'apiVersion'), kind: text(value, 'kind'), metadata };
}

/** Metadata that the server writes. */
const ofServer: ReadonlySet<string> = new Set([
  ...['managedFields', 'resourceVersion', 'uid', 'generation', 'creationTimestamp', 'selfLink'],
]);

/** The status, and the metadata of the server, are not edited. */
function writable(object: JsonObject): JsonObject {
  const { metadata } = object;
  const own = isObject(metadata) ? Object.entries(metadata).filter(([name]) => !ofServer.has(name)) : [];
  return { ...omit(object, 'status'), metadata: Object.fromEntries(own) };
}

/** The page shows lengths in place of the values of Secrets. */
function refuseHidden({ kind, apiVersion }: ObjectIdentity, patch: unknown): void {
  const isHidden = /\(\d+ characters\)|\(redacted\)/.test(literalOf(patch));
  if (kind === 'Secret' && apiVersion === 'v1' && isHidden)
    throw new RefusedAction('the values of a Secret are hidden: the change would store their placeholders');
}

function titleOf({ kind, metadata: { namespace, name } }: ObjectIdentity): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

function patchCode(identity: ObjectIdentity, patch: unknown): string {
  const parts = [identity, patch, { type: 'merge' }].map((part) => `  ${literalOf(part, 1)},\n`);
  return `await cluster.patch(\n${parts.join('')});`;
}
