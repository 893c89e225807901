/** Builds a CustomResourceDefinition from the value of `api` and the schemas of its versions. */

import { compareVersions } from '@kgen/schema/definitions/version-order';
import type { JsonPath } from '@kgen/schema/rules/places';
import { isArray, isObject, type Json, type JsonObject, own } from '@kgen/schema/values/json';
import { error, type InputProblem, quote, quoteAll, type SourcePlace } from '../../common/problems.ts';
import type { Places } from '../schema/places.ts';
import type { WrittenSchema } from '../schema/write-schema.ts';
import { columnsOf, fieldAt } from './columns.ts';
import { type Evaluated, pathKey } from './evaluate.ts';

/** A definition with the places of its parts. */
export interface BuiltDefinition {
  readonly value: JsonObject;
  readonly places: DefinitionPlaces;
  readonly problems: readonly InputProblem[];
}

/** Places of the parts of a definition. */
export interface DefinitionPlaces {
  /** Path of the module. */
  readonly file: string;
  /** Those of the value of `api`. */
  readonly declaration: Places;
  /** Those of the schemas, by the index of the version. */
  readonly schemas: readonly Places[];
  /** Names of the versions. */
  readonly names: readonly string[];
}

/** Returns the place of the part of a definition at a path. */
export function placeIn(
  { file, declaration, schemas, names }: DefinitionPlaces,
  path: JsonPath,
): SourcePlace {
  const [, part, index, below, , ...rest] = path;
  const place = (): SourcePlace | undefined => {
    if (part !== 'versions' || typeof index !== 'number') return declaration.at(declaredKeys(path.slice(1)));
    if (below === 'schema') return schemas[index]?.at(rest);
    return declaration.at(['versions', names[index] ?? '', ...declaredKeys(path.slice(3))]);
  };
  return place() ?? { file };
}

/**
 * Builds the definition.
 * @param file of the declaration, for places that are not known
 * @param schemaOf returns the schema of a version
 */
export function buildDefinition(
  declaration: Evaluated,
  schemaOf: (name: string) => WrittenSchema,
  file: string,
): BuiltDefinition {
  return new Builder(declaration, schemaOf, file).build();
}

class Builder {
  readonly #problems: InputProblem[] = [];
  readonly #declaration: Evaluated;
  readonly #schemaOf: (name: string) => WrittenSchema;
  readonly #file: string;

  constructor(declaration: Evaluated, schemaOf: (name: string) => WrittenSchema, file: string) {
    this.#declaration = declaration;
    this.#schemaOf = schemaOf;
    this.#file = file;
  }

  build(): BuiltDefinition {
    const { value: given, places: declaration } = this.#declaration;
    const group = this.#text(given, 'group');
    const kind = this.#text(given, 'kind');
    const plural = textIn(given, 'plural') ?? pluralOf(kind.toLowerCase());
    const names = this.#versionNames(given);
    const schemas = names.map((name) => this.#schemaOf(name));
    const versions = names.map((name, index) => this.#version(name, schemas[index], names.length === 1));
    this.#checkStorage(versions);
    const value = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { ...some(given, 'annotations'), ...some(given, 'labels'), name: `${plural}.${group}` },
      spec: {
        ...conversionOf(own(given, 'conversion')),
        group,
        names: {
          ...some(given, 'categories'),
          kind,
          listKind: textIn(given, 'listKind') ?? `${kind}List`,
          plural,
          ...some(given, 'shortNames'),
          singular: textIn(given, 'singular') ?? kind.toLowerCase(),
        },
        scope: textIn(given, 'scope') ?? 'Namespaced',
        versions,
      },
    };
    const places = { file: this.#file, declaration, names, schemas: schemas.map((each) => each.places) };
    return { value, places, problems: [...this.#problems, ...schemas.flatMap((each) => each.problems)] };
  }

  #fail(what: string, path: JsonPath): void {
    this.#problems.push(error(what, this.#declaration.places.at(path)));
  }

  #text(given: Json, key: string): string {
    const text = textIn(given, key);
    if (text === undefined) this.#fail(`${key} is missing: add it to api({ … })`, []);
    return text ?? '';
  }

  #versionNames(given: Json): readonly string[] {
    const versions = own(given, 'versions');
    const names = Object.keys(isObject(versions) ? versions : {}).filter((name) => {
      if (this.#declaration.versions.has(pathKey(['versions', name]))) return true;
      this.#fail(`${quote(name)} is not a version: write version<MyResource>()`, ['versions', name]);
      return false;
    });
    if (names.length === 0) this.#fail('versions is empty: add a version', ['versions']);
    return names.sort(compareVersions);
  }

  #version(name: string, written: WrittenSchema | undefined, isOnly: boolean): JsonObject {
    const schema = written?.schema ?? { type: 'object' };
    const facts = own(own(this.#declaration.value, 'versions'), name) ?? {};
    const path = ['versions', name];
    const hasStatus = fieldAt(schema, 'status') !== undefined;
    const status = own(facts, 'status') === undefined ? hasStatus : own(facts, 'status') === true;
    const scale = this.#scale(own(facts, 'scale'), schema, path);
    const columns = columnsOf(own(facts, 'columns'), schema, (what, below) =>
      this.#fail(what, [...path, ...below]),
    );
    const selectable = own(facts, 'selectable');
    const deprecated = own(facts, 'deprecated');
    return {
      ...(columns.length > 0 && { additionalPrinterColumns: columns }),
      ...(deprecated !== undefined && deprecated !== false && { deprecated: true }),
      ...(typeof deprecated === 'string' && { deprecationWarning: deprecated }),
      name,
      schema: { openAPIV3Schema: schema },
      ...(isArray(selectable) && {
        selectableFields: selectable.map((field) => ({ jsonPath: jsonPathOf(String(field)) })),
      }),
      served: own(facts, 'served') !== false,
      storage: own(facts, 'storage') === undefined ? isOnly : own(facts, 'storage') === true,
      ...((status || scale !== undefined) && {
        subresources: { ...(scale !== undefined && { scale }), ...(status && { status: {} }) },
      }),
    };
  }

  #scale(given: Json | undefined, schema: JsonObject, path: JsonPath): JsonObject | undefined {
    if (!isObject(given)) return undefined;
    for (const [key, type] of scaleTypes) {
      const field = textIn(given, key);
      if (field === undefined || field.startsWith('.')) continue;
      const found = fieldAt(schema, field);
      if (found === undefined || found['type'] !== type)
        this.#fail(`${quote(field)} is not a field of type ${type}: correct the path`, [
          ...path,
          'scale',
          key,
        ]);
    }
    const selector = textIn(given, 'selector');
    return {
      ...(selector !== undefined && { labelSelectorPath: jsonPathOf(selector) }),
      specReplicasPath: jsonPathOf(textIn(given, 'replicas') ?? ''),
      statusReplicasPath: jsonPathOf(textIn(given, 'statusReplicas') ?? ''),
    };
  }

  #checkStorage(versions: readonly JsonObject[]): void {
    const stored = versions.filter(({ storage }) => storage === true);
    if (versions.length === 0 || stored.length === 1) return;
    const names = quoteAll(versions.map(({ name }) => String(name)));
    this.#fail(
      stored.length === 0
        ? `no version is stored: add storage: true to one of ${names}`
        : 'several versions are stored: keep storage: true for one of them',
      ['versions'],
    );
  }
}

function jsonPathOf(path: string): string {
  return path.startsWith('.') ? path : `.${path}`;
}

const scaleTypes = [
  ['replicas', 'integer'],
  ['statusReplicas', 'integer'],
  ['selector', 'string'],
] as const;

function textIn(value: Json | undefined, key: string): string | undefined {
  const found = own(value, key);
  return typeof found === 'string' ? found : undefined;
}

/** Returns the member of an object, if it is not empty. */
function some(value: Json, key: string): JsonObject {
  const found = own(value, key);
  const isEmpty = found === undefined || (isArray(found) && found.length === 0);
  return isEmpty ? {} : { [key]: found };
}

function conversionOf(given: Json | undefined): JsonObject {
  if (!isObject(given)) return {};
  const { reviewVersions: versions, service, ...client } = given;
  const { path = '/convert', ...address } = isObject(service) ? service : {};
  const clientConfig = isObject(service) ? { service: { ...(path !== '' && { path }), ...address } } : client;
  return {
    conversion: {
      strategy: 'Webhook',
      webhook: { clientConfig, conversionReviewVersions: isArray(versions) ? versions : ['v1'] },
    },
  };
}

/** Keys of the declaration for those of the definition. */
const declared: ReadonlyMap<string | number, JsonPath> = new Map<string | number, JsonPath>([
  ['additionalPrinterColumns', ['columns']],
  ['clientConfig', []],
  ['conversionReviewVersions', ['reviewVersions']],
  ['deprecationWarning', ['deprecated']],
  ['jsonPath', ['path']],
  ['labelSelectorPath', ['selector']],
  ['names', []],
  ['selectableFields', ['selectable']],
  ['specReplicasPath', ['replicas']],
  ['statusReplicasPath', ['statusReplicas']],
  ['subresources', []],
  ['webhook', []],
]);

function declaredKeys(path: JsonPath): JsonPath {
  return path.flatMap((key) => declared.get(key) ?? [key]);
}

/** Returns the plural by the rules of English that Kubernetes' own tools apply. */
export function pluralOf(singular: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}
