/** Modules that declare existing definitions in TypeScript. */

import { compareVersions } from '@kgen/schema/definitions/version-order';
import {
  equal,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  strings,
  text,
} from '@kgen/schema/values/json';
import { capitalise } from '../../common/words.ts';
import { breakLines } from '../../emit/text/break-lines.ts';
import { objectKey, quoted } from '../../emit/text/literals.ts';
import { kindTypeName, pascal } from '../../model/names/casing.ts';
import { normalRoot } from '../../notation/normal.ts';
import { columnsOf, fieldAt } from '../definition/columns.ts';
import { pluralOf } from '../definition/definition.ts';
import { Declarations } from './declare-types.ts';
import { keptAnnotations } from './normal-form.ts';

/** Returns the module that declares a CustomResourceDefinition of apiextensions v1. */
export function moduleText(definition: JsonObject): string {
  const spec = object(definition, 'spec');
  const versions = own(spec, 'versions');
  const all = (isArray(versions) ? versions : []).filter((version) => isObject(version));
  const sorted = [...all].sort((a, b) => compareVersions(text(a, 'name'), text(b, 'name')));
  const declarations = new Declarations(names);
  const kind = kindTypeName(text(spec, 'names', 'kind'));
  const entries = sorted.map((version): string => {
    const name = text(version, 'name');
    const schema = normalRoot(object(version, 'schema', 'openAPIV3Schema'));
    const suffix = all.length === 1 ? '' : capitalise(pascal(name));
    const type = declarations.kind(kind, schema, suffix);
    const facts = versionFacts(version, schema, all.length === 1);
    const given = Object.keys(facts).length === 0 ? '' : printed(facts, '    ');
    return `    ${objectKey(name)}: version<${type}>()(${given}),\n`;
  });
  const facts = Object.entries(apiFacts(definition, spec)).map(
    ([key, value]) => `  ${key}: ${printed(value, '  ')},\n`,
  );
  const call = `export default api({\n${facts.join('')}  versions: {\n${entries.join('')}  },\n});\n`;
  const types = [...declarations.imports].map((name) => `type ${name}`);
  const imports = ['api', ...types.sort(), 'version'].join(', ');
  return breakLines(`import { ${imports} } from 'kgen/api';\n\n${declarations.text}\n${call}`);
}

/** Names of `kgen/api`, and types that modules use. */
const names: readonly string[] = [
  ...['api', 'version', 'Base64', 'Condition', 'CustomResource', 'Double', 'Duration', 'EmbeddedResource'],
  ...['Int32', 'Int64', 'IntOrString', 'JsonObject', 'ObjectMeta', 'Quantity', 'Timestamp'],
];

function apiFacts(definition: JsonObject, spec: JsonObject): JsonObject {
  const given = object(spec, 'names');
  const kind = text(given, 'kind');
  const singular = text(given, 'singular') || kind.toLowerCase();
  const listKind = text(given, 'listKind') || `${kind}List`;
  const plural = text(given, 'plural');
  const metadata = object(definition, 'metadata');
  return {
    group: text(spec, 'group'),
    kind,
    ...(plural !== pluralOf(kind.toLowerCase()) && { plural }),
    ...(singular !== kind.toLowerCase() && { singular }),
    ...(listKind !== `${kind}List` && { listKind }),
    ...some('shortNames', own(given, 'shortNames')),
    ...some('categories', own(given, 'categories')),
    ...(text(spec, 'scope') === 'Cluster' && { scope: 'Cluster' }),
    ...some('labels', own(metadata, 'labels')),
    ...some('annotations', keptAnnotations(object(metadata, 'annotations'))),
    ...conversion(object(spec, 'conversion')),
  };
}

/** Returns a member that is not empty. */
function some(key: string, value: Json | undefined): JsonObject {
  const isEmpty = isArray(value) ? value.length === 0 : !isObject(value) || Object.keys(value).length === 0;
  return isEmpty || value === undefined ? {} : { [key]: value };
}

function conversion(given: JsonObject): JsonObject {
  if (text(given, 'strategy') !== 'Webhook') return {};
  const url = text(given, 'webhook', 'clientConfig', 'url');
  const service = object(given, 'webhook', 'clientConfig', 'service');
  const reviewVersions = strings(given, 'webhook', 'conversionReviewVersions');
  return {
    conversion: {
      ...(url === ''
        ? { service: { ...service, ...(own(service, 'path') === undefined && { path: '' }) } }
        : { url }),
      ...(!equal(reviewVersions, ['v1']) && { reviewVersions }),
    },
  };
}

function versionFacts(version: JsonObject, schema: JsonObject, isOnly: boolean): JsonObject {
  const warning = text(version, 'deprecationWarning');
  const subresources = object(version, 'subresources');
  const hasStatus = own(subresources, 'status') !== undefined;
  const scale = object(subresources, 'scale');
  const storage = own(version, 'storage') === true;
  const status = own(object(schema, 'properties'), 'status') !== undefined;
  const columns = own(version, 'additionalPrinterColumns');
  const selectable = own(version, 'selectableFields');
  const paths = (isArray(selectable) ? selectable : []).map((field) =>
    scalarPath(text(field, 'jsonPath'), schema, ['string', 'integer', 'boolean']),
  );
  return {
    ...(storage !== isOnly && { storage }),
    ...(own(version, 'served') === false && { served: false }),
    ...(own(version, 'deprecated') === true && { deprecated: warning === '' ? true : warning }),
    ...some('columns', isArray(columns) ? columns.map((column) => columnFacts(column, schema)) : []),
    ...some('scale', scaleFacts(scale, schema)),
    ...some('selectable', paths),
    ...(hasStatus !== status && { status: hasStatus }),
  };
}

function scaleFacts(scale: JsonObject, schema: JsonObject): JsonObject {
  const selector = text(scale, 'labelSelectorPath');
  if (Object.keys(scale).length === 0) return {};
  return {
    replicas: scalarPath(text(scale, 'specReplicasPath'), schema, ['integer']),
    statusReplicas: scalarPath(text(scale, 'statusReplicasPath'), schema, ['integer']),
    ...(selector !== '' && { selector: scalarPath(selector, schema, ['string']) }),
  };
}

/** Returns the path of a field with one of the types, and the JSONPath of anything else. */
function scalarPath(jsonPath: string, schema: JsonObject, types: readonly string[]): string {
  const path = fieldPath(jsonPath, schema);
  const type = path === undefined ? '' : text(fieldAt(schema, path), 'type');
  return path !== undefined && types.includes(type) ? path : jsonPath;
}

/** A path replaces the JSONPath where the definition that it leads to is equal. */
function columnFacts(column: Json, schema: JsonObject): JsonObject {
  const { type, priority, ...others } = isObject(column) ? omit(column, 'jsonPath') : {};
  const jsonPath = text(column, 'jsonPath');
  const rest = {
    ...others,
    ...(priority !== undefined && priority !== 0 && { priority }),
  };
  const path = fieldPath(jsonPath, schema);
  if (path === undefined) return { ...rest, jsonPath, type: text(column, 'type') };
  const [derived] = columnsOf([{ name: '', path }], schema, () => {});
  return { ...rest, path, ...(own(derived, 'type') !== type && type !== undefined && { type }) };
}

/** Number of steps that the types of paths follow. */
const maxSteps = 6;

/** Returns the path of a field for a JSONPath; `undefined` if the compiler does not know it. */
function fieldPath(jsonPath: string, schema: JsonObject): string | undefined {
  if (jsonPath === '.metadata.creationTimestamp') return 'metadata.creationTimestamp';
  const path = jsonPath.replace(/^\./, '').replace(/\[\?\(@\.\w+==["']([\w.-]+)["']\)\]/g, '[$1]');
  const steps = [...path.matchAll(/[A-Za-z_]\w*|\[[\w.*-]+\]/g)].map(([step]) => step);
  if (steps.length > maxSteps || steps.join('.').replaceAll('.[', '[') !== path) return undefined;
  let node: Json | undefined = schema;
  for (const step of steps)
    node = step.startsWith('[') ? own(node, 'items') : own(own(node, 'properties'), step);
  const [derived] =
    node === undefined ? [] : columnsOf([{ name: '', path, type: 'string' }], schema, () => {});
  return own(derived, 'jsonPath') === jsonPath ? path : undefined;
}

/** Prints a value as TypeScript. */
function printed(value: Json, indent: string): string {
  const inner = `${indent}  `;
  if (typeof value === 'string') return quoted(value);
  if (isArray(value)) {
    if (value.every((item) => !isObject(item)))
      return `[${value.map((item) => printed(item, inner)).join(', ')}]`;
    return `[\n${value.map((item) => `${inner}${printed(item, inner)},\n`).join('')}${indent}]`;
  }
  if (!isObject(value)) return String(value);
  const members = Object.entries(value).map(([key, item]) => `${objectKey(key)}: ${printed(item, inner)}`);
  const line = `{ ${members.join(', ')} }`;
  if (members.length > 0 && !line.includes('\n') && indent.length + line.length < 100) return line;
  return `{\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}}`;
}
