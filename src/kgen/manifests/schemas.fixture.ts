import type { Json, JsonObject } from '@kgen/schema/values/json';
import { expect } from 'vitest';

const alias: JsonObject = { type: 'string', maxLength: 9, description: 'A name.' };
const box: JsonObject = {
  type: 'object',
  properties: { content: alias, list: { type: 'array', items: alias } },
  required: ['content'],
};

const intOrString: JsonObject = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};

/** Members of a spec, with the schema of the spec without its type. */
export interface SpecRow {
  readonly name: string;
  readonly members: string;
  readonly others?: string;
  readonly properties: JsonObject;
  readonly required?: readonly string[];
  readonly rules?: readonly Json[];
}

/** Specs of which definitions are written, which API servers accept. */
export const rows: readonly SpecRow[] = [
  {
    name: 'scalars and their formats',
    members:
      'text: string; flag?: boolean; small?: Int32; large?: Int64; real?: Double; at?: Timestamp; on?: Date; bytes?: Base64; wait?: Duration;',
    properties: {
      text: { type: 'string' },
      flag: { type: 'boolean' },
      small: { type: 'integer', format: 'int32' },
      large: { type: 'integer', format: 'int64' },
      real: { type: 'number', format: 'double' },
      at: { type: 'string', format: 'date-time' },
      on: { type: 'string', format: 'date-time' },
      bytes: { type: 'string', format: 'byte' },
      wait: { type: 'string' },
    },
    required: ['text'],
  },
  {
    name: 'numbers with a tag',
    members:
      '/** @number */ a?: number; /** @integer @minimum -5 */ b?: number; /** @format int64 */ c?: number;',
    properties: {
      a: { type: 'number' },
      b: { type: 'integer', minimum: -5 },
      c: { type: 'integer', format: 'int64' },
    },
  },
  {
    name: 'bounds and patterns',
    members: `/** @exclusiveMinimum 0 @maximum 9.5 @multipleOf 0.5 @number */ a?: number;
      /** @minLength 1 @maxLength 20 @pattern ^a[@b]*$ */ b?: string;
      /** @pattern "^\\u0022.*\\u002f$" */ c?: string;
      /** @minimum 9223372036854775807 */ d?: Int64;`,
    properties: {
      a: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9.5, multipleOf: 0.5 },
      b: { type: 'string', minLength: 1, maxLength: 20, pattern: '^a[@b]*$' },
      c: { type: 'string', pattern: '^".*/$' },
      d: { type: 'integer', format: 'int64', minimum: 9223372036854775807n },
    },
  },
  {
    name: 'values of Kubernetes, also where they are optional',
    members: 'a: IntOrString; b?: IntOrString; c?: number | string; d?: Partial<{ e: IntOrString }>;',
    properties: {
      a: intOrString,
      b: intOrString,
      c: intOrString,
      d: { type: 'object', properties: { e: intOrString } },
    },
    required: ['a'],
  },
  {
    name: 'literals in the order of their declaration',
    members:
      "/** @default \"cluster\" */ mode?: 'standalone' | 'cluster'; size?: Size; port?: 80 | 443; level?: Level",
    others:
      "type Size = 'small' | 'medium' | 'big'; enum Level { Warn = 'warn', Error = 'error', Debug = 'debug' }",
    properties: {
      mode: { type: 'string', enum: ['standalone', 'cluster'], default: 'cluster' },
      size: { type: 'string', enum: ['small', 'medium', 'big'] },
      port: { type: 'integer', enum: [80, 443] },
      level: { type: 'string', enum: ['warn', 'error', 'debug'] },
    },
  },
  {
    name: 'null and open values',
    members:
      'a: string | null; b?: unknown; c?: JsonObject; d?: EmbeddedResource; e?: Record<string, unknown>; f?: { known?: string; [key: string]: unknown }',
    properties: {
      a: { type: 'string', nullable: true },
      b: { 'x-kubernetes-preserve-unknown-fields': true },
      c: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      d: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
      e: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      f: {
        type: 'object',
        properties: { known: { type: 'string' } },
        'x-kubernetes-preserve-unknown-fields': true,
      },
    },
    required: ['a'],
  },
  {
    name: 'lists and maps',
    members: `/** @listMap name port @maxItems 16 */ ports?: { name: string; port: Int32 }[];
      /** @listSet */ names?: readonly string[];
      /** @atomic */ args?: Array<string>;
      labels?: Record<string, string>;
      deep?: { [key: string]: Int32[] };
      /** @atomic */ selector?: { a?: string };
      /** @pattern ^a (values of items) @maxProperties 3 (items) @minItems 1 */
      tagged?: Record<string, string>[];`,
    properties: {
      ports: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, port: { type: 'integer', format: 'int32' } },
          required: ['name', 'port'],
        },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name', 'port'],
        maxItems: 16,
      },
      names: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      args: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'atomic' },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      deep: {
        type: 'object',
        additionalProperties: { type: 'array', items: { type: 'integer', format: 'int32' } },
      },
      selector: { type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-map-type': 'atomic' },
      tagged: {
        type: 'array',
        minItems: 1,
        items: { type: 'object', maxProperties: 3, additionalProperties: { type: 'string', pattern: '^a' } },
      },
    },
  },
  {
    name: 'aliases with tags, interfaces that extend others, and generics',
    members:
      'image?: Image; images?: Image[]; box?: Box<Int32>; part?: Pick<Whole, "b">; rest?: Omit<Whole, "b">; all?: Required<Whole>; both?: Left & { right?: string }',
    others: `/** An image. @maxLength 100 */ type Image = string;
      interface Box<T> { /** The content. */ content: T }
      /** A whole. @validate self.a != self.b -- a and b differ */ interface Base { a?: string }
      interface Whole extends Base { b?: string }
      interface Left { left: string }`,
    properties: {
      image: { type: 'string', maxLength: 100, description: 'An image.' },
      images: { type: 'array', items: { type: 'string', maxLength: 100, description: 'An image.' } },
      box: {
        type: 'object',
        properties: { content: { type: 'integer', format: 'int32', description: 'The content.' } },
        required: ['content'],
      },
      part: { type: 'object', properties: { b: { type: 'string' } } },
      rest: { type: 'object', properties: { a: { type: 'string' } } },
      all: {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        required: ['a', 'b'],
      },
      both: {
        type: 'object',
        properties: { left: { type: 'string' }, right: { type: 'string' } },
        required: ['left'],
      },
    },
  },
  {
    name: 'immutable members and rules',
    members: `/** @immutable */ a: string;
      /** @immutable */ b?: string;
      /** @validate self.startsWith('x') -- must start with x -- reason=FieldValueForbidden */
      c?: string; /** @validate {"rule":"!oldSelf.hasValue() || self == oldSelf.value()","message":"is set once","optionalOldSelf":true} */ d?: string;`,
    properties: {
      a: {
        type: 'string',
        'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'field is immutable' }],
      },
      b: {
        type: 'string',
        'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'field is immutable' }],
      },
      c: {
        type: 'string',
        'x-kubernetes-validations': [
          { rule: "self.startsWith('x')", message: 'must start with x', reason: 'FieldValueForbidden' },
        ],
      },
      d: {
        type: 'string',
        'x-kubernetes-validations': [
          {
            rule: '!oldSelf.hasValue() || self == oldSelf.value()',
            message: 'is set once',
            optionalOldSelf: true,
          },
        ],
      },
    },
    required: ['a'],
    rules: [{ rule: '!has(oldSelf.b) || has(self.b)', message: 'field b is immutable once set' }],
  },
  {
    name: 'a union with a discriminator',
    members:
      "store: { kind: 's3'; bucket: string } | { kind: 'disk'; path: string; size?: Quantity } | { kind: 'none' };",
    properties: {
      store: {
        type: 'object',
        properties: {
          bucket: { type: 'string' },
          kind: { type: 'string', enum: ['s3', 'disk', 'none'] },
          path: { type: 'string' },
          size: expect.objectContaining({ 'x-kubernetes-int-or-string': true }),
        },
        required: ['kind'],
        'x-kubernetes-validations': [
          {
            rule: "self.kind != 's3' || (has(self.bucket) && !has(self.path) && !has(self.size))",
            message: 'kind s3 requires bucket and excludes path, size',
          },
          {
            rule: "self.kind != 'disk' || (has(self.path) && !has(self.bucket))",
            message: 'kind disk requires path and excludes bucket',
          },
          {
            rule: "self.kind != 'none' || (!has(self.bucket) && !has(self.path) && !has(self.size))",
            message: 'kind none excludes bucket, path, size',
          },
        ],
      },
    },
    required: ['store'],
  },
  {
    name: 'a union of objects with a required member each',
    members: 'source?: { url: string } | { file: string; mode?: Int32 };',
    properties: {
      source: {
        type: 'object',
        properties: {
          file: { type: 'string' },
          mode: { type: 'integer', format: 'int32' },
          url: { type: 'string' },
        },
        'x-kubernetes-validations': [
          {
            rule: '(has(self.url) && !has(self.file) && !has(self.mode)) || (has(self.file) && !has(self.url))',
            message: 'exactly one of url, file must be set',
          },
        ],
      },
    },
  },
  {
    name: 'escape tags and texts',
    members: `/** First line.
       * Second line, with *\\/ and \\@name.
       *
       * @title A title
       * @example {"a": 1}
       * @schema {"x-kubernetes-preserve-unknown-fields":true,"type":null}
       */
      a?: string; /** Old. @deprecated use a @see https://example.com @constraint {"oneOf":[{"minLength":1},{"pattern":"^x"}]} */ b?: string;`,
    properties: {
      a: {
        description: 'First line.\nSecond line, with */ and @name.',
        title: 'A title',
        example: { a: 1 },
        'x-kubernetes-preserve-unknown-fields': true,
      },
      b: { type: 'string', description: 'Old.', oneOf: [{ minLength: 1 }, { pattern: '^x' }] },
    },
  },
  {
    name: 'members that exclude each other',
    members: 'choice?: Choice',
    others:
      '/** @exactlyOneOf a b @atMostOneOf c d @atLeastOneOf a c */ interface Choice { a?: string; b?: string; c?: string; d?: string }',
    properties: {
      choice: expect.objectContaining({
        'x-kubernetes-validations': [
          {
            rule: '[has(self.a),has(self.b)].filter(x,x==true).size() == 1',
            message: 'exactly one of the fields in [a b] must be set',
          },
          {
            rule: '[has(self.c),has(self.d)].filter(x,x==true).size() <= 1',
            message: 'at most one of the fields in [c d] may be set',
          },
          {
            rule: '[has(self.a),has(self.c)].filter(x,x==true).size() >= 1',
            message: 'at least one of the fields in [a c] must be set',
          },
        ],
      }),
    },
  },
  {
    name: 'types of built-in kinds, written out',
    members: 'template?: PodTemplateSpec',
    others: "import type { PodTemplateSpec } from '@kgen/kubernetes/core/v1';",
    properties: { template: expect.objectContaining({ type: 'object' }) },
  },
  {
    name: 'template literals and metadata of templates',
    members:
      'size?: `$' +
      '{number}Mi`; host?: `https://$' +
      '{string}`; meta?: ObjectMeta; selector?: LabelSelector',
    properties: {
      size: { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?Mi$' },
      host: { type: 'string', pattern: '^https://.*$' },
      meta: expect.objectContaining({ type: 'object' }),
      selector: {
        type: 'object',
        properties: {
          matchExpressions: expect.objectContaining({ 'x-kubernetes-list-type': 'atomic' }),
          matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
        },
        'x-kubernetes-map-type': 'atomic',
      },
    },
  },
  {
    name: 'aliases in maps, lists and generics',
    members: `a?: Record<string, Name>; b?: Readonly<Record<string, Name>>; c?: Array<Name>; d?: ReadonlyArray<Name>;
      e?: Box<Name>; f?: Pick<Box<Name>, 'content'>; g?: { [key: string]: Name }; h?: Derived; i?: Names; j?: Box<Name> & { k?: Name }`,
    others: `/** A name. @maxLength 9 */ type Name = string;
      type Names = Partial<Record<string, Name>>;
      interface Box<T> { content: T; list?: T[] }
      interface Derived extends Box<Name> {}`,
    properties: {
      a: { type: 'object', additionalProperties: alias },
      b: { type: 'object', additionalProperties: alias },
      c: { type: 'array', items: alias },
      d: { type: 'array', items: alias },
      e: box,
      f: { type: 'object', properties: { content: alias }, required: ['content'] },
      g: { type: 'object', additionalProperties: alias },
      h: box,
      i: { type: 'object', additionalProperties: alias },
      j: { ...box, properties: { content: alias, k: alias, list: { type: 'array', items: alias } } },
    },
  },
  {
    name: 'literals in the order of their declaration behind generics',
    members: `a?: Box<'z' | 'b' | 'm'>; b?: Exclude<Size, 'small'>; c?: Record<string, Size>; d?: Array<'y' | 'a'>; e?: keyof Zoo`,
    others: `interface Box<T> { content?: T; list?: T[] }
      type Size = 'small' | 'medium' | 'big' | 'all';
      interface Zoo { zebra: 1; ape: 2 }`,
    properties: {
      a: {
        type: 'object',
        properties: {
          content: { type: 'string', enum: ['z', 'b', 'm'] },
          list: { type: 'array', items: { type: 'string', enum: ['z', 'b', 'm'] } },
        },
      },
      b: { type: 'string', enum: ['medium', 'big', 'all'] },
      c: {
        type: 'object',
        additionalProperties: { type: 'string', enum: ['small', 'medium', 'big', 'all'] },
      },
      d: { type: 'array', items: { type: 'string', enum: ['y', 'a'] } },
      e: { type: 'string', enum: ['ape', 'zebra'] },
    },
  },
  {
    name: 'comments of generic aliases once, and none of other types behind mapped types',
    members: 'a?: Box<string>; b?: { [Key in keyof Names]: boolean }',
    others: `/** A box. @validate self.content != 'a' */ type Box<T> = { content: T };
      /** @maxLength 5 */ type Name = string;
      interface Names { first?: Name; size?: Quantity }`,
    properties: {
      a: {
        type: 'object',
        description: 'A box.',
        properties: { content: { type: 'string' } },
        required: ['content'],
        'x-kubernetes-validations': [{ rule: "self.content != 'a'" }],
      },
      b: { type: 'object', properties: { first: { type: 'boolean' }, size: { type: 'boolean' } } },
    },
  },
  {
    name: 'immutable and open members of unions',
    members:
      "store?: { kind: 'a'; /** @immutable */ name?: string } | { kind: 'b'; [key: string]: unknown };",
    properties: {
      store: {
        type: 'object',
        properties: {
          kind: { type: 'string', enum: ['a', 'b'] },
          name: {
            type: 'string',
            'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'field is immutable' }],
          },
        },
        required: ['kind'],
        'x-kubernetes-preserve-unknown-fields': true,
        'x-kubernetes-validations': [
          { rule: "self.kind != 'b' || (!has(self.name))", message: 'kind b excludes name' },
          { rule: '!has(oldSelf.name) || has(self.name)', message: 'field name is immutable once set' },
        ],
      },
    },
  },
];
