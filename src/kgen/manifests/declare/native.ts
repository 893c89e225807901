/**
 * The compiler of TypeScript 7, if the author's project has it: it reads several times faster than that of
 * ts-morph. Its interface is declared unstable, so every difference is a reason to use the other one.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ts } from 'ts-morph';
import { type Disk, systemDisk } from '../../input/modules/disk.ts';
import {
  type Compiler,
  type CompilerSymbols,
  type CompilerTypes,
  type FlagNumbers,
  type SymbolHandle,
  type Syntax,
  type TypeHandle,
  typeClasses,
} from './compiler.ts';

/** Parts of `typescript/unstable/sync`. */
interface NativeModule {
  readonly API: new (options: object) => NativeApi;
  readonly TypeFlags: FlagNumbers;
  readonly SymbolFlags: { readonly Alias: number; readonly Optional: number };
}

interface NativeApi {
  readonly updateSnapshot: (request: { readonly openProjects: readonly string[] }) => NativeSnapshot;
  readonly close: () => void;
}

interface NativeSnapshot {
  readonly getProject: (path: string) => NativeProject | undefined;
}

interface NativeProject {
  readonly program: NativeProgram;
  readonly checker: NativeChecker;
}

interface NativeProgram {
  readonly getSourceFile: (file: string) => ts.SourceFile | undefined;
  readonly getSyntacticDiagnostics: (file: string) => readonly NativeDiagnostic[];
  readonly getSemanticDiagnostics: (file: string) => readonly NativeDiagnostic[];
}

interface NativeDiagnostic {
  readonly pos: number;
  readonly text: string;
}

interface NativeType {
  readonly flags: number;
  readonly value?: string | number | boolean | bigint;
  readonly texts: readonly string[];
  readonly getTypes: () => readonly NativeType[];
  readonly getSymbol: () => NativeSymbol | undefined;
  readonly getAliasSymbol: () => NativeSymbol | undefined;
}

interface NativeSymbol {
  readonly name: string;
  readonly flags: number;
  readonly declarations: readonly { readonly resolve: () => ts.Node | undefined }[];
}

interface NativeChecker {
  readonly getSymbolAtLocation: (node: ts.Node) => NativeSymbol | undefined;
  readonly getAliasedSymbol: (symbol: NativeSymbol) => NativeSymbol;
  readonly getTypeFromTypeNode: (node: ts.TypeNode) => NativeType;
  readonly getTypeOfSymbol: (symbol: NativeSymbol) => NativeType;
  readonly getPropertiesOfType: (type: NativeType) => readonly NativeSymbol[];
  readonly getIndexInfosOfType: (
    type: NativeType,
  ) => readonly { readonly keyType: NativeType; readonly valueType: NativeType }[];
  readonly getTypeArguments: (type: NativeType) => readonly NativeType[];
  readonly getSignaturesOfType: (type: NativeType, kind: number) => readonly unknown[];
  readonly isArrayType: (type: NativeType) => boolean;
  readonly isTupleType: (type: NativeType) => boolean;
  readonly typeToString: (type: NativeType) => string;
}

/** TypeScript 7 of a project. */
export interface NativeInstallation {
  /** Path of its package.json. */
  readonly path: string;
  readonly version: string;
  /** Loads a module of the package. */
  readonly load: (specifier: string) => Promise<unknown>;
}

/** Returns the project's TypeScript; `undefined` if it has none with this interface. */
export function findNative(cwd: string): NativeInstallation | undefined {
  const require = createRequire(join(cwd, 'package.json'));
  try {
    const path = require.resolve('typescript/package.json');
    const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const { version } = manifest as { readonly version?: unknown }; // seam: package.json is an object
    if (typeof version !== 'string' || !version.startsWith('7.')) return undefined;
    require.resolve('typescript/unstable/sync');
    const load = (specifier: string): Promise<unknown> =>
      import(pathToFileURL(require.resolve(specifier)).href);
    return { path, version, load };
  } catch {
    return undefined; // The project has no TypeScript, or another one.
  }
}

/** A compiler that runs as a process of its own. */
export interface NativeCompiler extends Compiler {
  /** Ends the process. */
  readonly close: () => void;
}

/** Starts the compiler; `undefined` if the program cannot be opened. */
export async function nativeCompiler(
  files: readonly string[],
  cwd: string,
  { load }: NativeInstallation,
  disk: Disk = systemDisk,
): Promise<NativeCompiler | undefined> {
  // seam: the modules of TypeScript 7 have these members, or the compiler of ts-morph is used.
  const module = (await load('typescript/unstable/sync')) as NativeModule;
  const syntax = (await load('typescript/unstable/ast/is')) as Syntax; // seam: as above
  const config = join(cwd, 'kgen.manifests.tsconfig.json');
  const api = new module.API({ cwd, fs: withConfig(config, files, disk) });
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
  if (project === undefined) {
    api.close();
    return undefined;
  }
  const { program, checker } = project;
  return {
    syntax,
    close: () => api.close(),
    statementsOf: (file) => program.getSourceFile(file)?.statements,
    textOf: (file) => program.getSourceFile(file)?.text ?? '',
    placeOf: (node) => ({
      file: node.getSourceFile().fileName,
      start: node.getStart(),
      fullStart: node.getFullStart(),
    }),
    errorsIn: (file) =>
      [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
        ({ pos, text: message }) => ({ start: pos, message }),
      ),
    ...typesOf(checker, module),
    ...symbolsOf(checker, module),
  };
}

/** Returns files of the disk, and a configuration that extends the nearest one of the project. */
function withConfig(config: string, files: readonly string[], disk: Disk): object {
  const defaults = `${config}.defaults.json`;
  const own = nearestConfig(dirname(config), disk);
  const texts = new Map([
    [defaults, { compilerOptions: { target: 'es2022', module: 'nodenext' } }],
    [config, { extends: [defaults, ...own], compilerOptions, files, include: [], references: [] }],
  ]);
  return {
    readFile: (path: string) => {
      const text = texts.get(path);
      // Without a file, `undefined` would mean another look on the disk.
      return text === undefined ? (disk.readFile(path) ?? null) : JSON.stringify(text);
    },
    fileExists: (path: string) => texts.has(path) || disk.fileExists(path),
    directoryExists: disk.directoryExists,
    realpath: disk.realpath,
  };
}

function nearestConfig(folder: string, disk: Disk): readonly string[] {
  const path = join(folder, 'tsconfig.json');
  if (disk.fileExists(path)) return [path];
  return dirname(folder) === folder ? [] : nearestConfig(dirname(folder), disk);
}

const compilerOptions = {
  lib: ['es2022'],
  strict: true,
  noEmit: true,
  composite: false,
  incremental: false,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  types: [],
};

function typesOf(checker: NativeChecker, { TypeFlags }: NativeModule): CompilerTypes {
  const classOf = typeClasses(TypeFlags);
  return {
    typeOfNode: (node) => typeHandle(checker.getTypeFromTypeNode(node)),
    typeOfSymbol: (symbol) => typeHandle(checker.getTypeOfSymbol(symbolIn(symbol))),
    classOf: (type) => classOf(typeIn(type).flags),
    objectClassOf: (type) => {
      const of = typeIn(type);
      if (checker.isTupleType(of)) return 'tuple';
      if (checker.isArrayType(of)) return 'array';
      const isCallable = [0, 1].some((kind) => checker.getSignaturesOfType(of, kind).length > 0);
      return isCallable ? 'function' : 'plain';
    },
    literalOf: (type) => typeIn(type).value ?? '',
    membersOf: (type) => typeIn(type).getTypes().map(typeHandle),
    argumentsOf: (type) => checker.getTypeArguments(typeIn(type)).map(typeHandle),
    templateOf: (type) => {
      const of = typeIn(type);
      return { texts: of.texts, types: of.getTypes().map(typeHandle) };
    },
    propertiesOf: (type) => checker.getPropertiesOfType(typeIn(type)).map(symbolHandle),
    indexesOf: (type) =>
      checker
        .getIndexInfosOfType(typeIn(type))
        .map(({ keyType, valueType }) => [typeHandle(keyType), typeHandle(valueType)]),
    symbolOf: (type) => optional(typeIn(type).getSymbol()),
    aliasOf: (type) => optional(typeIn(type).getAliasSymbol()),
    printType: (type) => checker.typeToString(typeIn(type)),
  };
}

function symbolsOf(checker: NativeChecker, { SymbolFlags }: NativeModule): CompilerSymbols {
  return {
    nameOf: (symbol) => symbolIn(symbol).name,
    isOptional: (symbol) => (symbolIn(symbol).flags & SymbolFlags.Optional) !== 0,
    declarationsOf: (symbol) => symbolIn(symbol).declarations.flatMap((handle) => handle.resolve() ?? []),
    symbolAt: (node) => {
      const found = checker.getSymbolAtLocation(node);
      const isAlias = found !== undefined && (found.flags & SymbolFlags.Alias) !== 0;
      return optional(isAlias ? checker.getAliasedSymbol(found) : found);
    },
  };
}

// seam: handles are the compiler's own objects.
const typeIn = (handle: TypeHandle): NativeType => handle as never;
// seam: handles are the compiler's own objects.
const symbolIn = (handle: SymbolHandle): NativeSymbol => handle as never;
// seam: handles are the compiler's own objects.
const typeHandle = (type: NativeType): TypeHandle => type as never;
// seam: handles are the compiler's own objects.
const symbolHandle = (symbol: NativeSymbol): SymbolHandle => symbol as never;

function optional(symbol: NativeSymbol | undefined): SymbolHandle | undefined {
  return symbol === undefined ? undefined : symbolHandle(symbol);
}
