/**
 * Documents of a YAML stream with their positions, parsed as kubectl does. Loaded together with `yaml` on
 * first use.
 */
import { type Document, LineCounter, parseAllDocuments } from 'yaml';
import { type Fault, faultOf } from './faults.ts';
import { scalarTags } from './scalars.ts';

/** One document: its value, or its error. */
export interface YamlDocument {
  /** Starts at 1 and counts empty documents. */
  readonly number: number;
  /** Position of the document, or of its error: `apps.yaml:3:1`. */
  readonly place: string;
  /** Absent for empty documents and for documents with an error. */
  readonly value?: unknown;
  readonly error?: SyntaxError;
}

/** Maximum number of expanded aliases of a document: sufficient for people, too few for expansion attacks. */
const maxAliases = 100;

/** Parses all documents. A document with an error does not affect the others. */
export function yamlDocuments(text: string, source: string): readonly YamlDocument[] {
  const lineCounter = new LineCounter();
  const place = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `${source}:${line}:${col}`;
  };
  const documents = parsed(text, lineCounter, source);
  return documents.map((document, index) => ({ number: index + 1, ...read(document, place) }));
}

function parsed(text: string, lineCounter: LineCounter, source: string): readonly Document.Parsed[] {
  try {
    const documents = parseAllDocuments(text, {
      lineCounter,
      schema: 'failsafe',
      customTags: [...scalarTags, 'merge'],
      resolveKnownTags: false,
      prettyErrors: false,
      uniqueKeys: false,
      logLevel: 'silent',
    });
    return 'empty' in documents ? [] : documents;
  } catch (error) {
    if (error instanceof RangeError) throw problem(source, 'nested too deeply');
    throw error;
  }
}

/** Messages contain the parser's error code instead of its message, which may quote a line with a secret. */
function problem(place: string, why: string): SyntaxError {
  return new SyntaxError(`${place}: not YAML: ${why}`);
}

function read(
  document: Document.Parsed,
  place: (offset: number) => string,
): Pick<YamlDocument, 'place' | 'value' | 'error'> {
  const begin = place(document.contents?.range[0] ?? document.range[0]);
  const fault = syntaxFault(document) ?? faultOf(document);
  if (fault !== undefined) {
    const at = place(fault.offset);
    return { place: at, error: problem(at, fault.why) };
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: maxAliases });
    return value === null ? { place: begin } : { place: begin, value };
  } catch {
    // Only these errors are possible here, and the parser's messages are less clear.
    const why = `more than ${maxAliases} aliases (*name), or a merge (<<) of a value that is not a map`;
    return { place: begin, error: problem(begin, why) };
  }
}

function syntaxFault({ errors: [error] }: Document.Parsed): Fault | undefined {
  return error && { why: error.code.toLowerCase().replaceAll('_', ' '), offset: error.pos[0] };
}
