/** CRDs that are rebuilt from OpenAPI, for users who may not read CRDs. */
import { append, type InputProblem } from '../../common/problems.ts';
import type { CrdDefinition } from '../../input/crd/crd.ts';
import type { JsonObject } from '../../input/crd/crd-input.ts';
import { readDefinition } from '../../input/crd/definition.ts';
import type { Defined } from '../documents/definitions.ts';
import { asWritten, isObjectMeta, selectableFieldsOf } from '../documents/published-schema.ts';
import type { ApiDocument, ApiResource } from '../types.ts';
import type { PathResource } from './served.ts';

/** One version of a custom resource, as published by a server. */
export interface Published {
  readonly group: string;
  readonly version: string;
  readonly resource: ApiResource;
  readonly definition: Defined;
  /** The document that contains its paths. */
  readonly document: ApiDocument;
  /** Kind of its list, if a document names it. */
  readonly listKind?: string;
}

/**
 * Returns whether a resource is a custom resource: it accepts patches, but no strategic merge patch, and its
 * definition refers to no other definition than that of `metadata`. Built-in kinds accept strategic merge
 * patches. Kinds of aggregated API servers have definitions in several parts.
 */
export function isCustom(paths: PathResource | undefined, definition: Defined | undefined): boolean {
  return paths?.patch === 'plain' && definition !== undefined && [...definition.refs].every(isObjectMeta);
}

/**
 * Rebuilds the CustomResourceDefinition from all published versions of a custom resource. Unpublished parts
 * are absent: deprecation of versions, printer columns, versions that are not served. Returns `undefined` and
 * adds to `problems` if the definition is invalid.
 */
export function rebuild(versions: readonly Published[], problems: InputProblem[]): CrdDefinition | undefined {
  const [first] = versions;
  if (first === undefined) return undefined;
  const { file } = first.document;
  const read = readDefinition({
    ...{ value: crdOf(first, versions), file, isServed: true },
    position: () => ({ file }),
  });
  append(problems, read.problems);
  return read.value && { ...read.value, isRebuilt: true };
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

/** Servers do not publish the paths of a scale, but a CRD requires them. These are the conventional ones. */
const scale: JsonObject = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
};
