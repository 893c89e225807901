/** Reads the custom resources that the modules of an author declare. */

import { basename, relative, resolve } from 'node:path';
import { type JsonObject, text } from '@kgen/schema/values/json';
import type { ts } from 'ts-morph';
import { append, error, hasErrors, type InputProblem, type SourcePlace } from '../common/problems.ts';
import type { CrdInput } from '../input/crd/crd-input.ts';
import { readDefinition } from '../input/crd/definition.ts';
import { declaresKnownTypes } from '../notation/known-types.ts';
import type { Compiler } from './declare/compiler.ts';
import { isGenerated } from './declare/notes.ts';
import { TypeReader } from './declare/read-type.ts';
import { type BuiltDefinition, buildDefinition, placeIn } from './definition/definition.ts';
import { evaluate, isNamed, pathKey } from './definition/evaluate.ts';
import { declaredSchema } from './schema/json-schema.ts';
import { Places } from './schema/places.ts';
import { type RunSchema, runSchemas } from './schema/run-schemas.ts';
import { kindSchema, type WrittenSchema } from './schema/write-schema.ts';

/** A custom resource that a module declares. */
export interface ReadApi extends Pick<BuiltDefinition, 'value' | 'places'> {
  /** Path of the module, as in messages. */
  readonly file: string;
}

/** Result of reading. */
export interface ReadApis {
  readonly apis: readonly ReadApi[];
  /** Whether a module was run, whose result may depend on anything. */
  readonly hasRun: boolean;
  readonly problems: readonly InputProblem[];
}

/**
 * Returns the custom resources that modules export by default. Modules without a call of `api` are parts of
 * others.
 * @param files absolute paths
 */
export async function readApis(files: readonly string[], compiler: Compiler, cwd: string): Promise<ReadApis> {
  const roots = new Set(files.map((file) => resolve(file)));
  const isOwn = (file: string): boolean => roots.has(resolve(file)) || !isForeign(file, compiler);
  const reader = new TypeReader({ compiler, cwd, isOwn });
  const problems: InputProblem[] = [];
  const apis: ReadApi[] = [];
  let runs = false;
  for (const file of files) {
    const errors = compiler
      .errorsIn(file)
      .map(({ start, message }) => error(message, reader.notes.placeAt(file, start)));
    append(problems, errors);
    const call = errors.length > 0 ? undefined : apiCall(file, compiler);
    if (call === undefined) continue;
    const { hasRun, ...built } = await readApi(call, file, { compiler, reader, cwd });
    const { value, places, problems: found } = built;
    runs = runs || hasRun;
    const api = { value, places, file: places.file };
    append(problems, hasErrors(found) ? found : refusals(api));
    apis.push(api);
  }
  return { apis, hasRun: runs, problems: [...problems, ...clashes(apis)] };
}

/** Types of packages, and those that kgen has written, are described elsewhere. */
function isForeign(file: string, compiler: Compiler): boolean {
  if (/[\\/]node_modules[\\/]|\.d\.[cm]?ts$/.test(file) || declaresKnownTypes(file)) return true;
  return isGenerated(compiler.textOf(file));
}

/** Returns the argument of the call of `api` that a module exports by default. */
function apiCall(file: string, compiler: Compiler): ts.Expression | undefined {
  const { syntax } = compiler;
  for (const statement of compiler.statementsOf(file) ?? []) {
    if (!syntax.isExportAssignment(statement)) continue;
    const { expression } = statement;
    if (syntax.isCallExpression(expression) && isNamed(expression.expression, 'api', syntax))
      return expression.arguments[0];
  }
  return undefined;
}

interface Reading {
  readonly compiler: Compiler;
  readonly reader: TypeReader;
  readonly cwd: string;
}

async function readApi(
  node: ts.Expression,
  path: string,
  { compiler, reader, cwd }: Reading,
): Promise<BuiltDefinition & Pick<ReadApis, 'hasRun'>> {
  const declaration = evaluate(node, compiler, reader.notes);
  const file = shownPath(path, cwd);
  const hasRun = [...declaration.versions.values()].some(({ schema }) => schema !== undefined);
  const run = hasRun ? await runSchemas(path, file) : { value: new Map<string, RunSchema>(), problems: [] };
  const schemaOf = (name: string): WrittenSchema => {
    const call = declaration.versions.get(pathKey(['versions', name]));
    if (call?.schema !== undefined)
      return runSchema(run.value.get(name), call.schema, run.problems.length > 0);
    if (call?.type !== undefined) return kindSchema(reader.read(call.type));
    return { schema: { type: 'object' }, places: declaration.places, problems: [] };
  };
  const built = buildDefinition(declaration, schemaOf, file);
  return { ...built, hasRun, problems: [...declaration.problems, ...run.problems, ...built.problems] };
}

function runSchema(found: RunSchema | undefined, place: SourcePlace, isFailed: boolean): WrittenSchema {
  if (found !== undefined && 'schema' in found) return kindSchema(declaredSchema(found.schema, place));
  const fault =
    found?.fault ?? 'the argument of version has no JSON schema: use Zod 4.2 or later, ArkType, or a type';
  const problems = isFailed ? [] : [error(fault, place)];
  return { schema: { type: 'object' }, places: new Places(), problems };
}

function shownPath(file: string, cwd: string): string {
  return relative(cwd, file).replaceAll('\\', '/') || basename(file);
}

/** Returns an error for each rule of API servers that a definition violates. */
function refusals({ value, places, file }: ReadApi): readonly InputProblem[] {
  const position: CrdInput['position'] = (path) => placeIn(places, path);
  const input: CrdInput = { value, file, position, isDeclared: true };
  return readDefinition(input).problems.map(({ what, where }) => error(what, where));
}

function clashes(apis: readonly ReadApi[]): readonly InputProblem[] {
  const names = new Map<string, ReadApi>();
  return apis.flatMap((api) => {
    const name = nameOf(api.value);
    const first = names.get(name);
    names.set(name, first ?? api);
    if (first === undefined) return [];
    return [
      error(
        `${name} is declared in ${first.file} already: merge the versions into one api`,
        placeIn(api.places, []),
      ),
    ];
  });
}

/** Returns the name of a definition. */
export function nameOf(definition: JsonObject): string {
  return text(definition, 'metadata', 'name');
}
