/** YAML output that all parsers read alike. */
import { Document, type Node, Pair, Scalar, type ScalarTag, YAMLMap, YAMLSeq } from 'yaml';
import { digitsOf } from '../codec/integers/digits.ts';
import { needsQuotes, scalarTags } from './scalars.ts';

/** Characters that some parsers drop, change or treat as line breaks. */
const unusual = /[^\P{Cc}\t\n]|[\u2028\u2029\ufeff\ufffe\uffff]/u;
const loneSurrogate = /\p{Cs}/u;
const unusualUnescaped = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Matches lines without leading and trailing blanks, which all parsers read alike. */
const block = /^\S[\s\S]*\S\n?$/;

/** Implementation of `dumpYaml`. */
export function yamlText(value: unknown): string {
  const document = new Document(null, {
    schema: 'failsafe',
    customTags: [...scalarTags, unusualTextTag],
  });
  try {
    document.contents = nodeOf(value, { path: '', parents: [] }) ?? new Scalar(null);
    // The document contains only nodes that were created here, and no anchors.
    return document.toString({ lineWidth: 0, blockQuote: 'literal' });
  } catch (error) {
    // Stack overflow: the objects are nested infinitely, or `toJSON` returns its own object.
    if (error instanceof RangeError) throw new TypeError('YAML: nested too deeply', { cause: error });
    throw error;
  }
}

/**
 * A string that is written with escapes. A class of its own, because the serialiser selects tags by value.
 */
class UnusualText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const unusualTextTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => value instanceof UnusualText,
  resolve: (text) => text,
  stringify: ({ value }) => (value instanceof UnusualText ? escaped(value.text) : String(value)),
};

/** All parsers support the escapes of JSON in double quotes. */
function escaped(text: string): string {
  const code = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text).replaceAll(unusualUnescaped, code);
}

interface Place {
  readonly path: string;
  readonly parents: readonly object[];
}

/** Returns `undefined` for values that JSON omits. */
function nodeOf(value: unknown, place: Place): Node | undefined {
  switch (typeof value) {
    case 'undefined':
      return undefined;
    case 'string':
      // A block needs a parent for its indentation.
      return place.parents.length === 0 ? lineNode(value, place) : textNode(value, place);
    case 'number':
      if (!Number.isFinite(value)) throw problem(place, String(value));
      return new Scalar(value);
    case 'boolean':
    case 'bigint':
      return new Scalar(value);
    case 'object':
      return value === null ? new Scalar(null) : objectNode(value, place);
    default:
      throw problem(place, `a ${typeof value}`);
  }
}

function problem({ path }: Place, what: string): TypeError {
  return new TypeError(`YAML cannot represent ${what}${path === '' ? '' : ` at ${path.slice(1)}`}`);
}

function textNode(text: string, place: Place): Scalar {
  if (loneSurrogate.test(text)) throw problem(place, 'a string with a lone surrogate');
  if (unusual.test(text)) return new Scalar(new UnusualText(text));
  const node = new Scalar(text);
  if (needsQuotes(text)) node.type = Scalar.QUOTE_DOUBLE;
  else if (!text.includes('\n')) node.type = Scalar.PLAIN;
  else node.type = block.test(text) ? Scalar.BLOCK_LITERAL : Scalar.QUOTE_DOUBLE;
  return node;
}

/** Writes a string on one line, as needed for keys and whole documents. */
function lineNode(text: string, place: Place): Scalar {
  const node = textNode(text, place);
  if (node.type === Scalar.BLOCK_LITERAL) node.type = Scalar.QUOTE_DOUBLE;
  return node;
}

function objectNode(value: object, place: Place): Node | undefined {
  if (place.parents.includes(value)) throw problem(place, 'an object that contains itself');
  if ('toJSON' in value && typeof value.toJSON === 'function') return nodeOf(value.toJSON(), place);
  if (Array.isArray(value)) return listNode(value, place);
  // The members of a Map, of bytes and of similar objects are not their data, which would be lost.
  const type = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (type !== 'Object')
    throw problem(place, `a value of type ${type}: convert it to plain objects, arrays or strings`);
  return mapNode(value, place);
}

function listNode(values: readonly unknown[], place: Place): YAMLSeq<Node> {
  const list = new YAMLSeq<Node>();
  // Includes holes, which `map` would skip.
  list.items = Array.from(values, (item, index) => {
    const key = String(index);
    return nodeOf(exactMember(values, key, item), below(place, values, key)) ?? new Scalar(null);
  });
  return list;
}

function below({ path, parents }: Place, parent: object, key: string): Place {
  return { path: `${path}.${key}`, parents: [...parents, parent] };
}

/** An integer beyond 2^53 that was read is written with all its digits. */
function exactMember(holder: object, key: string, value: unknown): unknown {
  const digits = typeof value === 'number' ? digitsOf(holder, key) : undefined;
  return digits === undefined ? value : BigInt(digits);
}

function mapNode(value: object, place: Place): YAMLMap<Node, Node> {
  const map = new YAMLMap<Node, Node>();
  for (const [key, field] of Object.entries(value)) {
    const inside = below(place, value, key);
    const node = nodeOf(exactMember(value, key, field), inside);
    if (node !== undefined) map.items.push(new Pair(lineNode(key, inside), node));
  }
  return map;
}
