/** Bodies of custom resources: servers refuse those that do not state their apiVersion and kind. */
import { apiVersionOf } from '../common/names.ts';
import type { JsonObject } from '../input/crd/crd-input.ts';
import type { Model } from '../model/ir.ts';
import { keyOf, kindOf, schemasOf } from './definitions.ts';
import {
  definitionOf,
  type Method,
  type Operation,
  type PathItem,
  type PathSchema,
  type Paths,
} from './openapi.ts';

/** How an object states its kind. */
export interface StatedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The methods whose body is a whole object. */
const writes: ReadonlySet<Method> = new Set<Method>(['post', 'put']);

/** The custom resources among the definitions of the documents, by full name. */
export function customResources(
  documents: readonly JsonObject[],
  model: Model,
): ReadonlyMap<string, StatedKind> {
  const custom = new Map(
    model.groupVersions.flatMap((groupVersion) =>
      groupVersion.resources
        .filter(({ builtIn }) => !builtIn)
        .map(({ kind }): [string, StatedKind] => [
          keyOf(groupVersion.group, groupVersion.version, kind),
          { apiVersion: apiVersionOf(groupVersion), kind },
        ]),
    ),
  );
  return new Map(
    documents.flatMap(schemasOf).flatMap(([name, schema]) => {
      const stated = custom.get(kindOf(schema) ?? '');
      return stated === undefined ? [] : [[name, stated] as const];
    }),
  );
}

/** Paths whose bodies, where they are custom resources, need an apiVersion and a kind. */
export function requireKinds(paths: Paths, custom: ReadonlyMap<string, StatedKind>): Paths {
  return new Map([...paths].map(([path, item]) => [path, requireInItem(item, custom)]));
}

function requireInItem(item: PathItem, custom: ReadonlyMap<string, StatedKind>): PathItem {
  return new Map(
    [...item].map(([method, operation]) => [
      method,
      writes.has(method) ? requireInBody(operation, custom) : operation,
    ]),
  );
}

function requireInBody(operation: Operation, custom: ReadonlyMap<string, StatedKind>): Operation {
  const { requestBody } = operation;
  if (requestBody === undefined) return operation;
  const content = Object.entries(requestBody.content).map(([type, { schema }]) => [
    type,
    { schema: stating(schema, custom) },
  ]);
  return { ...operation, requestBody: { ...requestBody, content: Object.fromEntries(content) } };
}

function stating(schema: PathSchema, custom: ReadonlyMap<string, StatedKind>): PathSchema {
  const stated = custom.get(definitionOf(schema) ?? '');
  if (stated === undefined) return schema;
  const { apiVersion, kind } = stated;
  const properties = {
    apiVersion: { type: 'string', enum: [apiVersion] },
    kind: { type: 'string', enum: [kind] },
  } as const;
  return { allOf: [schema, { type: 'object', properties, required: ['apiVersion', 'kind'] }] };
}
