/** Functions that read and write one message of Kubernetes Protobuf. */
import { capitalise, lowerAcronym } from '../../common/words.ts';
import type { TableMessage } from '../../protobuf/types.ts';
import { lineWidth } from '../text/break-lines.ts';
import { quoted } from '../text/literals.ts';
import { readStatements } from './protobuf-message-read.ts';
import { writeStatements } from './protobuf-message-write.ts';

/** Names of functions in the module that is being printed. Requesting a name records that it is used. */
export interface MessageNames {
  /** Returns the name of the function that reads a message, by its key in the table. */
  read(ref: string): string;
  /** Returns the name of the function that writes a message, by its key in the table. */
  write(ref: string): string;
  /** Returns the local name of a value of the runtime's codec module. */
  use(runtimeName: string): string;
  /** Returns a name for a constant of the module: `name`, with a number appended if it is taken. */
  local(name: string): string;
  message(ref: string): TableMessage | undefined;
}

/** Selects the printed form. */
export interface MessageForm {
  /** `dts` contains only the signatures of exported declarations. */
  readonly form: 'ts' | 'js' | 'dts';
  readonly exported: boolean;
}

/**
 * Returns the code of `readX` and `writeX` for a message, and of two constants that are not exported:
 * `xFields` with the names of its fields, and `XShape`, the class of its objects.
 */
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
  const head = {
    fields: names.local(`${lowerAcronym(message.name)}Fields`),
    shape: names.local(`${capitalise(message.name)}Shape`),
  };
  const bodies = [readStatements(message, head, names), writeStatements(message, head.fields, names)];
  const prefix = exported ? 'export ' : '';
  const text = [
    `const ${head.fields} =${joined(fieldNames(message))};\n`,
    hasShape(message) ? `const ${head.shape} = /* @__PURE__ */ ${names.use('objectClass')}();\n` : '',
    ...heads.map((head, index) => `\n${prefix}${head} {\n${lines(bodies[index] ?? [])}}\n`),
  ].join('');
  return form === 'ts' ? text : withoutTypes(text);
}

/** Messages that are inlined into their parent use the parent's object. */
function hasShape({ fields, bare }: TableMessage): boolean {
  return !bare && fields.every(({ json }) => json !== undefined);
}

function lines(statements: readonly string[]): string {
  return statements.map((statement) => `  ${statement}\n`).join('');
}

/**
 * Returns the names of the fields for error messages. An asterisk marks lists. A field that is inlined into
 * its parent has no name.
 */
function fieldNames({ fields }: TableMessage): string {
  return fields
    .map(({ number, json = '', shape }) => `${number} ${json}${shape === 'slice' ? '*' : ''}`)
    .join(',');
}

/** Returns a string as one literal, or as the sum of literals of one line each. */
function joined(names: string): string {
  const lines: string[] = [];
  for (const name of names.split(/(?<=,)/)) {
    const line = (lines.at(-1) ?? '') + name;
    if (lines.length > 0 && line.length <= lineWidth - 8) lines[lines.length - 1] = line;
    else lines.push(name);
  }
  const [only = ''] = lines;
  return lines.length < 2 ? ` ${quoted(only)}` : `\n  ${lines.map(quoted).join(' +\n  ')}`;
}

/** Matches all type annotations that occur in the printed code. */
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
