/** Schemas of resources in OpenAPI documents and CustomResourceDefinitions. */
import type { SchemaDocument, SchemaValue } from '@kgen/runtime/gen/v1';
import {
  type ContractResource,
  type ContractSchema,
  type Deprecation,
  deprecationOf,
  type ServedResource,
} from 'kgen/contract';

/** Kind of a resource. */
type Kind = Pick<ContractResource, 'group' | 'version' | 'kind'>;

/** Returns the schema of a kind in an OpenAPI v3 document. */
export function schemaInDocument(value: unknown, kind: Kind): ContractSchema | undefined {
  const schemas = definitionsOf(value);
  const root = Object.values(schemas).find((schema) => isDocument(schema) && isOfKind(schema, kind));
  if (!isDocument(root)) return undefined;
  return {
    root,
    definition: (name) => documentIn(schemas, name),
  };
}

function definitionsOf(value: unknown): SchemaDocument {
  const schemas = documentIn(documentIn(documentOf(value), 'components'), 'schemas');
  return schemas ?? {};
}

function documentOf(value: unknown): SchemaDocument | undefined {
  // seam: parsed JSON
  const json = value as SchemaValue;
  return isDocument(json) ? json : undefined;
}

function documentIn(document: SchemaDocument | undefined, name: string): SchemaDocument | undefined {
  const found = document !== undefined && Object.hasOwn(document, name) ? document[name] : undefined;
  return isDocument(found) ? found : undefined;
}

function isDocument(value: SchemaValue | undefined): value is SchemaDocument {
  return typeof value === 'object' && value !== null && !isList(value);
}

function isList(value: SchemaValue | undefined): value is readonly SchemaValue[] {
  return Array.isArray(value);
}

function isOfKind(schema: SchemaDocument, { group, version, kind }: Kind): boolean {
  return listOf(schema['x-kubernetes-group-version-kind']).some(
    (item) =>
      isDocument(item) && item['group'] === group && item['version'] === version && item['kind'] === kind,
  );
}

function listOf(value: SchemaValue | undefined): readonly SchemaValue[] {
  return isList(value) ? value : [];
}

/** Returns the selectable fields that a published schema of a custom resource lists, if it does. */
export function selectableFieldsIn({ root }: ContractSchema): readonly string[] | undefined {
  const fields = root['x-kubernetes-selectable-fields'];
  if (fields === undefined) return undefined;
  return listOf(fields).flatMap((field) => (isDocument(field) ? [String(field['fieldPath'])] : []));
}

/** Returns the parts of a CustomResourceDefinition that describe one version. */
export function versionInDefinition(
  value: unknown,
  { version, kind, group }: Kind,
):
  | (Pick<ServedResource, 'schema' | 'deprecation'> & { readonly selectableFields: readonly string[] })
  | undefined {
  const spec = documentIn(documentOf(value), 'spec');
  const found = listOf(spec?.['versions']).find((each) => isDocument(each) && each['name'] === version);
  if (!isDocument(found)) return undefined;
  const container = found['schema'];
  const root = isDocument(container) ? container['openAPIV3Schema'] : undefined;
  const deprecation = deprecationIn(found, `${group}/${version} ${kind}`);
  return {
    selectableFields: listOf(found['selectableFields']).flatMap((field) =>
      isDocument(field) ? [String(field['jsonPath']).replace(/^\./, '')] : [],
    ),
    ...(isDocument(root) && spec?.['preserveUnknownFields'] !== true
      ? { schema: { root, definition: () => undefined } }
      : {}),
    ...(deprecation === undefined ? {} : { deprecation }),
  };
}

function deprecationIn(version: SchemaDocument, name: string): Deprecation | undefined {
  if (version['deprecated'] !== true) return undefined;
  const warning = version['deprecationWarning'];
  return deprecationOf(typeof warning === 'string' && warning !== '' ? warning : `${name} is deprecated`);
}
