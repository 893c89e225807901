/** The compiler of ts-morph, which does not depend on the author's version of TypeScript. */
import { ts } from 'ts-morph';
import { compilerHost, type ParsedFiles } from '../../codemod/compiler-host.ts';
import { optionsOf } from '../../codemod/project.ts';
import { type Disk, systemDisk } from '../../input/modules/disk.ts';
import {
  type Compiler,
  type CompilerSymbols,
  type CompilerTypes,
  type ObjectClass,
  type SymbolHandle,
  type TypeHandle,
  typeClasses,
} from './compiler.ts';

/** Files of a program. */
export interface MorphFiles {
  /** Modules whose types are read. */
  readonly modules: readonly string[];
  /** Modules of the operator. */
  readonly program: readonly string[];
  readonly cwd: string;
  readonly disk: Disk;
  /** Files of earlier programs, which are not parsed again. */
  readonly parsed?: ParsedFiles;
}

/** Creates a program with the options of the nearest tsconfig.json. */
export function morphProgram({ modules, program, cwd, disk, parsed }: MorphFiles): ts.Program {
  const options: ts.CompilerOptions = {
    ...optionsOf(cwd, disk),
    strict: true,
    composite: false,
    incremental: false,
    allowImportingTsExtensions: true,
    // Types of resources need no libraries beside those of the language; a program has its own.
    ...(program.length === 0 && { lib: ['lib.es2022.d.ts'], types: [] }),
  };
  return ts.createProgram([...modules, ...program], options, compilerHost(options, disk, parsed));
}

/** Creates a program for modules. */
export function morphCompiler(modules: readonly string[], cwd: string): Compiler {
  return compilerOf(morphProgram({ modules, program: [], cwd, disk: systemDisk }));
}

/** Returns the compiler of a program. */
export function compilerOf(program: ts.Program): Compiler {
  const source = (file: string): ts.SourceFile | undefined => program.getSourceFile(file);
  const checker = program.getTypeChecker();
  return {
    syntax: ts,
    statementsOf: (file) => source(file)?.statements,
    textOf: (file) => source(file)?.text ?? '',
    placeOf: (node) => ({
      file: node.getSourceFile().fileName,
      start: node.getStart(),
      fullStart: node.getFullStart(),
    }),
    errorsIn: (file) => {
      const of = source(file);
      const found = [...program.getSyntacticDiagnostics(of), ...program.getSemanticDiagnostics(of)];
      return found.map(({ start = 0, messageText }) => ({
        start,
        message: ts.flattenDiagnosticMessageText(messageText, ' '),
      }));
    },
    ...typesOf(checker),
    ...symbolsOf(checker),
  };
}

function typesOf(checker: ts.TypeChecker): CompilerTypes {
  return {
    typeOfNode: (node) => typeHandle(checker.getTypeFromTypeNode(node)),
    typeOfSymbol: (symbol) => typeHandle(checker.getTypeOfSymbol(symbolIn(symbol))),
    classOf: (type) => classOf(typeIn(type).flags),
    objectClassOf: (type) => objectClassOf(typeIn(type), checker),
    literalOf: (type) => literalOf(typeIn(type), checker),
    membersOf: (type) => {
      const of = typeIn(type);
      return of.isUnionOrIntersection() ? of.types.map(typeHandle) : [];
    },
    // seam: the arguments of a type that is not a reference are not requested.
    argumentsOf: (type) => checker.getTypeArguments(typeIn(type) as ts.TypeReference).map(typeHandle),
    templateOf: (type) => {
      const { texts, types } = typeIn(type) as ts.TemplateLiteralType; // seam: its class is `template`.
      return { texts, types: types.map(typeHandle) };
    },
    propertiesOf: (type) => checker.getPropertiesOfType(typeIn(type)).map(symbolHandle),
    indexesOf: (type) =>
      checker
        .getIndexInfosOfType(typeIn(type))
        .map(({ keyType, type: values }) => [typeHandle(keyType), typeHandle(values)]),
    symbolOf: (type) => optional(typeIn(type).getSymbol()),
    aliasOf: (type) => optional(typeIn(type).aliasSymbol),
    printType: (type) => checker.typeToString(typeIn(type)),
  };
}

function symbolsOf(checker: ts.TypeChecker): CompilerSymbols {
  return {
    nameOf: (symbol) => ts.symbolName(symbolIn(symbol)),
    isOptional: (symbol) => (symbolIn(symbol).flags & ts.SymbolFlags.Optional) !== 0,
    declarationsOf: (symbol) => symbolIn(symbol).declarations ?? [],
    symbolAt: (node) => {
      const found = checker.getSymbolAtLocation(node);
      const isAlias = found !== undefined && (found.flags & ts.SymbolFlags.Alias) !== 0;
      return optional(isAlias ? checker.getAliasedSymbol(found) : found);
    },
  };
}

// seam: handles are the compiler's own objects.
const typeIn = (handle: TypeHandle): ts.Type => handle as never;
// seam: handles are the compiler's own objects.
const symbolIn = (handle: SymbolHandle): ts.Symbol => handle as never;
// seam: handles are the compiler's own objects.
const typeHandle = (type: ts.Type): TypeHandle => type as never;
// seam: handles are the compiler's own objects.
const symbolHandle = (symbol: ts.Symbol): SymbolHandle => symbol as never;

function optional(symbol: ts.Symbol | undefined): SymbolHandle | undefined {
  return symbol === undefined ? undefined : symbolHandle(symbol);
}

const classOf = typeClasses(ts.TypeFlags);

function objectClassOf(type: ts.Type, checker: ts.TypeChecker): ObjectClass {
  if (checker.isTupleType(type)) return 'tuple';
  if (checker.isArrayType(type)) return 'array';
  const isCallable = type.getCallSignatures().length + type.getConstructSignatures().length > 0;
  return isCallable ? 'function' : 'plain';
}

function literalOf(type: ts.Type, checker: ts.TypeChecker): string | number | boolean | bigint {
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
  const text = checker.typeToString(type);
  return /^-?\d+n$/.test(text) ? BigInt(text.slice(0, -1)) : text === 'true';
}
