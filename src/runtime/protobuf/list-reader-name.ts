/** What an object is called whose bytes make no sense further on. */
import { fieldsOf } from './field.ts';

/** Tags of texts and messages: the same in an object and in its metadata. */
const METADATA = 0x0a;
const NAME = 0x0a;
const NAMESPACE = 0x1a;

/** By what a cache knows an object. */
export interface ObjectName {
  readonly name: string;
  readonly namespace: string | undefined;
}

/** The name of an object, as far as its bytes can be read; `undefined` where they do not say it. */
export function nameIn(bytes: Buffer, start: number, end: number): ObjectName | undefined {
  const texts = new Map<number, string>();
  for (const object of fieldsOf(bytes, start, end)) {
    if (object.tag !== METADATA) continue;
    for (const field of fieldsOf(bytes, object.value, object.end))
      texts.set(field.tag, bytes.toString('utf8', field.value, field.end));
  }
  const name = texts.get(NAME);
  return name ? { name, namespace: texts.get(NAMESPACE) || undefined } : undefined;
}
