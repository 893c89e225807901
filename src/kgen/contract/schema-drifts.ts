/** Comparison of the schema of a client with that of a server, field by field and in both directions. */
import type { SchemaDocument, SchemaValue } from '@kgen/runtime/gen/v1';
import { type Change, constraintChanges, type SchemaUse } from './constraints.ts';
import {
  canonical,
  keepsUnknownFields,
  listOf,
  propertiesOf,
  resolveNode,
  type SchemaNode,
  schemaIn,
  typesOf,
} from './nodes.ts';
import type { ContractSchema, Drift } from './types.ts';

/** Returns the differences of the fields that the client contains, and of new required fields. */
export function schemaDrifts(
  known: ContractSchema,
  served: ContractSchema,
  use: SchemaUse,
): readonly Omit<Drift, 'resource'>[] {
  return new Comparison(known, served, use).run();
}

/** Fields that servers add to every object; their schema is not that of the definition. */
const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Definitions whose schema is written in several ways, by the end of their names. */
const scalars =
  /\.(?:Quantity|IntOrString|Time|MicroTime|Duration|RawExtension|FieldsV1|JSON|JSONSchemaProps\w+)$/;

/** Maximum number of nodes of one comparison, which bounds the time for malicious schemas. */
const maxNodes = 200_000;

class Comparison {
  readonly #known: ContractSchema;
  readonly #served: ContractSchema;
  readonly #use: SchemaUse;
  readonly #drifts: Omit<Drift, 'resource'>[] = [];
  /** Pairs of definitions that contain the current node. */
  readonly #within: Set<string> = new Set();
  #left = maxNodes;

  constructor(known: ContractSchema, served: ContractSchema, use: SchemaUse) {
    this.#known = known;
    this.#served = served;
    this.#use = use;
  }

  run(): readonly Omit<Drift, 'resource'>[] {
    const [before, after] = this.#resolve(this.#known.root, this.#served.root);
    this.#compareNodes(before, after, '');
    if (this.#left < 0) {
      const message = `the schema has more than ${maxNodes} fields, of which the first ones are compared`;
      this.#add('', { kind: 'unavailable', breaking: false, message });
    }
    return this.#drifts;
  }

  #resolve(before: SchemaDocument, after: SchemaDocument): readonly [SchemaNode, SchemaNode] {
    return [resolveNode(before, this.#known), resolveNode(after, this.#served)];
  }

  #add(path: string, change: Change): void {
    this.#drifts.push({ path, ...change });
  }

  #compare(known: SchemaDocument, served: SchemaDocument, path: string): void {
    const [before, after] = this.#resolve(known, served);
    if (before.name !== '' && before.name === after.name && scalars.test(before.name)) return;
    const pair = `${before.name} ${after.name}`;
    const isNamed = before.name !== '' && after.name !== '';
    if (this.#left < 0 || (isNamed && this.#within.has(pair))) return;
    if (isNamed) this.#within.add(pair);
    this.#compareNodes(before, after, path);
    if (isNamed) this.#within.delete(pair);
  }

  #compareNodes({ document: was }: SchemaNode, { document: is }: SchemaNode, path: string): void {
    this.#left -= 1;
    const change = typeChange(was, is, this.#use.isSent);
    if (change !== undefined) {
      this.#add(path, change);
      if (change.breaking || change.kind === 'type-removed') return;
    }
    if (change === undefined || !change.breaking)
      for (const each of constraintChanges(was, is, this.#use)) this.#add(path, each);
    for (const each of this.#nullChanges(was, is)) this.#add(path, each);
    const isOwn = this.#hasOwnIdentity(was, is, path);
    this.#compareProperties(was, is, path, isOwn ? identity : none);
    this.#compareRequired(was, is, path, isOwn ? identity : none);
    this.#compareParts(was, is, path);
  }

  /** Returns whether the server replaces the identity of an object by its own schema. */
  #hasOwnIdentity(was: SchemaDocument, is: SchemaDocument, path: string): boolean {
    if (path === '') return !this.#use.isBuiltIn;
    return [was, is].some((document) => document['x-kubernetes-embedded-resource'] === true);
  }

  #nullChanges(was: SchemaDocument, is: SchemaDocument): readonly Change[] {
    const [before, after] = [was['nullable'] === true, is['nullable'] === true];
    if (before === after) return [];
    if (after) return [{ kind: 'nullable-added', breaking: true, message: 'the value may be null' }];
    if (!this.#use.isSent) return [];
    return [{ kind: 'nullable-removed', breaking: false, message: 'null was a value, and is dropped' }];
  }

  #compareProperties(
    was: SchemaDocument,
    is: SchemaDocument,
    path: string,
    without: ReadonlySet<string>,
  ): void {
    const after = propertiesOf(is);
    const values = schemaIn(is, 'additionalProperties');
    for (const [name, known] of propertiesOf(was)) {
      if (without.has(name)) continue;
      const at = join(path, name);
      const served = after.get(name) ?? values;
      if (served !== undefined) {
        this.#compareDefaults(known, served, at);
        this.#compare(known, served, at);
      } else if (keepsUnknownFields(is)) {
        const message = 'the server does not describe the field, and accepts any value';
        this.#add(at, { kind: 'type-removed', breaking: false, message });
      } else {
        this.#add(at, { kind: 'field-missing', breaking: true, message: 'the field does not exist' });
      }
    }
    if (this.#use.isSent && keepsUnknownFields(was) && !keepsUnknownFields(is)) {
      const message = 'fields without a schema were kept, and are dropped';
      this.#add(path, { kind: 'unknown-fields-dropped', breaking: true, message });
    }
  }

  #compareDefaults(known: SchemaDocument, served: SchemaDocument, path: string): void {
    const [before, after] = this.#resolve(known, served);
    const was = canonical(this.#defaultOf(before.document));
    const is = canonical(this.#defaultOf(after.document));
    if (was === is) return;
    const message = `the default was ${was || 'absent'}, is ${is || 'absent'}`;
    this.#add(path, { kind: 'default-changed', breaking: false, message });
  }

  /** Defaults of built-in kinds that are empty values only describe Go's types. */
  #defaultOf(document: SchemaDocument): SchemaValue | undefined {
    const value = document['default'];
    const isEmpty = ['{}', '""', '0', 'false', 'null'].includes(canonical(value));
    return this.#use.isBuiltIn && isEmpty ? undefined : value;
  }

  /**
   * API servers do not validate built-in kinds with their published schemas, so that a known field of them
   * that is listed as required is as required as before.
   */
  #compareRequired(
    was: SchemaDocument,
    is: SchemaDocument,
    path: string,
    without: ReadonlySet<string>,
  ): void {
    const before = this.#needed(was, this.#known);
    const known = propertiesOf(was);
    for (const name of this.#needed(is, this.#served)) {
      if (!this.#use.isSent || before.has(name) || without.has(name)) continue;
      const isKnown = known.has(name);
      const message = isKnown ? 'the field is required' : 'the field is new and required';
      const breaking = !(this.#use.isBuiltIn && isKnown);
      this.#add(join(path, name), { kind: 'required-added', breaking, message });
    }
    this.#comparePromised(was, is, path, without);
  }

  /**
   * Fields with a default are in every response. Built-in kinds have defaults for all fields that are never
   * omitted, so that for the others the list of required fields promises nothing.
   */
  #comparePromised(
    was: SchemaDocument,
    is: SchemaDocument,
    path: string,
    without: ReadonlySet<string>,
  ): void {
    const served = propertiesOf(is);
    const promised = new Set(listOf(is['required']));
    for (const required of listOf(was['required'])) {
      const name = String(required);
      const field = served.get(name);
      if (promised.has(name) || without.has(name) || field === undefined) continue;
      const { document } = resolveNode(field, this.#served);
      if (document['default'] !== undefined) continue;
      const wasPromised = this.#hasDefault(was, name);
      const breaking = !this.#use.isBuiltIn || wasPromised;
      const message = 'the field was required and is optional: responses may lack it';
      this.#add(join(path, name), { kind: 'required-removed', breaking, message });
    }
  }

  #hasDefault(document: SchemaDocument, name: string): boolean {
    const field = propertiesOf(document).get(name);
    return field !== undefined && resolveNode(field, this.#known).document['default'] !== undefined;
  }

  /** Returns the required properties that have no default. */
  #needed(document: SchemaDocument, schema: ContractSchema): ReadonlySet<string> {
    const properties = propertiesOf(document);
    const names = listOf(document['required']).map(String);
    return new Set(
      names.filter((name) => {
        const property = properties.get(name);
        return (
          property === undefined || this.#defaultOf(resolveNode(property, schema).document) === undefined
        );
      }),
    );
  }

  #compareParts(was: SchemaDocument, is: SchemaDocument, path: string): void {
    const [items, after] = [schemaIn(was, 'items'), schemaIn(is, 'items')];
    if (items !== undefined && after !== undefined) this.#compare(items, after, `${path}[]`);
    const values = schemaIn(was, 'additionalProperties');
    if (values === undefined) return;
    const served = schemaIn(is, 'additionalProperties');
    if (served !== undefined) this.#compare(values, served, `${path}{}`);
    else if (!keepsUnknownFields(is)) {
      const message = 'the map is an object with fixed fields';
      this.#add(path, { kind: 'type-changed', breaking: true, message });
    }
  }
}

const none: ReadonlySet<string> = new Set();

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function typeChange(was: SchemaDocument, is: SchemaDocument, isSent: boolean): Change | undefined {
  const before = typesOf(was);
  const after = typesOf(is);
  if (after === undefined) {
    if (before === undefined) return undefined;
    const message = `the type was ${shown(before)}, is not described`;
    return { kind: 'type-removed', breaking: false, message };
  }
  if (before === undefined) {
    if (!isSent) return undefined;
    const message = `any value was accepted, the type is ${shown(after)}`;
    return { kind: 'type-changed', breaking: true, message };
  }
  const isAccepted = [...before].every((type) => accepts(after, type));
  const isExpected = [...after].every((type) => accepts(before, type));
  if ((isAccepted || !isSent) && isExpected) return undefined;
  const message = `the type was ${shown(before)}, is ${shown(after)}`;
  // Both are numbers in JavaScript.
  const isNumeric = isAccepted && [...after].every((type) => type === 'number' || accepts(before, type));
  return { kind: 'type-changed', breaking: !isNumeric, message };
}

function accepts(types: ReadonlySet<string>, type: string): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'));
}

function shown(types: ReadonlySet<string>): string {
  return [...types].sort().join(' or ');
}
