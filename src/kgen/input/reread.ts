import { createRequire } from 'node:module';
import type { YAMLError } from 'yaml';
import { error, type Place, type Problem, quote, warning } from '../problems.ts';
import type { JsonPath } from './crd-input.ts';
import { duplicateKeys, firstAlias, locate, plainScalars, type Yaml } from './nodes.ts';
import { type Language, languageOf, placeAt, type SourceText } from './source.ts';
import type { Chunk } from './split.ts';
import { yaml11Reading } from './yaml11.ts';

/**
 * A document read by the `yaml` package, which is slow and knows where everything stands. It is loaded and asked
 * only when there is something to say about a document.
 */
export interface Reread {
  /** Place of the node at `path`, or of its nearest ancestor in the text. */
  readonly position: (path: JsonPath) => Place;
  /** What is wrong with the syntax. Empty when `yaml` accepts the document. */
  readonly syntaxProblems: () => readonly Problem[];
  /** A warning for each plain scalar that a YAML 1.1 reader takes for something else. */
  readonly yaml11Warnings: () => readonly Problem[];
  /** Place of the first alias, or of the document where there is none. */
  readonly firstAlias: () => Place;
}

/** Syntax errors that are shown for one document; what comes after them is mostly their echo. */
const maxSyntaxErrors = 3;

/** Synchronous and at the first use, so that asking for a position needs no promise and costs nothing before. */
const require = createRequire(import.meta.url);

/**
 * `yaml` needs about 8 µs and 600 bytes for each node; a document with more is not read again, so that one warning never
 * takes seconds. The largest CRDs in use have 25,000.
 */
const maxNodes = 100_000;

/** The same for all documents of a source. */
const maxNodesOfSource = 1_000_000;

/** What reading the smallest document again costs, in nodes. */
const nodesOfAny = 5;

/** Text between two nodes is cheap, but not free. */
const charactersOfNode = 100;

/**
 * Reads documents of one source once more. Where that would take too long, since the document is huge or many others
 * were read again before it, every place is the start of the document.
 */
export function createRereader(source: SourceText): (chunk: Chunk) => Reread {
  let left = maxNodesOfSource;
  return (chunk) => {
    const nodes = nodesAtMost(chunk.text);
    const isAffordable = nodes <= Math.min(maxNodes, left);
    if (isAffordable) left -= nodes + nodesOfAny;
    return isAffordable ? exact(source, chunk) : coarse(placeAt(source, chunk.offset));
  };
}

/** Counts what may begin or end a node, without parsing, until there are too many. */
function nodesAtMost(text: string): number {
  let count = text.length / charactersOfNode;
  for (let at = 0; at < text.length && count <= maxNodes; at += 1) {
    if (separators.has(text.charCodeAt(at))) count += 1;
  }
  return count;
}

const separators: ReadonlySet<number> = new Set([...'\n,[{'].map((mark) => mark.charCodeAt(0)));

function coarse(start: Place): Reread {
  const what =
    'unquoted words such as `on`, or numbers such as `0644`, are not to kgen what they are to the API server';
  return {
    position: () => start,
    syntaxProblems: () => [],
    yaml11Warnings: () => [warning(`${what}, which reads YAML 1.1: put them in quotes`, start)],
    firstAlias: () => start,
  };
}

function exact(source: SourceText, chunk: Chunk): Reread {
  const yaml = require('yaml') as Yaml; // seam: require() is untyped
  const document = yaml.parseDocument(chunk.text, {
    logLevel: 'silent',
    merge: true,
    prettyErrors: false,
    uniqueKeys: false, // quadratic in `yaml`; duplicateKeys() is not
  });
  const place = (offset: number): Place => placeAt(source, chunk.offset + offset);
  return {
    position: (path) => place(locate(yaml, document, path)),
    syntaxProblems: () => [
      ...document.errors
        .slice(0, maxSyntaxErrors)
        .map((fault) => error(sentence(fault, languageOf(source)), place(fault.pos[0]))),
      ...duplicateKeys(yaml, document).map(({ text, offset }) =>
        error(`the key ${quote(text)} stands twice in one mapping: remove one of the two`, place(offset)),
      ),
    ],
    yaml11Warnings: () =>
      plainScalars(yaml, document, (text) => yaml11Reading(text) !== undefined).map(({ text, offset }) =>
        warning(
          `${quote(text)} is ${yaml11Reading(text)} to the API server, which reads YAML 1.1, and not to kgen: put it in quotes`,
          place(offset),
        ),
      ),
    firstAlias: () => place(firstAlias(yaml, document) ?? 0),
  };
}

const unclosed = 'look for an unclosed quote, bracket or block, or an incomplete line';

/** What to do, for the syntax errors that people make; `yaml` names the error itself. */
const advice: ReadonlyMap<string, string> = new Map([
  ['BAD_ALIAS', 'define the anchor before its alias'],
  ['BAD_INDENT', 'indent the lines of one mapping or list alike'],
  ['BAD_SCALAR_START', 'put the text in quotes'],
  ['BAD_DQ_ESCAPE', 'double the backslash or use single quotes'],
  ['BLOCK_AS_IMPLICIT_KEY', 'put the text in quotes, or the nested mapping on a line of its own'],
  ['MISSING_CHAR', unclosed],
  ['MULTILINE_IMPLICIT_KEY', 'look for a missing colon or an unclosed quote'],
  ['TAB_AS_INDENT', 'indent with spaces'],
]);

function sentence(fault: YAMLError, language: Language): string {
  const [message = ''] = fault.message.split('\n');
  const plain = language === 'JSON' ? inJson(message) : message;
  const hint = message.includes('end with') ? unclosed : advice.get(fault.code);
  return `broken ${language}: ${plain.charAt(0).toLowerCase()}${plain.slice(1)}; ${hint ?? 'correct the syntax here'}`;
}

/** The words of `yaml`, as those who write JSON know them. */
function inJson(message: string): string {
  return message
    .replace(' in block collection must be sufficiently indented and', ' must')
    .replace(/flow sequence/i, 'list')
    .replace(/flow map/i, 'object');
}
