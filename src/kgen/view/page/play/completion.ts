/** Completions of YAML from the schema of a kind. */
import { isRecord, type Record } from '../../secrets.ts';

/** Schemas of a group and version, as the server publishes them. */
export interface SchemaDocument {
  /** Name of the schema of the kind. */
  readonly root: string;
  readonly schemas: Record;
}

/** A field or value that is valid at a position. */
export interface Suggestion {
  readonly label: string;
  /** Type of a field. */
  readonly detail: string;
  readonly info: string;
  /** Text that replaces the part before the position. */
  readonly text: string;
}

/** Suggestions for the text from an offset to the position. */
export interface Suggestions {
  readonly from: number;
  readonly options: readonly Suggestion[];
}

/** Returns the suggestions at a position of a text; `undefined` if it is neither in a name nor in a value. */
export function suggestionsAt(
  text: string,
  position: number,
  document: SchemaDocument,
): Suggestions | undefined {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  const line = text.slice(start, position);
  const above = text.slice(0, start).split('\n').slice(0, -1);
  const below = text.slice(position).split('\n').slice(1);
  const value = /^([ ]*(?:- +)*)([\w./-]+):[ ]+([\w.-]*)$/.exec(line);
  if (value !== null) {
    const [, lead = '', name = '', begun = ''] = value;
    const options = valuesOf(schemaAt(document, [...pathOf(lead, above), name]));
    return { from: position - begun.length, options: options.map((label) => plain(label)) };
  }
  const key = /^([ ]*(?:- +)*)([\w./-]*)$/.exec(line);
  if (key === null) return undefined;
  const [, lead = '', begun = ''] = key;
  const present = siblingsOf(lead, above, below);
  const schema = schemaAt(document, pathOf(lead, above));
  const fields = isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
  const options = fields
    .filter(([name]) => !present.has(name))
    .map(([name, field]) => fieldOf(name, resolved(document, field), lead.length));
  return { from: position - begun.length, options };
}

function plain(label: string): Suggestion {
  return { label, detail: '', info: '', text: label };
}

function fieldOf(name: string, schema: Record, column: number): Suggestion {
  const { type, description } = schema;
  const typeText = typeof type === 'string' ? type : '';
  const isObject = typeText === 'object' || 'properties' in schema;
  const indent = ' '.repeat(column);
  const rest = isObject ? `:\n${indent}  ` : typeText === 'array' ? `:\n${indent}  - ` : ': ';
  const info = typeof description === 'string' ? description : '';
  return { label: name, detail: typeText, info, text: `${name}${rest}` };
}

/** Returns the names of the fields around a line. Items of lists have no part in it. */
function pathOf(lead: string, above: readonly string[]): readonly string[] {
  const path: string[] = [];
  // A field around has its name before this column; the dash of a list may be below the name of the list.
  let before = limitOf({ column: lead.length, dash: dashOf(lead) });
  for (const line of [...above].reverse()) {
    if (line.startsWith('---')) break;
    const key = keyLineOf(line);
    if (key === undefined) continue;
    if (key.column < before) {
      path.unshift(key.name);
      before = limitOf(key);
    } else if (key.column === before && key.dash !== undefined) before = key.dash + 1;
  }
  return path;
}

interface KeyLine {
  readonly name: string;
  /** Column of the name. */
  readonly column: number;
  /** Column of the first dash; `undefined` without one. */
  readonly dash: number | undefined;
}

function keyLineOf(line: string): KeyLine | undefined {
  const [, lead, quoted, name = quoted] =
    /^([ ]*(?:- +)*)(?:"([^"]*)"|([^\s:#'"-][^\s:#]*))[ ]*:(?:\s|$)/.exec(line) ?? [];
  return lead === undefined || name === undefined
    ? undefined
    : { name, column: lead.length, dash: dashOf(lead) };
}

function dashOf(lead: string): number | undefined {
  const dash = lead.indexOf('-');
  return dash < 0 ? undefined : dash;
}

function limitOf({ column, dash }: Pick<KeyLine, 'column' | 'dash'>): number {
  return dash === undefined ? column : dash + 1;
}

/** Returns the names of the other fields of an object. */
function siblingsOf(lead: string, above: readonly string[], below: readonly string[]): ReadonlySet<string> {
  const { length } = lead;
  const upwards = dashOf(lead) === undefined ? namesUntil([...above].reverse(), length, true) : [];
  return new Set([...upwards, ...namesUntil(below, length, false)]);
}

/** @param isUpwards whether the first field of an item of a list is the last one that is found */
function namesUntil(lines: readonly string[], column: number, isUpwards: boolean): readonly string[] {
  const names: string[] = [];
  for (const line of lines) {
    const key = keyLineOf(line);
    if (line.startsWith('---')) break;
    if (key === undefined) continue;
    if (key.column < column || (key.dash !== undefined && key.dash < column && !isUpwards)) break;
    if (key.column === column) names.push(key.name);
    if (key.column === column && key.dash !== undefined) break;
  }
  return names;
}

function schemaAt(document: SchemaDocument, path: readonly string[]): Record {
  return path.reduce(
    (schema, name) => memberOf(document, schema, name),
    resolved(document, document.schemas[document.root]),
  );
}

function memberOf(document: SchemaDocument, schema: Record, name: string): Record {
  const { properties, additionalProperties } = schema;
  const own =
    isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
  const member = resolved(document, own);
  // A list has the fields of its items.
  return member['type'] === 'array' ? resolved(document, member['items']) : member;
}

const prefix = '#/components/schemas/';

function resolved({ schemas }: SchemaDocument, schema: unknown): Record {
  if (!isRecord(schema)) return {};
  const { allOf, description } = schema;
  const only: unknown = Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : schema;
  const reference = isRecord(only) ? only['$ref'] : undefined;
  if (typeof reference !== 'string' || !reference.startsWith(prefix)) return schema;
  const target = schemas[reference.slice(prefix.length)];
  if (!isRecord(target)) return {};
  return description === undefined ? target : { ...target, description };
}

function valuesOf(schema: Record): readonly string[] {
  if (schema['type'] === 'boolean') return ['true', 'false'];
  const values = schema['enum'];
  return Array.isArray(values) ? values.filter((each) => typeof each === 'string') : [];
}
