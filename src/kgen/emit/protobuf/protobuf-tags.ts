/** Functions that the code of a message calls for its fields. */
import type { Element, Field, Scalar } from '../../protobuf/types.ts';
import type { MessageNames } from './protobuf-message.ts';

/** Wire types of scalars: 0 is a varint, 1 is eight bytes, 2 is a length and bytes. */
const wireTypes: Readonly<Record<Scalar, number>> = {
  int32: 0,
  int64: 0,
  bool: 0,
  double: 1,
  string: 2,
  bytes: 2,
};

/** Returns the tag of a field: its number times 8, plus its wire type. */
export function tagOf({ number, element, shape }: Pick<Field, 'number' | 'element' | 'shape'>): number {
  const wireType = 'scalar' in element && shape !== 'map' ? wireTypes[element.scalar] : 2;
  return number * 8 + wireType;
}

/** Names in the module that is being printed, and the folder of its message. */
export interface MessageScope {
  readonly names: MessageNames;
  readonly home: string;
}

/** Names of the constants of a message: the list of its field names, and the class of its objects. */
export interface MessageHead {
  readonly fields: string;
  readonly shape: string;
}

/** Returns the function that reads or writes a length-delimited element. */
export function functionOf(verb: 'read' | 'write', element: Element, { names, home }: MessageScope): string {
  if ('message' in element) return names[verb](element.message);
  if ('scalar' in element) return names.use(`${verb}Bytes`);
  const own = names.use(`${verb}${element.special}`);
  // These types contain schemas, which are messages of the same home.
  return element.special.startsWith('JSONSchema') ? `${own}(${names[verb](`${home}.JSONSchemaProps`)})` : own;
}

/** Returns whether a value is a string. Strings have dedicated functions everywhere. */
export function isText(element: Element): boolean {
  return 'scalar' in element && element.scalar === 'string';
}
