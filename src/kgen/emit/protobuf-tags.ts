/** What the functions of a message call for its fields. */
import type { Element, Field, Scalar } from '../protobuf/types.ts';
import type { MessageNames } from './protobuf-message.ts';

/** How the values of a scalar are written: 0 is a varint, 1 eight bytes, 2 a length and bytes. */
const wireTypes: Readonly<Record<Scalar, number>> = {
  int32: 0,
  int64: 0,
  bool: 0,
  double: 1,
  string: 2,
  bytes: 2,
};

/** The tag of a field: its number times 8, and how its value is written. */
export function tagOf({ number, element, shape }: Pick<Field, 'number' | 'element' | 'shape'>): number {
  const wireType = 'scalar' in element && shape !== 'map' ? wireTypes[element.scalar] : 2;
  return number * 8 + wireType;
}

/** Where a text stands: what others are called there, and the folder of its message. */
export interface MessageScope {
  readonly names: MessageNames;
  readonly home: string;
}

/** What the constants of a message are called: with the names of its fields, and with the class of its objects. */
export interface MessageHead {
  readonly fields: string;
  readonly shape: string;
}

/** The function that reads or writes an element whose bytes have a length. */
export function functionOf(verb: 'read' | 'write', element: Element, { names, home }: MessageScope): string {
  if ('message' in element) return names[verb](element.message);
  if ('scalar' in element) return names.use(`${verb}Bytes`);
  const own = names.use(`${verb}${element.special}`);
  // They hold schemas, which are messages of the same home.
  return element.special.startsWith('JSONSchema') ? `${own}(${names[verb](`${home}.JSONSchemaProps`)})` : own;
}

/** Whether a value is text: that has functions of its own everywhere. */
export function isText(element: Element): boolean {
  return 'scalar' in element && element.scalar === 'string';
}
