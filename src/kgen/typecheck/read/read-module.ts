/**
 * Reads the exports of an output's modules from their source text. Works on syntax only: no type is resolved.
 */
import { posix } from 'node:path';
import type { ts } from 'ts-morph';
import { readFacts } from './read-facts.ts';
import { isDeprecated, type Reading, readMembers, readSignature, readType } from './read-types.ts';
import type { Declaration, Member, Module, Tree } from './tree.ts';

/** Extensions of TypeScript and JavaScript. The module is the path without them. */
const ending = /(?:\.d)?\.[cm]?[tj]s$/;

/**
 * Returns the module of a file: its folder for the files of a group version, otherwise its path. Returns
 * `undefined` for other files, and for codecs and schemas, which only descriptors load.
 */
export function moduleOf(path: string): string | undefined {
  if (!ending.test(path)) return undefined;
  const stem = path.replace(ending, '');
  const folder = posix.dirname(stem);
  if (folder !== '.' && /\/(?:protobuf|schemas)$/.test(stem)) return undefined;
  return folder !== '.' && /\/(?:index|types)$/.test(stem) ? folder : stem;
}

/**
 * Returns all exports of the files of one module. Values of a `.js` file are merged with the types of its
 * `.d.ts`.
 */
export function readModule(compiler: typeof ts, files: ReadonlyMap<string, string>): Module {
  const module = new Map<string, Declaration>();
  for (const [path, text] of files) {
    const options = {
      languageVersion: compiler.ScriptTarget.ES2022,
      jsDocParsingMode: compiler.JSDocParsingMode.ParseNone,
    };
    const file = compiler.createSourceFile(path, text, options);
    const reading = readingOf(compiler, path, file);
    const isCode = path.endsWith('.js');
    for (const statement of file.statements) {
      for (const declaration of readStatement(statement, reading)) {
        if (!isCode || declaration.kind === 'constant') add(module, declaration);
      }
    }
  }
  return module;
}

function add(module: Map<string, Declaration>, declaration: Declaration): void {
  const key = keyOfName(declaration);
  const known = module.get(key);
  module.set(key, known === undefined ? declaration : join(known, declaration));
}

/** Types and values have separate namespaces. A class is listed with the values. */
function keyOfName({ kind, name }: Declaration): string {
  const isValue = kind === 'constant' || kind === 'function' || kind === 'class';
  return `${isValue ? 'value' : 'type'} ${name}`;
}

/** Merges a `.d.ts` with its `.js`, or the overloads of a function. */
function join(known: Declaration, other: Declaration): Declaration {
  if (!('facts' in known) || !('facts' in other)) return known;
  const deprecated = known.deprecated || other.deprecated;
  const facts = new Map([...known.facts, ...other.facts]);
  if (known.type?.is === 'calls' && other.type?.is === 'calls') {
    const signatures = [...known.type.signatures, ...other.type.signatures];
    return { ...known, deprecated, type: { is: 'calls', signatures } };
  }
  const type = known.type ?? other.type;
  return { kind: known.kind, name: known.name, deprecated, facts, ...(type === undefined ? {} : { type }) };
}

/** Resolves the names of a file. Imported names resolve to the module that declares them. */
function readingOf(compiler: typeof ts, path: string, file: ts.SourceFile): Reading {
  const own = moduleOf(path) ?? path;
  const idIn = (specifier: string, name: string): string => `${target(path, specifier)}#${name}`;
  const imports = new Map<string, { readonly id: string; readonly name: string }>();
  for (const statement of file.statements) {
    if (!compiler.isImportDeclaration(statement) || !compiler.isStringLiteral(statement.moduleSpecifier))
      continue;
    const from = statement.moduleSpecifier.text;
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined) continue;
    if (compiler.isNamespaceImport(bindings)) {
      imports.set(bindings.name.text, { id: idIn(from, ''), name: bindings.name.text });
      continue;
    }
    for (const { name, propertyName = name } of bindings.elements) {
      imports.set(name.text, { id: idIn(from, propertyName.text), name: propertyName.text });
    }
  }
  return { compiler, file, idIn, idOf: (name) => imports.get(name) ?? { id: `${own}#${name}`, name } };
}

/** Every specifier outside of an output is the runtime, wherever users install it. */
function target(path: string, specifier: string): string {
  if (!specifier.startsWith('.')) return 'runtime';
  const stem = posix.join(posix.dirname(path), specifier);
  if (stem.startsWith('..')) return 'runtime';
  return moduleOf(ending.test(stem) ? stem : `${stem}.ts`) ?? stem;
}

function readStatement(node: ts.Statement, reading: Reading): readonly Declaration[] {
  const { compiler } = reading;
  if (compiler.isExportDeclaration(node)) return readExports(node, reading);
  if (!isExported(node, reading)) return [];
  if (compiler.isInterfaceDeclaration(node)) return [readInterface(node, 'interface', reading)];
  if (compiler.isClassDeclaration(node)) return [readInterface(node, 'class', reading)];
  if (compiler.isTypeAliasDeclaration(node)) return [readAlias(node, reading)];
  if (compiler.isFunctionDeclaration(node)) {
    const type: Tree = { is: 'calls', signatures: [readSignature(node, reading)] };
    const name = node.name?.text ?? 'default';
    return [{ kind: 'function', name, deprecated: isDeprecated(node, reading), type, facts: new Map() }];
  }
  if (!compiler.isVariableStatement(node)) return [];
  const deprecated = isDeprecated(node, reading);
  return node.declarationList.declarations.map((one) => readConstant(one, deprecated, reading));
}

function isExported(node: ts.Statement, { compiler }: Reading): boolean {
  const modifiers = compiler.canHaveModifiers(node) ? (compiler.getModifiers(node) ?? []) : [];
  return modifiers.some(({ kind }) => kind === compiler.SyntaxKind.ExportKeyword);
}

function readInterface(
  node: ts.InterfaceDeclaration | ts.ClassDeclaration,
  kind: 'interface' | 'class',
  reading: Reading,
): Declaration {
  const clauses: readonly ts.HeritageClause[] = node.heritageClauses ?? [];
  return {
    kind,
    name: node.name?.text ?? 'default',
    deprecated: isDeprecated(node, reading),
    members: readMembers(node.members, reading),
    bases: clauses.flatMap(({ types }) => types.map((type) => readType(type, reading))),
    parameters: parametersOf(node, reading),
  };
}

/** An alias of an object type is an interface to its users. */
function readAlias(node: ts.TypeAliasDeclaration, reading: Reading): Declaration {
  const type = readType(node.type, reading);
  const head = {
    name: node.name.text,
    deprecated: isDeprecated(node, reading),
    parameters: parametersOf(node, reading),
  };
  if (type.is === 'object') return { kind: 'interface', ...head, members: type.members, bases: [] };
  return { kind: 'type', ...head, type };
}

function parametersOf(
  { typeParameters = [] }: { readonly typeParameters?: readonly ts.TypeParameterDeclaration[] | undefined },
  { file }: Reading,
): string {
  return typeParameters.map((one) => one.getText(file).replace(/\s+/g, ' ')).join(', ');
}

function readConstant(node: ts.VariableDeclaration, deprecated: boolean, reading: Reading): Declaration {
  const facts = node.initializer === undefined ? new Map() : readFacts(node.initializer, reading);
  const name = node.name.getText(reading.file);
  if (node.type === undefined) return { kind: 'constant', name, deprecated, facts };
  return { kind: 'constant', name, deprecated, facts, type: readType(node.type, reading) };
}

/** Returns re-exported names. `export *` between the files of one module adds nothing. */
function readExports(node: ts.ExportDeclaration, reading: Reading): readonly Declaration[] {
  const { compiler, idIn, file } = reading;
  const { exportClause, moduleSpecifier } = node;
  if (moduleSpecifier === undefined || !compiler.isStringLiteral(moduleSpecifier)) return [];
  const from = target(file.fileName, moduleSpecifier.text);
  if (exportClause === undefined) {
    return from === moduleOf(file.fileName)
      ? []
      : [passedOn('module', `export * from ${from}`, { id: from, name: from })];
  }
  if (compiler.isNamespaceExport(exportClause))
    return [passedOn('module', exportClause.name.text, { id: from, name: from })];
  return exportClause.elements.map(({ name, propertyName = name }) =>
    passedOn('type', name.text, {
      id: idIn(moduleSpecifier.text, propertyName.text),
      name: propertyName.text,
    }),
  );
}

function passedOn(
  kind: 'type' | 'module',
  name: string,
  { id, name: shown }: { readonly id: string; readonly name: string },
): Declaration {
  return { kind, name, deprecated: false, parameters: '', type: { is: 'ref', id, name: shown, args: [] } };
}

/** Returns whether users receive and call the declared type, rather than read and write it as data. */
export function isService(declaration: Declaration): boolean {
  if (declaration.kind !== 'interface') return declaration.kind !== 'type' || declaration.type.is === 'ref';
  return declaration.bases.length > 0 || [...declaration.members.values()].some(isMethod);
}

function isMethod({ type }: Member): boolean {
  return type.is === 'calls';
}
