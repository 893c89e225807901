/** Table of protobuf fields, which is derived from Kubernetes' Go types and not from input. */
import { kinds, messages } from '@kgen/schema/kubernetes/fields';
import type {
  Element,
  Field,
  FieldTable,
  Omission,
  Scalar,
  Shape,
  Special,
  TableKind,
  TableMessage,
} from './types.ts';

let table: FieldTable | undefined;

/**
 * Returns the table of every message and kind of Kubernetes 1.31 to 1.37. Parsed once, in a few milliseconds.
 */
export function fieldTable(): FieldTable {
  table ??= parseTable(messages, kinds);
  return table;
}

/**
 * Parses a table, which must be well-formed.
 *
 * @param messages a line for each home, and below it one for each of its messages:
 * `Pod metadata?=1 meta/v1.ObjectMeta;…`. A name with the suffix `?` is omitted if empty, with `??` if zero.
 * Types are Go's, with `{}` for a map and `$` for types with their own JSON form. Messages of the same home
 * are written without their home. The name of a bare message has the suffix `[]`.
 * @param kinds a line for each apiVersion: `v1 Pod Status=meta/v1.Status …`. The default message has the name
 * of the kind, in the home of the apiVersion.
 */
export function parseTable(messages: string, kinds: string): FieldTable {
  const found = new Map<string, TableMessage>();
  let home = '';
  for (const line of linesOf(messages)) {
    const end = line.indexOf(' ');
    if (end < 0 && line.includes('/')) home = line;
    else {
      const message = parseMessage(
        home,
        end < 0 ? line : line.slice(0, end),
        end < 0 ? '' : line.slice(end + 1),
      );
      found.set(`${home}.${message.name}`, message);
    }
  }
  return { messages: found, kinds: linesOf(kinds).flatMap((line) => parseKinds(line, found)) };
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

function parseMessage(home: string, marked: string, fields: string): TableMessage {
  const bare = marked.endsWith('[]');
  return {
    home,
    name: bare ? marked.slice(0, -2) : marked,
    fields: fields === '' ? [] : fields.split(';').map((field) => parseField(home, field)),
    bare,
  };
}

function parseField(home: string, text: string): Field {
  const equals = text.indexOf('=');
  const space = text.indexOf(' ', equals);
  const [name, omission] = parseName(text.slice(0, equals));
  return {
    number: Number(text.slice(equals + 1, space)),
    json: name === '' ? undefined : name,
    ...parseType(home, text.slice(space + 1)),
    omission,
  };
}

function parseName(marked: string): readonly [string, Omission] {
  if (marked.endsWith('??')) return [marked.slice(0, -2), 'omitzero'];
  if (marked.endsWith('?')) return [marked.slice(0, -1), 'omitempty'];
  return [marked, 'never'];
}

function parseType(home: string, type: string): { readonly shape: Shape; readonly element: Element } {
  if (type.startsWith('*')) return { shape: 'pointer', element: parseElement(home, type.slice(1)) };
  if (type.startsWith('[]')) return { shape: 'slice', element: parseElement(home, type.slice(2)) };
  if (type.startsWith('{}')) return { shape: 'map', element: parseElement(home, type.slice(2)) };
  return { shape: 'value', element: parseElement(home, type) };
}

function parseElement(home: string, type: string): Element {
  // seam: the file of fields is generated, and a test compares all of it with its source
  if (type.startsWith('$')) return { special: type.slice(1) as Special };
  if (type.includes('/')) return { message: type };
  // seam: names of messages start with a capital letter, those of scalars do not
  return /^[a-z]/.test(type) ? { scalar: type as Scalar } : { message: `${home}.${type}` };
}

function parseKinds(line: string, found: ReadonlyMap<string, TableMessage>): readonly TableKind[] {
  const [apiVersion = '', ...words] = line.split(' ');
  const home = apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`;
  return words.map((word) => {
    const [kind = '', message = `${home}.${kind}`] = word.split('=');
    const items = kind.endsWith('List') ? itemsOf(found.get(message)) : undefined;
    return { apiVersion, kind, message, ...(items === undefined ? {} : { items }) };
  });
}

function itemsOf(message: TableMessage | undefined): string | undefined {
  const items = message?.fields.find(({ number }) => number === 2);
  if (items?.json !== 'items' || items.shape !== 'slice') return undefined;
  return 'message' in items.element ? items.element.message : undefined;
}
