/**
 * Documents of a YAML stream with their positions, parsed as kubectl does. Loaded together with `yaml` on
 * first use.
 */
import { type Document, LineCounter, parseAllDocuments } from 'yaml';
import { type Fault, faultOf } from './faults.ts';
import { type Part, partsOf } from './json-values.ts';
import { scalarTags } from './scalars.ts';
import { documentValue, Unreadable } from './values.ts';

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

/** Parses all documents. A document with an error does not affect the others. */
export function yamlDocuments(text: string, source: string): readonly YamlDocument[] {
  const place = placesOf(text, source);
  const found = partsOf(text).flatMap((part) => documentsOf(part, place));
  return found.map((document, index) => ({ number: index + 1, ...document }));
}

type Place = (offset: number) => string;

/** Returns a function that describes an offset: `apps.yaml:3:1`. */
function placesOf(text: string, source: string): Place {
  const counter = new LineCounter();
  counter.addNewLine(0);
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) counter.addNewLine(at + 1);
  return (offset) => {
    const { line, col } = counter.linePos(offset);
    return `${source}:${line}:${col}`;
  };
}

type Read = Pick<YamlDocument, 'place' | 'value' | 'error'>;

function documentsOf({ text, start, format }: Part, place: Place): readonly Read[] {
  const within: Place = (offset) => place(start + offset);
  if (format === 'malformed') {
    const error = new SyntaxError(`${place(start)}: not JSON, after several JSON values`);
    return [{ place: place(start), error }];
  }
  try {
    return parsed(text).map((document) => read(document, within));
  } catch (error) {
    if (error instanceof RangeError) throw problem(place(start), 'nested too deeply');
    throw error;
  }
}

function parsed(text: string): readonly Document.Parsed[] {
  const documents = parseAllDocuments(text, {
    schema: 'failsafe',
    customTags: [...scalarTags, 'merge'],
    resolveKnownTags: false,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: 'silent',
  });
  return 'empty' in documents ? [] : documents;
}

/** Messages contain the parser's error code instead of its message, which may quote a line with a secret. */
function problem(place: string, why: string): SyntaxError {
  return new SyntaxError(`${place}: not YAML: ${why}`);
}

function read(document: Document.Parsed, place: Place): Read {
  const begin = place(document.contents?.range[0] ?? document.range[0]);
  const fault = syntaxFault(document) ?? faultOf(document);
  if (fault !== undefined) return faulty(fault, place);
  try {
    const value = documentValue(document);
    return value === null ? { place: begin } : { place: begin, value };
  } catch (error) {
    if (error instanceof Unreadable) return faulty(error.fault, place);
    throw error;
  }
}

function faulty({ why, offset }: Fault, place: Place): Read {
  const at = place(offset);
  return { place: at, error: problem(at, why) };
}

function syntaxFault({ errors: [error] }: Document.Parsed): Fault | undefined {
  return error && { why: error.code.toLowerCase().replaceAll('_', ' '), offset: error.pos[0] };
}
