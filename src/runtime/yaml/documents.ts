/** Documents of YAML text with their places, read as kubectl reads them. Loaded with `yaml`, when it is first needed. */
import { type Document, LineCounter, parseAllDocuments } from 'yaml';
import { type Fault, faultOf } from './faults.ts';
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
      uniqueKeys: false,
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
  const fault = syntaxFault(document) ?? faultOf(document);
  if (fault !== undefined) {
    const at = place(fault.offset);
    return { place: at, error: problem(at, fault.why) };
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return value === null ? { place: begin } : { place: begin, value };
  } catch {
    // Only these can fail here, and what the errors of the parser say of them is no clearer.
    const why = `more than ${MAX_ALIASES} aliases (*name), or a merge (<<) of what is no map`;
    return { place: begin, error: problem(begin, why) };
  }
}

function syntaxFault({ errors: [error] }: Document.Parsed): Fault | undefined {
  return error && { why: error.code.toLowerCase().replaceAll('_', ' '), offset: error.pos[0] };
}
