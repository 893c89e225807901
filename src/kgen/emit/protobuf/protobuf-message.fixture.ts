/** Compiles messages of a table into functions, without a module. */
import * as runtime from '../../../runtime/exports/gen/v1-protobuf.ts';
import type { Message, MessageCodec } from '../../../runtime/protobuf/types.ts';
import { Reader } from '../../../runtime/protobuf/wire/reader.ts';
import { Writer } from '../../../runtime/protobuf/wire/writer.ts';
import type { Field, TableMessage } from '../../protobuf/types.ts';
import { type MessageNames, messageText } from './protobuf-message.ts';

/** Returns a field with the usual rules: it is omitted if it is empty. */
export function field(number: number, json: string | undefined, rest: Partial<Field>): Field {
  return { number, json, shape: 'value', omission: 'omitempty', element: { scalar: 'string' }, ...rest };
}

/** Returns a message of the home `t/v1`. */
export function message(name: string, fields: readonly Field[], bare = false): TableMessage {
  return { home: 't/v1', name, fields, bare };
}

/** Operations that tests run on one message. */
export interface Compiled {
  read(bytes: Iterable<number>, unknown?: 'keep' | 'refuse'): Message;
  write(object: unknown): number[];
}

/** Returns the functions of the first message. The other messages are the ones that it refers to. */
export function compile(...messages: readonly TableMessage[]): Compiled {
  const byRef = new Map(messages.map((one) => [`${one.home}.${one.name}`, one]));
  const names: MessageNames = {
    read: (ref) => `read${ref.split('.').at(-1)}`,
    write: (ref) => `write${ref.split('.').at(-1)}`,
    use: (name) => `runtime.${name}`,
    local: (name) => name,
    message: (ref) => byRef.get(ref),
  };
  const text = messages.map((one) => messageText(one, names, { form: 'js', exported: false })).join('\n');
  const name = messages[0]?.name ?? '';
  // seam: the generated code defines these functions.
  const codec = new Function('runtime', `${text}\nreturn { read: read${name}, write: write${name} };`)(
    // Only the runtime reads messages with these fields.
    { ...runtime, readFieldsV1: runtime.readJSON, writeFieldsV1: runtime.writeJSON },
  ) as MessageCodec;
  return using(name, codec);
}

/** Returns the operations for existing functions. */
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
