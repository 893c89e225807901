/** Reads the name of an object whose bytes are malformed further on. */
import { fieldsOf } from '../wire/field.ts';

/** Tags of strings and messages, which are equal in an object and its metadata. */
const metadataTag = 0x0a;
const nameTag = 0x0a;
const namespaceTag = 0x1a;

/** Identity of an object in a cache. */
export interface ObjectName {
  readonly name: string;
  readonly namespace: string | undefined;
}

/** Returns the name of an object, or `undefined` if it cannot be read. */
export function nameIn(bytes: Buffer, start: number, end: number): ObjectName | undefined {
  const texts = new Map<number, string>();
  for (const object of fieldsOf(bytes, start, end)) {
    if (object.tag !== metadataTag) continue;
    for (const field of fieldsOf(bytes, object.value, object.end))
      texts.set(field.tag, bytes.toString('utf8', field.value, field.end));
  }
  const name = texts.get(nameTag);
  return name ? { name, namespace: texts.get(namespaceTag) || undefined } : undefined;
}
