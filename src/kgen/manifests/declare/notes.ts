/** Reads comments of declarations, and the aliases through which a type is named. */
import { relative } from 'node:path';
import type { ts } from 'ts-morph';
import type { SourcePlace } from '../../common/problems.ts';
import { commentIn } from '../../notation/comment.ts';
import type { Compiler, NodePlace, TypeHandle } from './compiler.ts';
import type { Note } from './declared.ts';
import { declaresKnownTypes, knownAliases } from './known-types.ts';
import { argumentOf, declarationOf, scopeOf, type WrittenType } from './written.ts';

/** How types are read. */
export interface ReadingOptions {
  readonly compiler: Compiler;
  /** Folder to which the paths of places are relative. */
  readonly cwd: string;
  /** Returns whether the comments of a file are descriptions of the author's own API. */
  readonly isOwn: (file: string) => boolean;
}

/** The names through which a type is written. */
export interface Aliases {
  readonly notes: readonly Note[];
  /** Syntax behind the aliases; `undefined` if it does not show the type. */
  readonly inner: WrittenType | undefined;
  /** Name of the type of Kubernetes that an alias is. */
  readonly known?: string;
}

/** Returns the members of a type without `null` and `undefined`. */
export function presentMembers(type: TypeHandle, compiler: Compiler): readonly TypeHandle[] {
  const members = compiler.classOf(type) === 'union' ? compiler.membersOf(type) : [type];
  return members.filter((member) => !['null', 'undefined', 'never'].includes(compiler.classOf(member)));
}

/** Reads comments with the places of their tags. */
export class NoteReader {
  readonly #options: ReadingOptions;
  readonly #read = new Map<string, Note | undefined>();
  /** Offsets of the lines, by file. */
  readonly #starts = new Map<string, readonly number[]>();

  constructor(options: ReadingOptions) {
    this.#options = options;
  }

  /** Returns the place of a node. */
  placeOf(node: ts.Node): SourcePlace {
    const { file, start } = this.#options.compiler.placeOf(node);
    return this.placeAt(file, start);
  }

  /** Returns the place of a declaration of the author, or that of the type that refers to it. */
  ownPlaceOf(declaration: ts.Node | undefined, parent: SourcePlace): SourcePlace {
    const { compiler, isOwn } = this.#options;
    const isKnown = declaration !== undefined && isOwn(compiler.placeOf(declaration).file);
    return isKnown ? this.placeOf(declaration) : parent;
  }

  /** Returns the place of an offset in a file. */
  placeAt(path: string, offset: number): SourcePlace {
    const starts = this.#lineStarts(path);
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    const file = relative(this.#options.cwd, path).replaceAll('\\', '/');
    return { file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  #lineStarts(path: string): readonly number[] {
    const known = this.#starts.get(path);
    if (known !== undefined) return known;
    const starts = [
      0,
      ...[...this.#options.compiler.textOf(path).matchAll(/\n/g)].map(({ index }) => index + 1),
    ];
    this.#starts.set(path, starts);
    return starts;
  }

  /** Returns the comment of a declaration, always the same; `undefined` if there is none that counts. */
  noteOf(declaration: ts.Node): Note | undefined {
    const place = this.#options.compiler.placeOf(declaration);
    const key = `${place.fullStart} ${place.file}`;
    if (!this.#read.has(key)) this.#read.set(key, this.#noteAt(place));
    return this.#read.get(key);
  }

  #noteAt({ file, start, fullStart }: NodePlace): Note | undefined {
    const { compiler, isOwn } = this.#options;
    const { description, tags } = commentIn(compiler.textOf(file), fullStart, start);
    const isAuthors = isOwn(file);
    const placed = tags
      .filter(({ name, text }) => isAuthors || !isRemark(name, text))
      .map(({ name, text, offset }) => ({ name, text, place: this.placeAt(file, offset) }));
    const isDescribed = description !== '' && isAuthors;
    if (!isDescribed && placed.length === 0) return undefined;
    return { tags: placed, ...(isDescribed && { description }) };
  }

  /** Follows the names of aliases, which vanish from types that are unions or primitive. */
  aliasesOf(type: TypeHandle, from: WrittenType | undefined): Aliases {
    const { compiler } = this.#options;
    const { syntax } = compiler;
    const notes: Note[] = [];
    let inner = from;
    while (inner !== undefined) {
      const { node, scope }: WrittenType = inner;
      if (syntax.isParenthesizedTypeNode(node)) inner = { node: node.type, scope };
      else if (syntax.isUnionTypeNode(node)) {
        const [only, ...others] = node.types.filter((each) => !this.#isEmpty(each));
        if (only === undefined || others.length > 0) break;
        inner = { node: only, scope };
      } else if (syntax.isTypeReferenceNode(node)) {
        const argument = argumentOf({ node, scope }, compiler);
        if (argument !== undefined) {
          inner = argument;
          continue;
        }
        const declaration = declarationOf(compiler.symbolAt(node.typeName), compiler);
        if (declaration === undefined || !syntax.isTypeAliasDeclaration(declaration)) break;
        const isGeneric = declaration.typeParameters !== undefined;
        if (!isGeneric && !this.#contains(type, node)) return { notes, inner: undefined };
        const known = knownAliases.get(declaration.name.text);
        const isPublic = !declaresKnownTypes(compiler.placeOf(declaration).file);
        if (known !== undefined && !isPublic) return { notes, inner: undefined, known };
        const note = isPublic ? this.noteOf(declaration) : undefined;
        if (note !== undefined) notes.push(note);
        if (syntax.isMappedTypeNode(declaration.type)) break;
        inner = { node: declaration.type, scope: scopeOf(inner, compiler) };
      } else break;
    }
    return { notes, inner };
  }

  /** Returns whether a type has the values of a node: those of members of mapped types differ. */
  #contains(type: TypeHandle, node: ts.TypeNode): boolean {
    const { compiler } = this.#options;
    const all = presentMembers(type, compiler);
    return presentMembers(compiler.typeOfNode(node), compiler).every(
      (member) => all.includes(member) || compiler.classOf(member) === 'boolean',
    );
  }

  /** Returns whether a node is `undefined` or `null`. */
  #isEmpty(node: ts.TypeNode): boolean {
    const { compiler } = this.#options;
    return ['undefined', 'null'].includes(compiler.classOf(compiler.typeOfNode(node)));
  }

  /** Returns the comments of the alias of a type, of its interface, and tags of the interfaces it extends. */
  typeNotes(type: TypeHandle): readonly Note[] {
    const { compiler } = this.#options;
    const [main = type] = presentMembers(type, compiler);
    const symbols = [compiler.aliasOf(main), compiler.symbolOf(main)];
    return symbols.flatMap((symbol) => this.#declarationNotes(declarationOf(symbol, compiler)));
  }

  #declarationNotes(declaration: ts.Node | undefined): readonly Note[] {
    const { syntax } = this.#options.compiler;
    if (declaration === undefined) return [];
    const isInterface = syntax.isInterfaceDeclaration(declaration);
    if (!isInterface && !syntax.isTypeAliasDeclaration(declaration)) return [];
    const note = this.noteOf(declaration);
    const bases = isInterface ? this.#baseNotes(declaration) : [];
    return note === undefined ? bases : [note, ...bases];
  }

  #baseNotes({ heritageClauses }: ts.InterfaceDeclaration): readonly Note[] {
    const { compiler } = this.#options;
    const names = [...(heritageClauses ?? [])].flatMap(({ types }) =>
      types.map(({ expression }) => expression),
    );
    return names
      .flatMap((name) => this.#declarationNotes(declarationOf(compiler.symbolAt(name), compiler)))
      .map(({ tags }) => ({ tags }));
  }
}

/** Tags of built-in types that state what their servers enforce by code of their own. */
function isRemark(name: string, text: string): boolean {
  return name === 'immutable' || (name === 'constraint' && text.includes('"x-kubernetes-unions"'));
}
