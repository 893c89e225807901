/**
 * One generated module: declarations in order, and imports as symbols that are resolved when it is printed. A
 * module is printed as one `.ts` file, or as a `.js` file with its `.d.ts`.
 */
import { capitalise } from '../../common/words.ts';
import { breakLines, lineWidth } from './break-lines.ts';
import { quoted } from './literals.ts';
import { specifierBelow } from './paths.ts';
import type { RuntimeTypeName, RuntimeValue, StreamTypeName } from './symbols.ts';

/** A constant declaration. `docs` is empty or ends with a newline. */
export interface Constant {
  readonly docs: string;
  readonly name: string;
  readonly type: string;
  readonly value: string;
  /**
   * The value as written in TypeScript, where explicit type arguments save inference time. Default: `value`.
   */
  readonly typedValue?: string;
}

/** A class whose fields are set by its constructor. */
export interface Class {
  readonly docs: string;
  readonly name: string;
  readonly base: string;
  readonly fields: readonly {
    readonly docs: string;
    readonly name: string;
    readonly type: string;
    readonly value: string;
  }[];
  /** Parameters of the constructor that is implemented. */
  readonly parameters: readonly Parameter[];
  /** Signatures that callers see, in place of `parameters`. */
  readonly overloads?: readonly { readonly docs: string; readonly parameters: readonly Parameter[] }[];
}

/** Parameter of a constructor. */
export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
}

/** The printed files of a module. `js` is absent if the module has no code at run time. */
export interface Printed {
  readonly ts: string;
  readonly dts: string;
  readonly js?: string;
}

interface Imports {
  readonly values: Map<string, string>;
  readonly types: Map<string, string>;
}

/**
 * The printed forms of one declaration: types only, and code. A form that does not contain the declaration is
 * `''`.
 */
export interface PrintedForms {
  readonly ts: string;
  readonly dts: string;
  readonly js: string;
}

export class Module {
  /** Names in use: declarations of the module, and local names of its imports. */
  readonly #names: Set<string>;
  readonly #imports = new Map<string, Imports>();
  readonly #declarations: PrintedForms[] = [];
  readonly #runtime: string;

  /**
   * `declared`: every name that the module declares or re-exports. An import of such a name is given a
   * different local name.
   */
  constructor(runtime: string, declared: Iterable<string>) {
    this.#runtime = runtime;
    this.#names = new Set(declared);
  }

  /** Returns the local name of a type of the runtime. */
  runtimeType(name: RuntimeTypeName): string {
    return this.type(this.#runtime, name, `Runtime${name}`);
  }

  /** Returns the local name of a type of the streams of the runtime. */
  streamType(name: StreamTypeName): string {
    return this.type(specifierBelow(this.#runtime, 'streams'), name, `Runtime${name}`);
  }

  /** Returns the local name of a value of the runtime. */
  runtimeValue(name: RuntimeValue): string {
    return this.#use('values', this.#runtime, name, `runtime${capitalise(name)}`);
  }

  /**
   * Returns the local name of a type of another module: its own name, or `alias` if that is taken in this
   * module.
   */
  type(from: string, name: string, alias: string): string {
    return this.#use('types', from, name, alias);
  }

  /** Imports a type under its own name, because the module also re-exports it. */
  own(from: string, name: string): string {
    this.#importsOf(from).types.set(name, name);
    return name;
  }

  /**
   * Returns the local name of a value of another module: its own name, or `alias` if that is taken in this
   * module.
   */
  value(from: string, name: string, alias: string): string {
    return this.#use('values', from, name, alias);
  }

  /** Adds an interface, a type alias or a re-export of types. */
  declare(text: string): void {
    this.#declarations.push({ ts: text, dts: text, js: '' });
  }

  /** Adds a statement that is equal in all three forms, such as a re-export of values. */
  statement(text: string): void {
    this.#declarations.push({ ts: text, dts: text, js: text });
  }

  /** Re-exports types of another module under their names. */
  passOn(names: readonly string[], from: string): void {
    this.declare(`export type {\n${names.map((name) => `  ${name},\n`).join('')}} from ${quoted(from)};\n`);
  }

  /** Returns a name for a local declaration: `name`, with a number appended if it is taken. */
  local(name: string): string {
    return this.#free(name, name);
  }

  /** Adds declarations that are already printed in all three forms. */
  add(forms: PrintedForms): void {
    this.#declarations.push(forms);
  }

  /** Emits a JavaScript file even if the module has no other code, so that it can be imported. */
  keep(): void {
    this.#declarations.push({ ts: '', dts: '', js: 'export {};\n' });
  }

  constant({ docs, name, type, value, typedValue = value }: Constant): void {
    const head = `export const ${name}: ${type} =`;
    const [first = ''] = typedValue.split('\n');
    const fits = head.length + first.length < lineWidth;
    const indented = fits ? ` ${typedValue}` : `\n  ${typedValue.replaceAll('\n', '\n  ')}`;
    this.#declarations.push({
      ts: `${docs}${head}${indented};\n`,
      dts: `${docs}export declare const ${name}: ${type};\n`,
      js: `export const ${name} = ${value};\n`,
    });
  }

  class(declaration: Class): void {
    this.#declarations.push({
      ts: classText(declaration, 'ts'),
      dts: classText(declaration, 'dts'),
      js: classText(declaration, 'js'),
    });
  }

  /** Prints the module below `header`, a comment of whole lines. */
  print(header: string): Printed {
    const types = this.#importText('types');
    const values = this.#importText('values');
    const text = (form: keyof PrintedForms, imports: string): string => {
      const body = this.#declarations.map((forms) => forms[form]).filter((forms) => forms !== '');
      return `${header}${imports === '' ? '' : imports}\n${breakLines(body.join('\n'))}`;
    };
    const ts = text('ts', values + types);
    const declared = this.#declarations.map((forms) => forms.dts).join('\n');
    const dts = text('dts', this.#declarationImports(declared) + this.#importText('types', declared));
    return this.#declarations.some((forms) => forms.js !== '')
      ? { ts, dts, js: text('js', values) }
      : { ts, dts };
  }

  /** Returns the first free name of `name`, `alias`, and `alias` followed by a number. */
  #free(name: string, alias: string): string {
    let local = name;
    for (let count = 1; this.#names.has(local); count += 1) local = count === 1 ? alias : `${alias}${count}`;
    this.#names.add(local);
    return local;
  }

  #use(kind: keyof Imports, from: string, name: string, alias: string): string {
    const imports = this.#importsOf(from);
    const known = imports[kind].get(name);
    if (known !== undefined) return known;
    const local = this.#free(name, alias);
    imports[kind].set(name, local);
    return local;
  }

  #importsOf(from: string): Imports {
    const known = this.#imports.get(from);
    if (known !== undefined) return known;
    const imports: Imports = { values: new Map(), types: new Map() };
    this.#imports.set(from, imports);
    return imports;
  }

  /** `within`: import only the names that occur in this string. */
  #importText(kind: keyof Imports, within?: string): string {
    const keyword = kind === 'types' ? 'import type' : 'import';
    return [...this.#imports]
      .map(([from, imports]): [string, ReadonlyMap<string, string>] => [from, used(imports[kind], within)])
      .filter(([, names]) => names.size > 0)
      .sort(([a], [b]) => byDepth(a, b))
      .map(([from, names]) => importLine(keyword, names, from))
      .join('');
  }

  /** Returns the imports of a `.d.ts` that need values: those of base classes. */
  #declarationImports(bases: string): string {
    return [...this.#imports]
      .map(([from, imports]) => {
        const parents = [...imports.values].filter(([, local]) => bases.includes(`extends ${local} {`));
        return parents.length === 0 ? '' : importLine('import', new Map(parents), from);
      })
      .join('');
  }
}

function used(names: ReadonlyMap<string, string>, within: string | undefined): ReadonlyMap<string, string> {
  return within === undefined ? names : new Map([...names].filter(([, local]) => within.includes(local)));
}

function importLine(keyword: string, names: ReadonlyMap<string, string>, from: string): string {
  const list = [...names]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, local]) => (name === local ? name : `${name} as ${local}`));
  const line = `${keyword} { ${list.join(', ')} } from ${quoted(from)};\n`;
  if (line.length <= lineWidth + 1) return line;
  return `${keyword} {\n${list.map((name) => `  ${name},\n`).join('')}} from ${quoted(from)};\n`;
}

/** Orders packages first, then modules in parent folders, then siblings. Ties are sorted alphabetically. */
function byDepth(a: string, b: string): number {
  const rank = (from: string): number => (from.startsWith('../') ? 1 : from.startsWith('.') ? 2 : 0);
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

function classText(declaration: Class, form: keyof PrintedForms): string {
  const { name, base, fields, parameters, overloads = [] } = declaration;
  const docs = form === 'js' ? '' : declaration.docs;
  const typed = typedParameters(parameters);
  const signatures = overloads.map(
    (one) => `${one.docs}  constructor(${typedParameters(one.parameters)});\n`,
  );
  const names = parameters.map((parameter) => parameter.name).join(', ');
  const head = `${docs}export ${form === 'dts' ? 'declare ' : ''}class ${name} extends ${base} {\n`;
  const members = fields.map((field) =>
    form === 'js' ? `  ${field.name};\n` : `${field.docs}  readonly ${field.name}: ${field.type};\n`,
  );
  const shown = signatures.length > 0 ? signatures.join('') : `  constructor(${typed});\n`;
  if (form === 'dts') return `${head}${members.join('')}${shown}}\n`;
  const sets = fields.map((field) => `    this.${field.name} = ${field.value};\n`).join('');
  const before = form === 'js' ? '' : signatures.join('');
  const open = `${before}  constructor(${form === 'js' ? names : typed}) {\n    super(${names});\n`;
  return `${head}${members.join('')}${members.length > 0 ? '\n' : ''}${open}${sets}  }\n}\n`;
}

function typedParameters(parameters: Class['parameters']): string {
  return parameters.map(({ name, type, optional }) => `${name}${optional ? '?' : ''}: ${type}`).join(', ');
}
