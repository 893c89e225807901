/** Messages of a table as functions that run, without a module for them. */
import * as runtime from '../../runtime/gen/v1-protobuf.ts';
import { Reader } from '../../runtime/protobuf/reader.ts';
import type { Message, MessageCodec } from '../../runtime/protobuf/types.ts';
import { Writer } from '../../runtime/protobuf/writer.ts';
import type { Field, TableMessage } from '../protobuf/types.ts';
import { type MessageNames, messageText } from './protobuf-message.ts';

/** A field as most are: a value that is left out when it is empty. */
export function field(number: number, json: string | undefined, rest: Partial<Field>): Field {
  return { number, json, shape: 'value', omission: 'omitempty', element: { scalar: 'string' }, ...rest };
}

/** A message of the home `t/v1`. */
export function message(name: string, fields: readonly Field[], bare = false): TableMessage {
  return { home: 't/v1', name, fields, bare };
}

/** What tests do with one message. */
export interface Compiled {
  read(bytes: Iterable<number>, unknown?: 'keep' | 'refuse'): Message;
  write(object: unknown): number[];
}

/** The functions of the first message; the others are what it refers to. */
export function compile(...messages: readonly TableMessage[]): Compiled {
  const byRef = new Map(messages.map((one) => [`${one.home}.${one.name}`, one]));
  const names: MessageNames = {
    read: (ref) => `read${ref.split('.').at(-1)}`,
    write: (ref) => `write${ref.split('.').at(-1)}`,
    use: (name) => `runtime.${name}`,
    message: (ref) => byRef.get(ref),
  };
  const text = messages.map((one) => messageText(one, names, { form: 'js', exported: false })).join('\n');
  const name = messages[0]?.name ?? '';
  // seam: that is what the text defines.
  const codec = new Function('runtime', `${text}\nreturn { read: read${name}, write: write${name} };`)(
    // The runtime alone reads messages that have them.
    { ...runtime, readFieldsV1: runtime.readJSON, writeFieldsV1: runtime.writeJSON },
  ) as MessageCodec;
  return using(name, codec);
}

/** The same with functions that are there. */
export function using(name: string, { read, write }: MessageCodec): Compiled {
  return {
    read: (bytes, unknown = 'keep') => {
      const all = Uint8Array.from(bytes);
      return new Reader({ unknown }).read(read, all, 0, all.length, { kind: name });
    },
    write: (object) => {
      const writer = new Writer();
      writer.root(object, write);
      return [...writer.finish()];
    },
  };
}
