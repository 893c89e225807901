/** Second, slow parser, which runs only to find the position of a problem. */
import type { YAMLError } from 'yaml';
import { error, type InputProblem, quote, type SourcePlace, warning } from '../../common/problems.ts';
import type { JsonPath } from '../crd/crd-input.ts';
import { duplicateKeys, firstAlias, invalidKeys, locate, plainScalars, type Yaml } from './nodes.ts';
import { type Language, languageOf, placeAt, type SourceText } from './source.ts';
import type { Chunk } from './split.ts';
import { yaml11Reading } from './yaml11.ts';

/**
 * A document parsed by the `yaml` package, which is slow and records positions. It is loaded and used only to
 * report a problem.
 */
export interface Reread {
  /** Returns the position of the node at `path`, or of its nearest existing ancestor. */
  readonly position: (path: JsonPath) => SourcePlace;
  /**
   * Returns the first syntax error, as later ones are mostly its consequences, or all duplicate keys.
   * Empty if `yaml` accepts the document.
   */
  readonly syntaxProblems: () => readonly InputProblem[];
  /**
   * Returns an error for each key that is a mapping, a list or null, or for the first action of a template,
   * which is a mapping as a key. Returns at least one.
   */
  readonly keyProblems: () => readonly InputProblem[];
  /** Returns a warning for each plain scalar that YAML 1.1 parses differently. */
  readonly yaml11Warnings: () => readonly InputProblem[];
  /** Returns the position of the first alias, or of the document if there is none. */
  readonly firstAlias: () => SourcePlace;
}

/** The error for a source that is the input of a template engine. */
export const templateAdvice: string =
  'this is a template, not YAML: render it first (for example with `helm template`) and give kgen the result';

/**
 * Maximum number of nodes of a document that is parsed again. `yaml` needs about 8 µs and 600 bytes per node,
 * so that one warning never takes seconds. The largest CRDs in use have 25,000 nodes.
 */
const maxNodes = 100_000;

/** Maximum number of nodes that are parsed again for all documents of a source. */
const maxNodesOfSource = 1_000_000;

/** Cost of parsing the smallest document again, in nodes. */
const nodesOfAny = 5;

/** Number of characters that cost as much as one node. */
const charactersOfNode = 100;

/** Returns the `yaml` package. Called when a document is first parsed again. */
export type LoadYaml = () => Yaml;

/**
 * Returns a function that parses documents of one source again. If that would take too long, because the
 * document is huge or many others were parsed again before it, every position is the start of the document.
 */
export function createRereader(source: SourceText, loadYaml: LoadYaml): (chunk: Chunk) => Reread {
  let left = maxNodesOfSource;
  return (chunk) => {
    const nodes = nodesAtMost(chunk.text);
    const isAffordable = nodes <= Math.min(maxNodes, left);
    if (isAffordable) left -= nodes + nodesOfAny;
    return isAffordable ? exact(source, chunk, loadYaml) : coarse(placeAt(source, chunk.offset));
  };
}

/** Counts characters that may start or end a node, without parsing, up to a limit. */
function nodesAtMost(text: string): number {
  let count = text.length / charactersOfNode;
  for (let at = 0; at < text.length && count <= maxNodes; at += 1) {
    if (separators.has(text.charCodeAt(at))) count += 1;
  }
  return count;
}

const separators: ReadonlySet<number> = new Set([...'\n,[{'].map((mark) => mark.charCodeAt(0)));

function coarse(start: SourcePlace): Reread {
  const what = 'unquoted words such as `on`, or numbers such as `0644`, have other values for the API server';
  return {
    position: () => start,
    syntaxProblems: () => [],
    keyProblems: () => [error(`a key ${isNotScalar('a mapping, a list or null')}`, start)],
    yaml11Warnings: () => [warning(`${what}, which reads YAML 1.1: put them in quotes`, start)],
    firstAlias: () => start,
  };
}

function exact(source: SourceText, chunk: Chunk, loadYaml: LoadYaml): Reread {
  const yaml = loadYaml();
  const document = yaml.parseDocument(chunk.text, {
    logLevel: 'silent',
    merge: true,
    prettyErrors: false,
    uniqueKeys: false, // The check of `yaml` takes quadratic time; duplicateKeys() is linear.
  });
  const place = (offset: number): SourcePlace => placeAt(source, chunk.offset + offset);
  return {
    position: (path) => place(locate(yaml, document, path)),
    syntaxProblems: () => {
      const [first] = document.errors;
      if (first !== undefined) return [error(sentence(first, languageOf(source)), place(first.pos[0]))];
      return duplicateKeys(yaml, document).map(({ text, offset }) =>
        error(`the key ${quote(text)} occurs twice in one mapping: remove one of the two`, place(offset)),
      );
    },
    keyProblems: () => {
      const found = invalidKeys(yaml, document);
      const action = found.find(({ offset }) => chunk.text.startsWith('{{', offset - 1));
      if (action !== undefined) return [error(templateAdvice, place(action.offset - 1))];
      const problems = found.map(({ sort, offset }) => error(`the key ${isNotScalar(sort)}`, place(offset)));
      return problems.length > 0 ? problems : coarse(place(0)).keyProblems();
    },
    yaml11Warnings: () =>
      plainScalars(yaml, document, (text) => yaml11Reading(text) !== undefined).map(({ text, offset }) =>
        warning(
          `${quote(text)} is ${yaml11Reading(text)} for the API server, which reads YAML 1.1, but not for kgen: put it in quotes`,
          place(offset),
        ),
      ),
    firstAlias: () => place(firstAlias(yaml, document) ?? 0),
  };
}

function isNotScalar(sort: string): string {
  return `of a mapping is ${sort}, but keys are strings: make it one, in quotes if necessary`;
}

const unclosed = 'look for an unclosed quote, bracket or block, or an incomplete line';

/** Advice for frequent syntax errors. `yaml` describes the error itself. */
const advice: ReadonlyMap<string, string> = new Map([
  ['BAD_ALIAS', 'define the anchor before its alias'],
  ['BAD_INDENT', 'indent the lines of one mapping or list alike'],
  ['BAD_SCALAR_START', 'put the string in quotes'],
  ['BAD_DQ_ESCAPE', 'double the backslash or use single quotes'],
  ['BLOCK_AS_IMPLICIT_KEY', 'put the string in quotes, or the nested mapping on a line of its own'],
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

/** Returns a message of `yaml` in the terms of JSON. */
function inJson(message: string): string {
  return message
    .replace(' in block collection must be sufficiently indented and', ' must')
    .replace(/flow sequence/i, 'list')
    .replace(/flow map/i, 'object');
}
