/** Schemas of declared types: the structural schemas that API servers accept. */
import type { JsonPath } from '@kgen/schema/rules/places';
import { isUsable } from '@kgen/schema/validation/rules/declarations';
import { isArray, isObject, type Json, type JsonObject } from '@kgen/schema/values/json';
import { error, type InputProblem, quote } from '../../common/problems.ts';
import { byText } from '../../common/words.ts';
import { taggedType, withTag } from '../../notation/keywords.ts';
import { knownTypes } from '../../notation/known-types.ts';
import { isIdentity } from '../../notation/normal.ts';
import { celField, lastingRule } from '../../notation/rules.ts';
import { schemaTagsByName } from '../../notation/tags.ts';
import { splitPart } from '../../notation/values.ts';
import type {
  Declared,
  DeclaredLiteral,
  DeclaredObject,
  DeclaredProperty,
  DeclaredShape,
} from '../declare/declared.ts';
import { Places } from './places.ts';
import { misplaced, type TagValue, tagValues } from './tag-values.ts';
import { caseRules, casesOf } from './union-cases.ts';

/** The schema of a type. */
export interface WrittenSchema {
  readonly schema: JsonObject;
  /** Places by the path from the root of the schema. */
  readonly places: Places;
  readonly problems: readonly InputProblem[];
}

/** Returns the schema of the objects of a kind. Servers add the schemas of apiVersion, kind and metadata. */
export function kindSchema(declared: Declared): WrittenSchema {
  const writer = new SchemaWriter();
  if (declared.shape.is !== 'object') {
    const problem = error('the type of a version must be an interface with spec and status', declared.place);
    return { schema: { type: 'object' }, places: new Places(), problems: [problem] };
  }
  const schema = writer.write({ ...declared, shape: ownObject(declared.shape, true) }, []);
  return { schema, places: writer.places, problems: writer.problems };
}

/** Returns an object of Kubernetes: its identity is part of its schema only if the schema restricts it. */
function ownObject(shape: DeclaredObject, isRoot: boolean): DeclaredObject {
  const properties = shape.properties.flatMap((property) => ownMember(property, isRoot));
  return { ...shape, properties };
}

function ownMember(property: DeclaredProperty, isRoot: boolean): readonly DeclaredProperty[] {
  const { name, value } = property;
  if (!isIdentity(name)) return [property];
  const isRestricted = value.notes.some(({ tags }) => tags.some((tag) => schemaTagsByName.has(tag.name)));
  if (name === 'metadata') {
    if (!isRestricted && (property.isOptional || !isRoot)) return [];
    return [{ ...property, value: { ...value, shape: { is: 'object', properties: [], isOpen: false } } }];
  }
  // The types of a kind are constants, whose schemas servers add.
  if (isRoot) return isRestricted ? [{ ...property, value: { ...value, shape: { is: 'string' } } }] : [];
  return isRestricted || value.shape.is !== 'string' ? [property] : [];
}

class SchemaWriter {
  readonly places = new Places();
  readonly problems: InputProblem[] = [];

  /** @param outer tags of the property that apply to this part of it */
  write(declared: Declared, path: JsonPath, outer: readonly TagValue[] = []): JsonObject {
    const { shape, notes, place } = declared;
    this.places.set(path, place);
    const all = [...outer, ...tagValues(notes, (problem) => this.problems.push(problem))];
    const own = all.filter(({ part }) => part.length === 0);
    const below = all.filter(({ part }) => part.length > 0);
    const written = this.#typed(shape, declared, path, { own, below });
    const type = taggedType(written);
    const fits = own.filter((tag) => {
      const problem = misplaced(tag, type);
      if (problem !== undefined) this.problems.push(problem);
      return problem === undefined;
    });
    const description = notes.find((note) => note.description !== undefined)?.description;
    const described = {
      ...(description !== undefined && { description }),
      ...written,
      ...(declared.isNullable && { nullable: true }),
    };
    return this.#tagged(described, fits, path);
  }

  #fail(path: JsonPath, fault: string, { place }: Declared): void {
    this.problems.push(error(`${fieldText(path)} ${fault}`, place));
  }

  #typed(
    shape: DeclaredShape,
    declared: Declared,
    path: JsonPath,
    tags: { readonly own: readonly TagValue[]; readonly below: readonly TagValue[] },
  ): JsonObject {
    const into = (step: 'items' | 'values'): readonly TagValue[] =>
      tags.below.filter(({ part }) => part[0] === step).map((tag) => ({ ...tag, part: tag.part.slice(1) }));
    switch (shape.is) {
      case 'string':
      case 'boolean':
        return { type: shape.is };
      case 'number':
        return { type: this.#numberType(tags.own, declared, path) };
      case 'unknown':
        return { 'x-kubernetes-preserve-unknown-fields': true };
      case 'known':
        return knownTypes.get(shape.name) ?? {};
      case 'template':
        return { type: 'string', pattern: shape.pattern };
      case 'literals':
        return this.#literals(shape.values, declared, path);
      case 'array':
        return { type: 'array', items: this.write(shape.items, [...path, 'items'], into('items')) };
      case 'map':
        return shape.values.shape.is === 'unknown' && shape.values.notes.length === 0
          ? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
          : {
              type: 'object',
              additionalProperties: this.write(
                shape.values,
                [...path, 'additionalProperties'],
                into('values'),
              ),
            };
      case 'object':
        return this.#object(tags.own.some(isEmbedded) ? ownObject(shape, false) : shape, path);
      case 'union':
        return this.#union(shape.members, declared, path);
      case 'invalid':
        this.#fail(path, shape.fault, declared);
        return {};
    }
  }

  #numberType(own: readonly TagValue[], declared: Declared, path: JsonPath): string {
    const names = new Set(own.map(({ definition }) => definition.name));
    if (names.has('integer')) return 'integer';
    if (names.has('number')) return 'number';
    const format = own.find(({ definition }) => definition.name === 'format')?.value;
    if (format === 'int32' || format === 'int64') return 'integer';
    if (format === 'float' || format === 'double') return 'number';
    this.#fail(
      path,
      'is a number, and integers are another type in schemas: use Int32 or Int64, or add @number',
      declared,
    );
    return 'number';
  }

  #literals(values: readonly DeclaredLiteral[], declared: Declared, path: JsonPath): JsonObject {
    const types = new Set(values.map((value) => typeof value));
    const [type] = types;
    if (types.size > 1) this.#fail(path, 'has literals of several types: use literals of one type', declared);
    const isInteger = type === 'number' && values.every((value) => Number.isInteger(value));
    return { type: isInteger ? 'integer' : (type ?? 'string'), enum: values };
  }

  #object({ properties, isOpen }: DeclaredObject, path: JsonPath): JsonObject {
    const named = [...properties].sort((a, b) => byText(a.name, b.name));
    const required = named.filter((property) => isRequired(property)).map(({ name }) => name);
    const schemas = named.map(({ name, value }): [string, Json] => [
      name,
      this.write(value, [...path, 'properties', name]),
    ]);
    const lasting = lastingRules(named);
    return {
      type: 'object',
      ...(named.length > 0 && { properties: Object.fromEntries(schemas) }),
      ...(required.length > 0 && { required }),
      ...(isOpen && { 'x-kubernetes-preserve-unknown-fields': true }),
      ...(lasting.length > 0 && { 'x-kubernetes-validations': lasting }),
    };
  }

  #union(members: readonly DeclaredObject[], declared: Declared, path: JsonPath): JsonObject {
    const cases = casesOf(members);
    if ('fault' in cases) {
      this.#fail(path, cases.fault, declared);
      return { type: 'object' };
    }
    const schemas = members.map((member) => this.#object(member, path));
    const properties = new Map<string, Json>();
    const lasting = new Map(
      members.flatMap((member) => lastingRules(member.properties)).map((rule) => [rule['rule'], rule]),
    );
    for (const { properties: own } of schemas) {
      for (const [name, schema] of Object.entries(isObject(own) ? own : {})) {
        const before = properties.get(name);
        if (name === cases.discriminator) continue;
        if (before !== undefined && JSON.stringify(before) !== JSON.stringify(schema))
          this.#fail(path, `has several types of ${quote(name)}: use one type, or other names`, declared);
        properties.set(name, schema);
      }
    }
    if (cases.discriminator !== undefined)
      properties.set(cases.discriminator, { type: 'string', enum: cases.values });
    const required =
      cases.discriminator === undefined ? cases.common : [...cases.common, cases.discriminator];
    const rules = caseRules(cases);
    const unseen = [...properties].find(
      ([name, schema]) =>
        isObject(schema) &&
        !isUsable(schema) &&
        rules.some(({ rule }) => String(rule).includes(`has(self.${celField(name)})`)),
    );
    if (unseen !== undefined)
      this.#fail(
        path,
        `has a member ${quote(unseen[0])} whose values are unknown, which rules cannot mention: use JsonObject, or a common member`,
        declared,
      );
    return {
      type: 'object',
      properties: Object.fromEntries([...properties].sort(([a], [b]) => byText(a, b))),
      ...(required.length > 0 && { required: [...required].sort(byText) }),
      ...(members.some(({ isOpen }) => isOpen) && { 'x-kubernetes-preserve-unknown-fields': true }),
      'x-kubernetes-validations': [...rules, ...lasting.values()],
    };
  }

  #tagged(schema: JsonObject, tags: readonly TagValue[], path: JsonPath): JsonObject {
    let result = schema;
    for (const tag of tags) result = this.#withTag(result, tag, path);
    return result;
  }

  #withTag(schema: JsonObject, tag: TagValue, path: JsonPath): JsonObject {
    const { definition, value, place } = tag;
    if (definition.form === 'json' && definition.keyword === undefined && !isObject(value)) {
      this.problems.push(error(`@${definition.name} must be followed by an object of keywords`, place));
      return schema;
    }
    const isBuiltIn = definition.name === 'listMap' && /\.d\.[cm]?ts$/.test(place.file);
    const result = isBuiltIn ? withKeyDefaults(withTag(schema, tag), value) : withTag(schema, tag);
    for (const key of Object.keys(result)) {
      const [before, after] = [schema[key], result[key]];
      if (before !== after || definition.keyword === key) this.places.set([...path, key], place);
      if (!isArray(after) || before === after) continue;
      for (let index = isArray(before) ? before.length : 0; index < after.length; index += 1)
        this.places.set([...path, key, index], place);
    }
    return result;
  }
}

function isEmbedded({ definition }: TagValue): boolean {
  return definition.name === 'embedded';
}

/**
 * Keys of the lists of built-in types may be absent in their items, which their servers read as empty. The
 * schema states the default, as that of a custom resource must.
 */
function withKeyDefaults(list: JsonObject, keys: Json): JsonObject {
  const { items } = list;
  if (!isObject(items) || !isObject(items['properties']) || !isArray(keys)) return list;
  const { required } = items;
  const properties = Object.entries(items['properties']).map(([name, schema]): [string, Json] => {
    const isOpen = keys.includes(name) && !(isArray(required) && required.includes(name));
    const isText = isObject(schema) && schema['type'] === 'string' && schema['default'] === undefined;
    return [name, isOpen && isText ? { ...schema, default: '' } : schema];
  });
  return { ...list, items: { ...items, properties: Object.fromEntries(properties) } };
}

/** Returns whether servers require a member: one with a default may be optional for writers. */
function isRequired({ isOptional, value }: DeclaredProperty): boolean {
  return !isOptional || hasTag(value, 'required');
}

function hasTag({ notes }: Declared, name: string): boolean {
  return notes.some(({ tags }) =>
    tags.some((tag) => tag.name === name && splitPart(tag.text).part.length === 0),
  );
}

function lastingRules(properties: readonly DeclaredProperty[]): readonly JsonObject[] {
  return properties.filter((property) => isLasting(property)).map(({ name }) => lastingRule(name));
}

/** An immutable member that is optional must not be removed, which only its object can check. */
function isLasting(property: DeclaredProperty): boolean {
  const { value } = property;
  const isBare = !value.notes.some(({ tags }) =>
    tags.some((tag) => tag.name === 'validate' && /^\{?.*self\s*==\s*oldSelf/.test(tag.text)),
  );
  return !isRequired(property) && hasTag(value, 'immutable') && isBare;
}

/** Returns a path as in messages: `spec.users[].name`. */
function fieldText(path: JsonPath): string {
  const text = path
    .map((key, index) => {
      const isName = path[index - 1] === 'properties' && path[index - 2] !== 'properties';
      return isName ? `.${key}` : key === 'items' ? '[]' : key === 'additionalProperties' ? '{}' : '';
    })
    .join('');
  return text === '' ? 'the type' : text.replace(/^\./, '');
}
