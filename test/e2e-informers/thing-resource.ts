import { randomBytes } from 'node:crypto';
import { isNotFound } from '@kgen/runtime';
import {
  dynamicResource,
  type NamespacedDynamicResource,
  type Unstructured,
  type UnstructuredClient,
} from '@kgen/runtime/dynamic';
import { vi } from 'vitest';
import { deadline, type Env } from '../support/audited-plane.ts';
import { crd } from '../support/crd.ts';
import { served } from '../support/sample-definitions.ts';
import type { LoadKind } from './load.ts';

type Version = 'v1' | 'v2';

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** A custom resource of one test, whose definition is created and deleted. Both versions are served. */
export class ThingResource {
  readonly #env: Env;
  readonly #group = `g${randomBytes(5).toString('hex')}.example.com`;

  constructor(env: Env) {
    this.#env = env;
  }

  descriptor(version: Version): NamespacedDynamicResource {
    const scope = 'Namespaced';
    return dynamicResource({ group: this.#group, version, resource: 'things', kind: 'Thing', scope });
  }

  kind(version: Version): LoadKind {
    return {
      resource: { group: this.#group, version, resource: 'things' },
      apiVersion: `${this.#group}/${version}`,
      kind: 'Thing',
      content: (count) => ({ spec: { count } }),
    };
  }

  /** Creates the definition, and resolves when the resource is served. */
  async install(): Promise<void> {
    await this.#definitions.create(this.#definition('v1'));
    await served(this.#env.direct.rest, this.#name);
  }

  /** Makes this version the storage version. */
  async store(version: Version): Promise<void> {
    const { spec } = this.#definition(version);
    await this.#definitions.patch(this.#name, { spec: { versions: spec.versions } }, { type: 'merge' });
  }

  /** Deletes the definition and thereby every object; resolves when all are deleted. */
  async remove(): Promise<void> {
    await this.#definitions.delete(this.#name);
    await vi.waitFor(async () => {
      const found = await this.#env.direct
        .resource(this.kind('v1').resource)
        .list()
        .catch((error: unknown) => error);
      if ((await this.#definitions.find(this.#name)) !== undefined) throw new Error('not yet');
      if (!isNotFound(found)) throw new Error('still served');
    }, deadline);
  }

  get #name(): string {
    return `things.${this.#group}`;
  }

  get #definitions(): UnstructuredClient {
    const group = 'apiextensions.k8s.io';
    return this.#env.direct.resource({ group, version: 'v1', resource: 'customresourcedefinitions' });
  }

  #definition(storage: Version) {
    const versions = (['v1', 'v2'] as const).map((name) => ({
      name,
      schema: anything,
      storage: name === storage,
    }));
    // Result of the helper for these options.
    return crd({ kind: 'Thing', group: this.#group, versions }) as Unstructured & {
      readonly metadata: { readonly name: string };
      readonly spec: { readonly versions: readonly object[] };
    };
  }
}
