/** Compiler results for values: one line each, which compiles or does not. */
import { join } from 'node:path';
import ts from 'typescript';
import { programOf } from '../support/checker.ts';
import type { Project } from '../support/project.ts';
import type { Json } from './definitions.ts';

/** A value and the name of its expected type. */
export interface Claim {
  readonly type: string;
  readonly value: Json;
  /**
   * Compared part of the type, instead of its values: the names of its properties, or the literals at a path,
   * each as a key with the value 1.
   */
  readonly of?: 'names' | { readonly literalsAt: string };
}

/** Types by name, as expressions. */
export type Types = ReadonlyMap<string, string>;

/** `undefined` if the value has the type, otherwise the compiler's error. */
export type CompilerResult = string | undefined;

/**
 * Checks the same claims with the types of several sides, and returns the results by side. Modules are
 * resolved from the folder of the project.
 * @throws if a type does not exist
 */
export function compilerResults<Side extends string>(
  project: Project,
  sides: Readonly<Record<Side, Types>>,
  claims: readonly Claim[],
): Readonly<Record<Side, readonly CompilerResult[]>> {
  // seam: the types of Object.entries and Object.fromEntries do not keep the names of the keys
  const entries = Object.entries(sides) as [Side, Types][];
  project.write(new Map(entries.map(([side, types]) => [fileOf(side), textOf(types, claims)])));
  const program = programOf(
    project.folder,
    entries.map(([side]) => fileOf(side)),
    { declaration: false, isolatedDeclarations: false },
  );
  const compared = entries.map(([side, types]) => {
    const file = program.getSourceFile(join(project.folder, fileOf(side)));
    if (file === undefined) throw new Error(`${fileOf(side)} is not in the program`);
    return [side, compare(program, file, preludeOf(types), claims)] as const;
  });
  return Object.fromEntries(compared) as Record<Side, readonly CompilerResult[]>;
}

function fileOf(side: string): string {
  return `${side}.check.ts`;
}

function textOf(types: Types, claims: readonly Claim[]): string {
  const aliases = new Map([...types.keys()].map((name, at) => [name, `T${at}`]));
  const lines = claims.map(({ type, value, of }, at) => {
    const alias = aliases.get(type) ?? '';
    return `export const v${at}: ${of === undefined ? alias : keysOf(alias, of)} = ${JSON.stringify(value)};`;
  });
  return [...preludeOf(types), ...lines, ''].join('\n');
}

function keysOf(type: string, of: NonNullable<Claim['of']>): string {
  if (of === 'names') return `Keys<keyof ${type}>`;
  const steps = of.literalsAt.match(/\w+|\[\]|\{\}/g) ?? [];
  const place = steps.reduce((within, step) => {
    if (step === '[]') return `NonNullable<${within}>[number]`;
    return step === '{}' ? `NonNullable<${within}>[string]` : `Required<NonNullable<${within}>>['${step}']`;
  }, type);
  return `Keys<Literals<${place}>>`;
}

function preludeOf(types: Types): readonly string[] {
  return [
    'export type Keys<K extends PropertyKey> = { [key in K]: 1 };',
    // An open enumeration has `string & {}` beside its literals.
    'export type Literals<T> = T extends string ? (string & {} extends T ? never : T) : never;',
    ...[...types.values()].map((expression, at) => `export type T${at} = ${expression};`),
  ];
}

function compare(
  program: ts.Program,
  file: ts.SourceFile,
  prelude: readonly string[],
  claims: readonly Claim[],
): readonly CompilerResult[] {
  const found: CompilerResult[] = claims.map(() => undefined);
  const diagnostics = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  for (const { code, messageText, start = 0 } of diagnostics) {
    const text = `TS${code} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    const { line } = file.getLineAndCharacterOfPosition(start);
    if (line < prelude.length) throw new Error(`${prelude[line]} ${text}`);
    found[line - prelude.length] ??= text;
  }
  return found;
}
