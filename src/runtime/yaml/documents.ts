/** Documents of YAML text with their places, read as kubectl reads them. Loaded with `yaml`, when it is first needed. */
import {
  type Document,
  isAlias,
  isCollection,
  LineCounter,
  type ParsedNode,
  parseAllDocuments,
  visit,
  type YAMLError,
} from 'yaml';
import { scalarTags } from './scalars.ts';

/** One document: its value, or why it has none. */
export interface YamlDocument {
  /** From 1, the empty documents counted. */
  readonly number: number;
  /** Where it begins, or where its error is: `apps.yaml:3:1`. */
  readonly place: string;
  /** Absent for documents without content, and with an error. */
  readonly value?: unknown;
  readonly error?: SyntaxError;
}

/** The most aliases that a document may be expanded by: enough for people, too few for bombs. */
const MAX_ALIASES = 100;

/** Reads all documents; each stands for itself, so that one that is broken does not hide the others. */
export function yamlDocuments(text: string, source: string): readonly YamlDocument[] {
  const lineCounter = new LineCounter();
  const place = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `${source}:${line}:${col}`;
  };
  const documents = parsed(text, lineCounter, source);
  return documents.map((document, index) => ({ number: index + 1, ...read(document, place) }));
}

/**
 * Messages have the codes of the parser and not its words, which may repeat a line of the text, and lines may hold
 * secrets.
 */
function problem(place: string, why: string): SyntaxError {
  return new SyntaxError(`${place}: not YAML: ${why}`);
}

function parsed(text: string, lineCounter: LineCounter, source: string): readonly Document.Parsed[] {
  try {
    const documents = parseAllDocuments(text, {
      lineCounter,
      schema: 'failsafe',
      customTags: [...scalarTags, 'merge'],
      resolveKnownTags: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
    return 'empty' in documents ? [] : documents;
  } catch (error) {
    if (error instanceof RangeError) throw problem(source, 'nested too deep');
    throw error;
  }
}

function read(
  document: Document.Parsed,
  place: (offset: number) => string,
): Pick<YamlDocument, 'place' | 'value' | 'error'> {
  const begin = place(document.contents?.range[0] ?? document.range[0]);
  const fault = document.errors[0] ?? keyFault(document);
  if (fault !== undefined) {
    const at = place(fault.pos[0]);
    return { place: at, error: problem(at, fault.code.toLowerCase().replaceAll('_', ' ')) };
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return value === null ? { place: begin } : { place: begin, value };
  } catch {
    // Only aliases and depth can fail here, and what the errors of the parser say of them is no clearer.
    return { place: begin, error: problem(begin, 'the aliases (*name) cannot be followed, or too many') };
  }
}

interface Fault {
  readonly code: string;
  readonly pos: YAMLError['pos'];
}

/** Objects have text for keys: lists and maps as keys are refused, and so is nothing. */
function keyFault(document: Document.Parsed): Fault | undefined {
  let found: Fault | undefined;
  visit(document, {
    Pair: (_, { key }) => {
      // A parsed document has parsed nodes.
      const node = key as ParsedNode | null;
      const empty = node === null || ('value' in node && node.value === null);
      if (!empty && !isCollection(node) && !isAlias(node)) return undefined;
      const offset = node?.range[0] ?? document.range[0];
      found = { code: empty ? 'a key is empty or null' : 'a key is no text', pos: [offset, offset] };
      return visit.BREAK;
    },
  });
  return found;
}
