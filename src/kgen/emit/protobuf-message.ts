/** The functions that read and write one message of Kubernetes' protobuf. */
import type { TableMessage } from '../protobuf/types.ts';
import { quoted } from './literals.ts';
import { readStatements } from './protobuf-message-read.ts';
import { writeStatements } from './protobuf-message-write.ts';

/** What functions are called where the text stands. Asking for a name notes that it is used. */
export interface MessageNames {
  /** The function that reads a message of the table, by its key there. */
  read(ref: string): string;
  /** The function that writes one. */
  write(ref: string): string;
  /** A value of the runtime's door for codecs. */
  use(runtimeName: string): string;
  message(ref: string): TableMessage | undefined;
}

/** Which text is wanted. */
export interface MessageForm {
  /** `dts` has the heads alone, and nothing of what is not exported. */
  readonly form: 'ts' | 'js' | 'dts';
  readonly exported: boolean;
}

/** The text of `readX` and `writeX` for a message, and of a constant with the names of its fields, which is not exported. */
export function messageText(
  message: TableMessage,
  names: MessageNames,
  { form, exported }: MessageForm,
): string {
  const ref = `${message.home}.${message.name}`;
  const [read, write] = [names.read(ref), names.write(ref)];
  const [value, result] = message.bare ? ['list: unknown', 'unknown[]'] : ['m: Message', 'Message'];
  const heads = [
    `function ${read}(r: Reader, end: number): ${result}`,
    `function ${write}(w: Writer, ${value}): number`,
  ];
  if (form === 'dts') return exported ? heads.map((head) => `export declare ${head};\n`).join('') : '';
  const head = { fields: `${read}Fields`, shape: `${read}Shape` };
  const bodies = [readStatements(message, head, names), writeStatements(message, head.fields, names)];
  const prefix = exported ? 'export ' : '';
  const text = [
    `const ${head.fields} = ${quoted(fieldNames(message))};\n`,
    hasShape(message) ? `const ${head.shape} = /* @__PURE__ */ ${names.use('shape')}();\n` : '',
    ...heads.map((head, index) => `\n${prefix}${head} {\n${lines(bodies[index] ?? [])}}\n`),
  ].join('');
  return form === 'ts' ? text : withoutTypes(text);
}

/** Messages that hold others in their own place take the objects of these. */
function hasShape({ fields, bare }: TableMessage): boolean {
  return !bare && fields.every(({ json }) => json !== undefined);
}

function lines(statements: readonly string[]): string {
  return statements.map((statement) => `  ${statement}\n`).join('');
}

/** What errors call the fields: a star marks lists. What stands in its parent has no name. */
function fieldNames({ fields }: TableMessage): string {
  return fields
    .map(({ number, json = '', shape }) => `${number} ${json}${shape === 'slice' ? '*' : ''}`)
    .join(',');
}

/** All annotations that the texts here have. */
const annotation =
  /\??: (?:Reader|Writer|Message|number|unknown|string)(?:\[\])?(?: \| undefined)?(?=[,)=; ])/g;

function withoutTypes(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      /^(?:export )?function |^ {2}(?:let|const) /.test(line) ? line.replaceAll(annotation, '') : line,
    )
    .join('\n');
}
