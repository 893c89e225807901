import type { CrdDefinition } from '../input/crd.ts';
import type { JsonObject } from '../input/crd-input.ts';
import { readDefinition } from '../input/definition.ts';
import { append, type Problem } from '../problems.ts';
import type { Defined } from './definitions.ts';
import { asWritten, isObjectMeta, selectableFieldsOf } from './published-schema.ts';
import type { PathResource } from './served.ts';
import type { ApiDocument, ApiResource } from './types.ts';

/** One version of a custom resource, as its server publishes it. */
export interface Published {
  readonly group: string;
  readonly version: string;
  readonly resource: ApiResource;
  readonly definition: Defined;
  /** The document that its paths stand in. */
  readonly document: ApiDocument;
  /** Kind of its list, where a document names it. */
  readonly listKind?: string;
}

/**
 * Whether a resource is a custom one: it takes patches, but no strategic merge, and its definition needs no other than
 * that of `metadata`. The API's own kinds take strategic merges; those of aggregated servers have definitions in parts.
 */
export function isCustom(paths: PathResource | undefined, definition: Defined | undefined): boolean {
  return paths?.patch === 'plain' && definition !== undefined && [...definition.refs].every(isObjectMeta);
}

/**
 * The CustomResourceDefinition that all versions of a custom resource come from. What a server does not publish is
 * absent: whether a version is deprecated, printer columns, versions that are not served. Undefined where it is none,
 * as `problems` then says.
 */
export function rebuild(versions: readonly Published[], problems: Problem[]): CrdDefinition | undefined {
  const [first] = versions;
  if (first === undefined) return undefined;
  const { file, source } = first.document;
  const read = readDefinition({ value: crdOf(first, versions), file, source, position: () => ({ file }) });
  append(problems, read.problems);
  return read.value;
}

function crdOf({ group, resource, listKind }: Published, versions: readonly Published[]): JsonObject {
  const { kind, plural, singular, shortNames, categories, scope } = resource;
  const names = { kind: kind.kind, plural, singular, shortNames, categories };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: listKind === undefined ? names : { ...names, listKind },
      scope,
      versions: versions.map(versionOf),
    },
  };
}

function versionOf({ version, resource, definition }: Published, index: number): JsonObject {
  const { schema } = definition;
  const names = new Set(resource.subresources.map(({ name }) => name));
  return {
    name: version,
    served: true,
    storage: index === 0,
    schema: { openAPIV3Schema: asWritten(schema) },
    subresources: {
      ...(names.has('status') ? { status: {} } : {}),
      ...(names.has('scale') ? { scale } : {}),
    },
    selectableFields: selectableFieldsOf(schema).map((jsonPath) => ({ jsonPath })),
  };
}

/** A server does not tell where the numbers are; a CRD has to, and these are the usual places. */
const scale: JsonObject = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
};
