/** A definition with two versions, whose objects are stored in one of them. */
import type { RESTClient } from '@kgen/runtime';
import { retryOnConflict } from '@kgen/runtime';
import type { Definition } from '../support/sample-definitions.ts';

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const group = 'migration.example.com';

type Version = 'v1alpha1' | 'v1';

interface GadgetSpec {
  readonly group: string;
  readonly scope: 'Namespaced';
  readonly names: { readonly plural: string; readonly kind: string };
  versions: readonly {
    readonly name: Version;
    readonly served: boolean;
    readonly storage: boolean;
    readonly schema: object;
  }[];
}

/** The definition of gadgets with one plural name. */
export class GadgetDefinition {
  readonly name: string;
  readonly resource: { readonly group: string; readonly plural: string; readonly resource: string };
  readonly #rest: RESTClient;
  readonly #kind: string;

  constructor(rest: RESTClient, plural: string) {
    this.#rest = rest;
    this.name = `${plural}.${group}`;
    this.resource = { group, plural, resource: plural };
    this.#kind = `${plural.charAt(0).toUpperCase()}${plural.slice(1)}`;
  }

  /** Returns the definition with served versions, one of which is stored. */
  body(stored: Version, versions: readonly Version[]): { metadata: object; spec: GadgetSpec } {
    const spec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
    return {
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
      metadata: { name: this.name },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: this.resource.plural, kind: this.#kind },
        versions: versions.map((name) => ({ name, served: true, storage: name === stored, schema })),
      },
    };
  }

  /** Returns an object in a version. */
  object(version: Version, name: string, size: number) {
    return { apiVersion: `${group}/${version}`, kind: this.#kind, metadata: { name }, spec: { size } };
  }

  async read(): Promise<Definition> {
    // Response for a definition.
    return (await this.#rest.get(`${definitionsPath}/${this.name}`)) as Definition;
  }

  async change(edit: (spec: GadgetSpec) => void): Promise<void> {
    await retryOnConflict(async () => {
      // Response for a definition of this file.
      const present = structuredClone(await this.read()) as unknown as { readonly spec: GadgetSpec };
      edit(present.spec);
      await this.#rest.put(`${definitionsPath}/${this.name}`, { body: present });
    });
  }

  /** Changes the version in which objects are stored. */
  store(version: Version): Promise<void> {
    return this.change((spec) => {
      spec.versions = spec.versions.map((each) => ({ ...each, storage: each.name === version }));
    });
  }

  /** Refuses updates of one object by a policy. Returns the function that removes it. */
  async refuse(name: string): Promise<() => Promise<void>> {
    const path = '/apis/admissionregistration.k8s.io/v1/';
    const apiVersion = 'admissionregistration.k8s.io/v1';
    const metadata = { name: `refuse-${this.name}` };
    const rule = {
      ...{ apiGroups: [group], apiVersions: ['*'], resources: [this.resource.plural] },
      operations: ['UPDATE'],
    };
    const policy = {
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: `object.metadata.name != '${name}'`, message: 'is refused' }],
    };
    const binding = { policyName: metadata.name, validationActions: ['Deny'] };
    const bodies = [
      ['validatingadmissionpolicies', 'ValidatingAdmissionPolicy', policy],
      ['validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding', binding],
    ] as const;
    for (const [plural, kind, spec] of bodies)
      await this.#rest.post(`${path}${plural}`, { body: { apiVersion, kind, metadata, spec } });
    return async () => {
      for (const [plural] of bodies) await this.#rest.delete(`${path}${plural}/${metadata.name}`);
    };
  }
}
