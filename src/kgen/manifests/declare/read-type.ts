/** Reads the types of an author with a compiler. */
import type { ts } from 'ts-morph';
import type { SourcePlace } from '../../common/problems.ts';
import { declaresKnownTypes, knownAliases } from '../../notation/known-types.ts';
import { schemaTagsByName } from '../../notation/tags.ts';
import type { Compiler, SymbolHandle, TypeHandle } from './compiler.ts';
import type { Declared, DeclaredObject, DeclaredShape } from './declared.ts';
import { orderedLiterals } from './literals.ts';
import { NoteReader, presentMembers, type ReadingOptions } from './notes.ts';
import { argumentOf, declarationOf, type Scope, scopeOf, type WrittenType, written } from './written.ts';

/** Maximum depth of types. Deeper ones are recursive through instantiations. */
const maxDepth = 100;

/** Reads types with one compiler. */
export class TypeReader {
  readonly notes: NoteReader;
  readonly #compiler: Compiler;
  /** Objects that contain the one that is read, outermost first. */
  readonly #open: { readonly type: TypeHandle; readonly name: string }[] = [];

  constructor(options: ReadingOptions) {
    this.notes = new NoteReader(options);
    this.#compiler = options.compiler;
  }

  /** Returns the type of a node. */
  read(node: ts.TypeNode): Declared {
    return this.#read(this.#compiler.typeOfNode(node), written(node), this.notes.placeOf(node));
  }

  /**
   * @param from the syntax of the type, from which aliases and the order of literals are read
   */
  #read(type: TypeHandle, from: WrittenType | undefined, place: SourcePlace): Declared {
    const { notes, inner, known } = this.notes.aliasesOf(type, from);
    const base = { place, isNullable: this.#isNullable(type) };
    if (known !== undefined) return { ...base, notes, shape: { is: 'known', name: known } };
    const shape = this.#shape(type, inner, place);
    const own = shape.is === 'known' ? [] : this.notes.typeNotes(type);
    return { ...base, notes: [...new Set([...notes, ...own])], shape };
  }

  #isNullable(type: TypeHandle): boolean {
    const compiler = this.#compiler;
    const members = compiler.classOf(type) === 'union' ? compiler.membersOf(type) : [type];
    return members.some((member) => compiler.classOf(member) === 'null');
  }

  #shape(type: TypeHandle, from: WrittenType | undefined, place: SourcePlace): DeclaredShape {
    const members = presentMembers(type, this.#compiler);
    const [only] = members;
    if (only === undefined) return invalid('has no value: use another type');
    const known = this.#knownType(members);
    if (known !== undefined) return { is: 'known', name: known };
    if (members.length > 1) return this.#union(members, from, place);
    return this.#single(only, from, place);
  }

  #single(type: TypeHandle, from: WrittenType | undefined, place: SourcePlace): DeclaredShape {
    const compiler = this.#compiler;
    const kind = compiler.classOf(type);
    switch (kind) {
      case 'string':
      case 'number':
      case 'boolean':
      case 'unknown':
        return { is: kind };
      case 'bigint':
        return { is: 'known', name: 'int64' };
      case 'literal':
        return this.#literals([type], from);
      case 'template':
        return this.#template(type);
      case 'intersection':
        return this.#intersection(type, from, place);
      case 'object':
        return this.#object(type, from, place);
      case 'any':
        return invalid('is of type any: use unknown for a value that servers keep as it is');
      default:
        return invalid(`has the type ${compiler.printType(type)}, which has no schema`);
    }
  }

  #union(members: readonly TypeHandle[], from: WrittenType | undefined, place: SourcePlace): DeclaredShape {
    const compiler = this.#compiler;
    const kinds = members.map((member) => compiler.classOf(member));
    if (kinds.every((kind) => kind === 'literal')) {
      const values = members.map((member) => compiler.literalOf(member));
      const isBoolean = values.length === 2 && values.every((value) => typeof value === 'boolean');
      return isBoolean ? { is: 'boolean' } : this.#literals(members, from);
    }
    const isOpenEnum = members.every(
      (member, index) =>
        (kinds[index] === 'literal' && typeof compiler.literalOf(member) === 'string') ||
        kinds[index] === 'intersection' ||
        kinds[index] === 'string',
    );
    if (isOpenEnum && members.some((member) => this.#isOpenString(member))) return { is: 'string' };
    if (kinds.length === 2 && kinds.includes('number') && kinds.includes('string'))
      return { is: 'known', name: 'int-or-string' };
    const lists = members.flatMap((member) => this.#arrayOf(member) ?? []);
    const items = new Set(lists.map((list) => compiler.argumentsOf(list)[0]));
    if (lists.length === members.length && lists[0] !== undefined && items.size === 1)
      return this.#array(lists[0], from, place);
    return this.#objects(members, place);
  }

  /** `string & {}`, which keeps the literals of a union in editors. */
  #isOpenString(type: TypeHandle): boolean {
    const compiler = this.#compiler;
    if (compiler.classOf(type) !== 'intersection') return compiler.classOf(type) === 'string';
    return compiler.membersOf(type).some((member) => compiler.classOf(member) === 'string');
  }

  #objects(members: readonly TypeHandle[], place: SourcePlace): DeclaredShape {
    const compiler = this.#compiler;
    const shapes = members.map((member) => this.#single(member, undefined, place));
    const fault = shapes.find((shape) => shape.is === 'invalid');
    if (fault !== undefined) return fault;
    const tag = members
      .flatMap((member) => this.notes.typeNotes(member))
      .flatMap(({ tags }) => tags)
      .find(({ name }) => schemaTagsByName.has(name));
    if (tag !== undefined)
      return invalid(`has a case with @${tag.name}: move the tag to the union, as a rule for its case`);
    const objects = shapes.filter((shape) => shape.is === 'object');
    if (objects.length === shapes.length) return { is: 'union', members: objects };
    const printed = members.map((member) => compiler.printType(member)).join(' | ');
    return invalid(
      `is a union that a schema cannot express (${printed}): use literals, objects with a common literal, IntOrString or unknown`,
    );
  }

  #literals(members: readonly TypeHandle[], from: WrittenType | undefined): DeclaredShape {
    const values = orderedLiterals(members, from, this.#compiler);
    return values.length < members.length
      ? invalid('has literals of type bigint: use numbers')
      : { is: 'literals', values };
  }

  #template(type: TypeHandle): DeclaredShape {
    const compiler = this.#compiler;
    const { texts, types } = compiler.templateOf(type);
    const parts = types.map((part) => templateParts.get(compiler.classOf(part)));
    if (parts.includes(undefined))
      return invalid(`has the type ${compiler.printType(type)}: use string with @pattern`);
    const escaped = texts.map((text) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
    return {
      is: 'template',
      pattern: `^${escaped.map((text, index) => text + (parts[index] ?? '')).join('')}$`,
    };
  }

  /** Returns the name of the Kubernetes type that all members have. */
  #knownType(members: readonly TypeHandle[]): string | undefined {
    const names = members.map((member) => this.#markOf(member));
    const [name] = names;
    return names.every((each) => each === name) ? name : undefined;
  }

  #markOf(type: TypeHandle): string | undefined {
    const compiler = this.#compiler;
    if (compiler.classOf(type) === 'object') {
      const declaration = declarationOf(compiler.symbolOf(type), compiler);
      if (declaration === undefined || !compiler.syntax.isInterfaceDeclaration(declaration)) return undefined;
      const { file } = compiler.placeOf(declaration);
      if (declaration.name.text === 'Date' && isLibrary(file)) return 'date-time';
      return declaresKnownTypes(file) ? knownAliases.get(declaration.name.text) : undefined;
    }
    if (compiler.classOf(type) !== 'intersection') return undefined;
    for (const member of compiler.membersOf(type)) {
      if (compiler.classOf(member) !== 'object') continue;
      const mark = compiler
        .propertiesOf(member)
        .find((property) => compiler.nameOf(property).includes('kubernetesType'));
      if (mark === undefined) continue;
      const [name] = presentMembers(compiler.typeOfSymbol(mark), compiler);
      const value =
        name === undefined || compiler.classOf(name) !== 'literal' ? undefined : compiler.literalOf(name);
      if (typeof value === 'string') return value;
    }
    return undefined;
  }

  #intersection(type: TypeHandle, from: WrittenType | undefined, place: SourcePlace): DeclaredShape {
    const compiler = this.#compiler;
    const list = this.#arrayOf(type);
    if (list !== undefined) return this.#array(list, from, place);
    const members = compiler.membersOf(type);
    if (members.every((member) => compiler.classOf(member) === 'object'))
      return this.#plain(type, from, place);
    const value = members.find((member) => compiler.classOf(member) !== 'object');
    return value === undefined ? this.#plain(type, from, place) : this.#single(value, undefined, place);
  }

  /** Returns the array of a type that is one, possibly with a mark. */
  #arrayOf(type: TypeHandle): TypeHandle | undefined {
    const compiler = this.#compiler;
    const kind = compiler.classOf(type);
    if (kind === 'object') return compiler.objectClassOf(type) === 'array' ? type : undefined;
    if (kind !== 'intersection') return undefined;
    return compiler.membersOf(type).find((member) => this.#arrayOf(member) !== undefined);
  }

  #array(type: TypeHandle, from: WrittenType | undefined, place: SourcePlace): DeclaredShape {
    const compiler = this.#compiler;
    const [items] = compiler.argumentsOf(type);
    if (items === undefined) return invalid('is a list of unknown items');
    return { is: 'array', items: this.#read(items, this.#elementIn(from), place) };
  }

  /** Returns the syntax of the items of `T[]`, `readonly T[]` or `Array<T>`. */
  #elementIn(from: WrittenType | undefined): WrittenType | undefined {
    if (from === undefined) return undefined;
    const { syntax } = this.#compiler;
    const { node, scope } = from;
    if (syntax.isTypeOperatorNode(node)) return this.#elementIn({ node: node.type, scope });
    if (syntax.isArrayTypeNode(node)) return { node: node.elementType, scope };
    const [only, ...others] = syntax.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : [];
    return only === undefined || others.length > 0 ? undefined : { node: only, scope };
  }

  #object(type: TypeHandle, from: WrittenType | undefined, place: SourcePlace): DeclaredShape {
    const compiler = this.#compiler;
    switch (compiler.objectClassOf(type)) {
      case 'array':
        return this.#array(type, from, place);
      case 'tuple':
        return invalid(
          'is a tuple, which a schema cannot express: use a list, or an object with a property for each position',
        );
      case 'function':
        return invalid('is a function, which has no schema');
      case 'plain':
        return this.#plain(type, from, place);
    }
  }

  #plain(type: TypeHandle, from: WrittenType | undefined, place: SourcePlace): DeclaredShape {
    const compiler = this.#compiler;
    const name = compiler.printType(type);
    if (this.#isClass(type))
      return invalid(`has the type ${name}, which has no schema: use Record<string, …> or a list`);
    const first = this.#open.findIndex((each) => each.type === type);
    if (first !== -1 || this.#open.length > maxDepth) {
      const path = [...this.#open.slice(Math.max(first, 0)).map((each) => each.name), name]
        .slice(-8)
        .join(' -> ');
      return invalid(
        `is recursive (${path}), which a schema cannot express: use unknown at one of these places`,
      );
    }
    this.#open.push({ type, name });
    try {
      return this.#members(type, from, place);
    } finally {
      this.#open.pop();
    }
  }

  /** Returns whether a type is one of JavaScript's own objects, such as Map. */
  #isClass(type: TypeHandle): boolean {
    const compiler = this.#compiler;
    const declaration = declarationOf(compiler.symbolOf(type), compiler);
    if (declaration === undefined || !compiler.syntax.isInterfaceDeclaration(declaration)) return false;
    return isLibrary(compiler.placeOf(declaration).file);
  }

  #members(type: TypeHandle, from: WrittenType | undefined, place: SourcePlace): DeclaredShape {
    const compiler = this.#compiler;
    const indexes = compiler.indexesOf(type);
    if (indexes.some(([keys]) => compiler.classOf(keys) !== 'string'))
      return invalid('has keys that are not strings: use Record<string, …>');
    const values = indexes[0]?.[1];
    const scope: Scope = from === undefined ? new Map() : scopeOf(from, compiler);
    const properties = compiler.propertiesOf(type).flatMap((symbol) => this.#property(symbol, scope, place));
    if (values === undefined) return { is: 'object', properties, isOpen: false };
    if (properties.length === 0) {
      if (compiler.classOf(values) === 'never') return { is: 'object', properties: [], isOpen: false };
      return { is: 'map', values: this.#read(values, this.#indexIn(type, from), place) };
    }
    if (compiler.classOf(values) === 'unknown') return { is: 'object', properties, isOpen: true };
    return invalid(
      'has properties and an index signature, which a schema cannot express: use [key: string]: unknown, or move the map into a property',
    );
  }

  /** Returns the syntax of the values of an index signature. */
  #indexIn(type: TypeHandle, from: WrittenType | undefined): WrittenType | undefined {
    const { syntax } = this.#compiler;
    if (from !== undefined && syntax.isTypeReferenceNode(from.node)) {
      const { node, scope } = from;
      const argument = argumentOf({ node, scope }, this.#compiler);
      if (argument !== undefined) return this.#indexIn(type, argument);
      const alias = declarationOf(this.#compiler.symbolAt(node.typeName), this.#compiler);
      const isAlias = alias !== undefined && syntax.isTypeAliasDeclaration(alias);
      if (isAlias && syntax.isMappedTypeNode(alias.type)) {
        // `Record<K, T>` has the values `T`, and `Readonly<T>` those of `T`.
        const [first, second] = node.typeArguments ?? [];
        if (second !== undefined) return { node: second, scope };
        return first === undefined ? undefined : this.#indexIn(type, { node: first, scope });
      }
      if (isAlias) return this.#indexIn(type, { node: alias.type, scope: scopeOf(from, this.#compiler) });
    }
    const declaration = declarationOf(this.#compiler.symbolOf(type), this.#compiler);
    // seam: members of interfaces and type literals.
    const { members = [] } = (declaration ?? {}) as { readonly members?: readonly ts.Node[] };
    const [only, ...others] = members;
    if (only === undefined || others.length > 0 || ('name' in only && only.name !== undefined))
      return undefined;
    const node = (only as ts.IndexSignatureDeclaration).type; // seam: the only member, without a name
    return { node, scope: from === undefined ? new Map() : scopeOf(from, this.#compiler) };
  }

  #property(
    symbol: SymbolHandle,
    scope: Scope,
    parent: SourcePlace,
  ): readonly DeclaredObject['properties'][number][] {
    const compiler = this.#compiler;
    const name = compiler.nameOf(symbol);
    const type = compiler.typeOfSymbol(symbol);
    if (presentMembers(type, compiler).length === 0 && !this.#isNullable(type)) return [];
    const declaration = declarationOf(symbol, compiler);
    const place = this.notes.ownPlaceOf(declaration, parent);
    const note = declaration === undefined ? undefined : this.notes.noteOf(declaration);
    // seam: property signatures have a type.
    const { type: node } = (declaration ?? {}) as Partial<ts.PropertySignature>;
    const value = this.#read(type, node === undefined ? undefined : { node, scope }, place);
    const notes = note === undefined ? value.notes : [note, ...value.notes];
    return [{ name, isOptional: compiler.isOptional(symbol), value: { ...value, notes } }];
  }
}

const templateParts: ReadonlyMap<string, string> = new Map([
  ['string', '.*'],
  ['number', '-?[0-9]+(\\.[0-9]+)?'],
  ['bigint', '-?[0-9]+'],
]);

function invalid(fault: string): DeclaredShape {
  return { is: 'invalid', fault };
}

/** Returns whether a file belongs to the libraries of compilers. */
function isLibrary(file: string): boolean {
  return /[\\/]lib\.[^\\/]*\.d\.ts$/.test(file);
}
