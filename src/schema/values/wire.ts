/** JSON and YAML as the API server reads them, and JSON as it writes them: integers of 64 bits are exact. */
import { JSON_SCHEMA, load, loadAll, Type, YAMLException } from 'js-yaml';
import { isObject, type Json, type JsonObject } from './json.ts';

/** Clients cannot guess it: no string in their JSON begins with it. 128 random bits, also in browsers. */
const mark = `int64:${crypto.getRandomValues(new Uint32Array(4)).join('-')}:`;
const stringOrInteger = /"(?:[^"\\]|\\.)*"|-?\b\d{16,}(?![\d.eE])/g;

/** Parses JSON. @throws {SyntaxError} with the position. */
export function readJson(body: string): Json {
  // JSON.parse is `any`, and returns only JSON.
  const value = JSON.parse(body) as Json;
  if (!/\d{16}/.test(body)) return value;
  const marked = body.replace(stringOrInteger, (found) =>
    found.startsWith('"') ? found : `"${mark}${found}"`,
  );
  const unmarked = (_: string, member: unknown): unknown =>
    typeof member === 'string' && member.startsWith(mark) ? integerOf(member.slice(mark.length)) : member;
  // JSON, and bigints in it.
  return JSON.parse(marked, unmarked) as Json;
}

/** The integer that these digits are: a double, as the API server has it, where 64 bits do not suffice. */
function integerOf(digits: string): number | bigint {
  const nearest = Number(digits);
  const exact = BigInt(digits);
  return Number.isSafeInteger(nearest) || BigInt.asIntN(64, exact) !== exact ? nearest : exact;
}

/** A value as JSON. @param indent of each level. Default: none, in one line */
export function writeJson(value: unknown, indent = ''): string {
  const replaced = (_: string, member: unknown): unknown =>
    typeof member === 'bigint' ? mark + String(member) : member;
  try {
    return indent === '' ? JSON.stringify(value) : JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, replaced, indent).replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
  }
}

/**
 * Returns a copy of an object of a test as JSON.
 * @throws {TypeError} if the value is not an object
 */
export function copyOf(value: object): JsonObject {
  const copy = readJson(writeJson(value));
  if (!isObject(copy)) throw new TypeError('an object of a test must be a Kubernetes object');
  return copy;
}

/** As js-yaml has them. */
const integer =
  /^(?<sign>[-+]?)(?:(?<based>0b[01_]*[01]|0x[\da-fA-F_]*[\da-fA-F]|0o[0-7_]*[0-7])|(?<decimal>\d(?:[\d_]*\d)?))$/;
const integers = new Type('tag:yaml.org,2002:int', {
  kind: 'scalar',
  resolve: (data: unknown) => typeof data === 'string' && integer.test(data),
  construct: (data: string): number | bigint => {
    const { sign = '', based, decimal = '' } = integer.exec(data.replaceAll('_', ''))?.groups ?? {};
    if (based !== undefined) return Number(based) * (sign === '-' ? -1 : 1);
    return integerOf(`${sign === '-' ? '-' : ''}${decimal}`);
  },
});
const schema = JSON_SCHEMA.extend({ implicit: [integers] });

/** The booleans of YAML 1.1, which the API server reads. */
const booleans = new Type('tag:yaml.org,2002:bool', {
  kind: 'scalar',
  resolve: (data: unknown) => typeof data === 'string' && boolean.test(data),
  construct: (data: string): boolean => /^(?:y|t|on)/i.test(data),
});
const boolean = /^(?:y|Y|yes|Yes|YES|on|On|ON|true|True|TRUE|n|N|no|No|NO|off|Off|OFF|false|False|FALSE)$/;
const serverSchema = JSON_SCHEMA.extend({ implicit: [integers, booleans] });

/**
 * Parses YAML as the API server does: with JSON's types, the booleans of YAML 1.1, and the last one of
 * duplicate keys.
 * @throws {YAMLException} with the position
 */
export function readYaml(body: string): Json {
  const listener = (event: string, state: ParserState): void => {
    if (event === 'close') refuseKeys(state);
  };
  // `load` is `unknown`; the schema makes nothing but JSON values, and undefined for an empty document.
  return (load(body, { schema: serverSchema, json: true, listener }) ?? null) as Json;
}

/** The part of js-yaml's state that its listeners read. */
interface ParserState {
  readonly line: number;
  readonly lineStart: number;
  readonly position: number;
  readonly result: unknown;
}

/** js-yaml converts a mapping that is a key, such as an action of a template, to this string. */
function refuseKeys({ result, line, lineStart, position }: ParserState): void {
  if (typeof result !== 'object' || result === null || !Object.hasOwn(result, '[object Object]')) return;
  const mark = { buffer: '', column: position - lineStart, line, name: '', position, snippet: '' };
  throw new YAMLException('a key is a mapping, as in a template: keys must be strings', mark);
}

/** A document of YAML with the line at which it begins, counted from 1. */
export interface YamlDocument {
  readonly value: Json;
  readonly line: number;
}

/** Documents of YAML with the positions of their objects. */
export interface YamlDocuments {
  readonly documents: readonly YamlDocument[];
  /** Returns the line at which an object in a document begins: also one that is an item of a list. */
  lineOf(value: Json): number | undefined;
}

/** Depth of the items of a list in a document: the document, the value of `items`, and an item. */
const itemDepth = 3;

/**
 * Parses all documents of YAML, as authors of manifests expect them: strings without quotation marks stay.
 * @throws {YAMLException} with the position
 */
export function readYamlDocuments(content: string): YamlDocuments {
  const lines = new WeakMap<JsonObject, number>();
  const open: number[] = [];
  const starts: number[] = [];
  const listener = (event: string, state: ParserState): void => {
    const { line, result } = state;
    if (event === 'open') {
      if (open.length === 0) starts.push(line + 1);
      open.push(line + 1);
    } else {
      refuseKeys(state);
      const start = open.pop();
      // The schema creates only JSON values.
      const value = result as Json;
      if (start !== undefined && open.length < itemDepth && isObject(value)) lines.set(value, start);
    }
  };
  // `loadAll` returns `unknown[]`; the schema creates only JSON values.
  const values = loadAll(content, undefined, { schema, listener }) as Json[];
  const documents = values.map((value, index) => ({ value, line: starts[index] ?? 1 }));
  return { documents, lineOf: (value) => (isObject(value) ? lines.get(value) : undefined) };
}
