/**
 * Random TypeScript types as an author of a custom resource writes them, with the schemas that they stand
 * for. The schemas follow from the choices, not from the text, so that a reader of the text is tested
 * against them.
 */
import { fromEntries, type Json, type JsonObject } from '@kgen/schema/values/json';
import type { Random } from './random.ts';

/** A type. */
export interface DrawnType {
  /** In TypeScript. */
  readonly text: string;
  readonly schema: JsonObject;
  /** Whether a literal of the type distributes over `[]` and `|`, such that it needs parentheses. */
  readonly isUnion?: boolean;
  /** Tags that the comment of a property of this type may have, with their keywords. */
  readonly tags?: readonly DrawnTag[];
}

type DrawnTag = readonly [text: string, keywords: JsonObject];

/** Members of a spec, declarations that they use, and the schema of the spec. */
export interface DrawnSpec {
  readonly members: string;
  readonly others: string;
  readonly schema: JsonObject;
}

const pair = [{ type: 'integer' }, { type: 'string' }];
const preserve = { 'x-kubernetes-preserve-unknown-fields': true };
const texts: JsonObject = { type: 'object', additionalProperties: { type: 'string' } };

const textTags: readonly DrawnTag[] = [
  ['@minLength 1', { minLength: 1 }],
  ['@maxLength 9', { maxLength: 9 }],
  ['@pattern ^[a-z@]*$', { pattern: '^[a-z@]*$' }],
  ['@default "abc"', { default: 'abc' }],
  ['@example "@x"', { example: '@x' }],
  ['@title A title', { title: 'A title' }],
  ["@validate self != 'zz' -- must not be zz", rules("self != 'zz'", 'must not be zz')],
  ['@immutable', rules('self == oldSelf', 'field is immutable')],
];

const integerTags: readonly DrawnTag[] = [
  ['@minimum -3', { minimum: -3 }],
  ['@exclusiveMaximum 99', { maximum: 99, exclusiveMaximum: true }],
  ['@multipleOf 3', { multipleOf: 3 }],
  ['@default 6', { default: 6 }],
  ['@validate self < 50', { 'x-kubernetes-validations': [{ rule: 'self < 50' }] }],
];

function rules(rule: string, message: string): JsonObject {
  return { 'x-kubernetes-validations': [{ rule, message }] };
}

const leaves: readonly [DrawnType, ...DrawnType[]] = [
  { text: 'string', schema: { type: 'string' }, tags: textTags },
  { text: 'boolean', schema: { type: 'boolean' }, tags: [['@default true', { default: true }]] },
  { text: 'Int32', schema: { type: 'integer', format: 'int32' }, tags: integerTags },
  { text: 'Int64', schema: { type: 'integer', format: 'int64' }, tags: integerTags },
  { text: 'bigint', schema: { type: 'integer', format: 'int64' } },
  {
    text: 'Double',
    schema: { type: 'number', format: 'double' },
    tags: [['@maximum 2.5', { maximum: 2.5 }]],
  },
  { text: 'Timestamp', schema: { type: 'string', format: 'date-time' } },
  { text: 'Date', schema: { type: 'string', format: 'date-time' } },
  { text: 'Base64', schema: { type: 'string', format: 'byte' } },
  { text: 'Duration', schema: { type: 'string' }, tags: [['@format duration', { format: 'duration' }]] },
  { text: 'IntOrString', schema: { anyOf: pair, 'x-kubernetes-int-or-string': true } },
  { text: 'Quantity', schema: { anyOf: pair, 'x-kubernetes-int-or-string': true, pattern: quantity() } },
  { text: 'number | string', isUnion: true, schema: { anyOf: pair, 'x-kubernetes-int-or-string': true } },
  { text: 'unknown', schema: preserve },
  { text: 'JsonObject', schema: { type: 'object', ...preserve } },
  { text: 'Record<string, unknown>', schema: { type: 'object', ...preserve } },
  {
    text: 'EmbeddedResource',
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, ...preserve },
  },
  {
    text: 'ObjectMeta',
    schema: {
      type: 'object',
      properties: {
        annotations: texts,
        finalizers: { type: 'array', items: { type: 'string' } },
        labels: texts,
        name: { type: 'string' },
        namespace: { type: 'string' },
      },
    },
  },
  { text: "'on' | 'off' | 'auto'", isUnion: true, schema: { type: 'string', enum: ['on', 'off', 'auto'] } },
  { text: "'z'", schema: { type: 'string', enum: ['z'] } },
  { text: '443 | 80', isUnion: true, schema: { type: 'integer', enum: [443, 80] } },
  { text: '0.5 | 2', isUnion: true, schema: { type: 'number', enum: [0.5, 2] } },
  { text: 'true', schema: { type: 'boolean', enum: [true] } },
  { text: `\`v$${'{number}'}\``, schema: { type: 'string', pattern: '^v-?[0-9]+(\\.[0-9]+)?$' } },
];

function quantity(): string {
  const digits = '(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))';
  return `^(\\+|-)?${digits}(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?${digits}))?$`;
}

/** Returns the members of a spec and the declarations that they use. */
export function anySpec(random: Random): DrawnSpec {
  const types = new Types(random);
  const { text, schema } = types.members(3);
  return { members: text, others: types.declarations.join('\n'), schema };
}

/** Names of members; some are words of CEL, or need quotes. */
const names = ['alpha', 'beta', 'gamma', 'delta', 'namespace', 'in', 'my-name', 'x.y', '$ref', 'zeta', 'eta'];

class Types {
  readonly declarations: string[] = [];
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns members in braces' place, and the schema of the object. */
  members(depth: number, chosen = this.#random.some(names, 5)): DrawnType {
    const drawn = chosen.map((name) => this.#member(name, depth));
    const sorted = [...drawn].sort((a, b) => (a.name < b.name ? -1 : 1));
    const required = sorted.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    const lasting = sorted.flatMap((member) => (member.lasting === undefined ? [] : [member.lasting]));
    return {
      text: drawn.map(({ text }) => text).join('\n'),
      schema: {
        type: 'object',
        ...(drawn.length > 0 && {
          properties: fromEntries(sorted.map(({ name, schema }) => [name, schema])),
        }),
        ...(required.length > 0 && { required }),
        ...(lasting.length > 0 && { 'x-kubernetes-validations': lasting }),
      },
    };
  }

  #member(name: string, depth: number): Member {
    const random = this.#random;
    const type = this.any(depth);
    const tags = random.some(type.tags ?? [], 2).slice(0, 2);
    const isNullable = random.chance(0.15) && !isUnknown(type);
    const isRequired = random.chance(0.4);
    const comment = ['Some text.', '', ''][random.int(3)] ?? '';
    const words = [comment, ...tags.map(([text]) => text)].filter((word) => word !== '');
    const key = /^[$\w]+$/.test(name) ? name : `'${name}'`;
    const shown = `${type.text}${isNullable ? ' | null' : ''}`;
    const isLasting = !isRequired && tags.some(([text]) => text === '@immutable');
    const field = celNames.get(name) ?? name;
    return {
      name,
      text: `${documented(words)}${key}${isRequired ? '' : '?'}: ${shown};`,
      schema: {
        ...tags.reduce<JsonObject>((schema, [, keywords]) => withKeywords(schema, keywords), type.schema),
        ...(comment !== '' && { description: comment }),
        ...(isNullable && { nullable: true }),
      },
      isRequired,
      ...(isLasting && {
        lasting: {
          rule: `!has(oldSelf.${field}) || has(self.${field})`,
          message: `field ${name} is immutable once set`,
        },
      }),
    };
  }

  /** Returns any type. */
  any(depth: number): DrawnType {
    const random = this.#random;
    if (depth <= 0 || random.chance(0.4)) return this.#named(random.pick(leaves));
    const inner = (): DrawnType => this.any(depth - 1);
    const make = random.pick<() => DrawnType>([
      () => this.#list(inner()),
      () => this.#map(inner()),
      () => this.#object(depth - 1),
      () => this.#object(depth - 1),
      () => this.#listMap(depth - 1),
      () => this.#generic(inner()),
      () => this.#discriminated(depth - 1),
    ]);
    return this.#named(make());
  }

  #declare(text: (name: string) => string): string {
    const name = `T${this.declarations.length}`;
    this.declarations.push(text(name));
    return name;
  }

  /** Names a type by an alias, sometimes with a comment. */
  #named(type: DrawnType): DrawnType {
    const random = this.#random;
    if (!random.chance(0.3)) return type;
    const tags = random.some(type.tags ?? [], 1).filter(([text]) => text !== '@immutable');
    const comment = random.chance(0.5) ? 'Of the alias.' : '';
    const words = [comment, ...tags.map(([text]) => text)].filter((word) => word !== '');
    const name = this.#declare((name) => `${documented(words)}type ${name} = ${type.text};`);
    const keywords = tags.reduce<JsonObject>((schema, [, each]) => withKeywords(schema, each), type.schema);
    return {
      text: name,
      schema: { ...keywords, ...(comment !== '' && { description: comment }) },
      // A nearer tag has precedence over an equal one, which another test covers.
      tags: (type.tags ?? []).filter((tag) => !tags.includes(tag) && !sharesKey(tag, tags)),
    };
  }

  #list(items: DrawnType): DrawnType {
    const element = items.isUnion === true ? `(${items.text})` : items.text;
    const text = this.#random.pick([
      `${element}[]`,
      `readonly ${element}[]`,
      `Array<${items.text}>`,
      `ReadonlyArray<${items.text}>`,
    ]);
    const isScalar = ['string', 'integer', 'number', 'boolean'].includes(String(items.schema['type']));
    const isNullable = items.schema['nullable'] === true;
    return {
      text,
      isUnion: text.startsWith('readonly'),
      schema: { type: 'array', items: items.schema },
      tags: [
        ['@maxItems 4', { maxItems: 4 }],
        ['@minItems 1', { minItems: 1 }],
        ['@atomic', { 'x-kubernetes-list-type': 'atomic' }],
        ...(isScalar && !isNullable ? [['@listSet', { 'x-kubernetes-list-type': 'set' }] as const] : []),
      ],
    };
  }

  #map(values: DrawnType): DrawnType {
    const text = this.#random.pick([
      `Record<string, ${values.text}>`,
      `{ [key: string]: ${values.text} }`,
      `{ readonly [key: string]: ${values.text} }`,
      `Readonly<Record<string, ${values.text}>>`,
    ]);
    const isFree = isUnknown(values) && values.schema['description'] === undefined;
    const schema = isFree
      ? { type: 'object', ...preserve }
      : { type: 'object', additionalProperties: values.schema };
    return { text, schema, tags: [['@maxProperties 3', { maxProperties: 3 }]] };
  }

  #object(depth: number): DrawnType {
    const random = this.#random;
    const members = this.members(depth);
    const properties = Object.keys((members.schema['properties'] ?? {}) as JsonObject); // seam: an object
    const [first] = properties;
    const tags: readonly DrawnTag[] = [
      ['@atomic', { 'x-kubernetes-map-type': 'atomic' }],
      ['@maxProperties 9', { maxProperties: 9 }],
    ];
    if (random.chance(0.3)) return { text: `{ ${members.text} }`, schema: members.schema, tags };
    const name = this.#declare((name) => `interface ${name} {\n${members.text}\n}`);
    if (first === undefined || JSON.stringify(members.schema).includes('oldSelf'))
      return { text: name, schema: members.schema, tags };
    const { required: _, ...optional } = members.schema;
    const drawn: readonly [string, JsonObject][] = [
      [name, members.schema],
      [`Partial<${name}>`, optional],
      [`Required<${name}>`, { ...optional, required: properties }],
      [`Readonly<${name}>`, members.schema],
      [`Pick<${name}, ${JSON.stringify(first)}>`, onlyMembers(members.schema, (key) => key === first)],
      [`Omit<${name}, ${JSON.stringify(first)}>`, onlyMembers(members.schema, (key) => key !== first)],
      [`${name} & { omega?: string }`, withMember(members.schema)],
    ];
    const [text, schema] = drawn[random.int(drawn.length)] ?? [name, members.schema];
    return { text, schema, tags, isUnion: text.includes('&') };
  }

  #listMap(depth: number): DrawnType {
    const members = this.members(depth, ['beta']);
    const items: JsonObject = {
      ...members.schema,
      properties: { ...(members.schema['properties'] as JsonObject), key: { type: 'string' } }, // seam: an object
      required: [...((members.schema['required'] ?? []) as Json[]), 'key'], // seam: a list
    };
    const name = this.#declare((name) => `interface ${name} { key: string;\n${members.text}\n}`);
    const list = { type: 'array', items };
    const tag = ['@listMap key', { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['key'] }];
    return { text: `${name}[]`, schema: list, tags: [tag as unknown as DrawnTag] };
  }

  #generic(content: DrawnType): DrawnType {
    const isPlain = /^\w+$/.test(content.text) === false || leaves.some(({ text }) => text === content.text);
    const name = this.#declare((name) => `interface ${name}<V> { content: V; list?: V[] }`);
    const used = isPlain ? content : leaves[0];
    return {
      text: `${name}<${used.text}>`,
      schema: {
        type: 'object',
        properties: { content: used.schema, list: { type: 'array', items: used.schema } },
        required: ['content'],
      },
    };
  }

  #discriminated(depth: number): DrawnType {
    // Rules cannot mention values without a type.
    const [left, right] = [this.any(depth), this.any(depth)].map((type) =>
      isUnknown(type) ? leaves[0] : type,
    ) as [DrawnType, DrawnType]; // seam: as many as before
    const kind = this.#random.pick(['kind', 'in', 'mode-of']);
    const key = kind.includes('-') ? `'${kind}'` : kind;
    return {
      text: `{ ${key}: 'l'; left: ${left.text} } | { ${key}: 'r' | 'q'; right?: ${right.text} }`,
      isUnion: true,
      schema: {
        type: 'object',
        properties: fromEntries(
          Object.entries({ left: left.schema, right: right.schema, [kind]: kinds }).sort(([a], [b]) =>
            a < b ? -1 : 1,
          ),
        ),
        required: [kind],
        'x-kubernetes-validations': caseRules(kind),
      },
    };
  }
}

interface Member {
  readonly name: string;
  readonly text: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
  /** Rule of the object for an immutable member. */
  readonly lasting?: JsonObject;
}

const kinds: JsonObject = { type: 'string', enum: ['l', 'r', 'q'] };

/** Names of members in expressions. */
const celNames: ReadonlyMap<string, string> = new Map([
  ['in', '__in__'],
  ['namespace', '__namespace__'],
  ['my-name', 'my__dash__name'],
  ['mode-of', 'mode__dash__of'],
  ['x.y', 'x__dot__y'],
]);

function caseRules(kind: string): readonly Json[] {
  const field = `self.${celNames.get(kind) ?? kind}`;
  return [
    {
      rule: `${field} != 'l' || (has(self.left) && !has(self.right))`,
      message: `${kind} l requires left and excludes right`,
    },
    { rule: `!(${field} in ['r', 'q']) || (!has(self.left))`, message: `${kind} r or q excludes left` },
  ];
}

function documented(words: readonly string[]): string {
  if (words.length === 0) return '';
  return words.length > 2 ? `/**\n * ${words.join('\n * ')}\n */\n` : `/** ${words.join(' ')} */ `;
}

function isUnknown({ schema }: DrawnType): boolean {
  return schema['type'] === undefined && schema['x-kubernetes-int-or-string'] !== true;
}

function withKeywords(schema: JsonObject, keywords: JsonObject): JsonObject {
  const key = 'x-kubernetes-validations';
  const both = [schema[key], keywords[key]].flatMap((list) => (Array.isArray(list) ? list : []));
  return { ...schema, ...keywords, ...(both.length > 0 && { [key]: both }) };
}

function sharesKey([, keywords]: DrawnTag, tags: readonly DrawnTag[]): boolean {
  return tags.some(([, others]) => Object.keys(others).some((key) => key in keywords));
}

function onlyMembers(schema: JsonObject, isKept: (name: string) => boolean): JsonObject {
  const properties = Object.entries(schema['properties'] as JsonObject).filter(([name]) => isKept(name)); // seam: an object
  const required = ((schema['required'] ?? []) as string[]).filter(isKept); // seam: a list of names
  return {
    type: 'object',
    ...(properties.length > 0 && { properties: fromEntries(properties) }),
    ...(required.length > 0 && { required }),
  };
}

function withMember(schema: JsonObject): JsonObject {
  return {
    ...schema,
    properties: { ...(schema['properties'] as JsonObject), omega: { type: 'string' } }, // seam: an object
  };
}
