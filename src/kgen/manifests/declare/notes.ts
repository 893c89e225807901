/** Reads comments of declarations, and the aliases through which a type is named. */
import { relative } from 'node:path';
import type { ts } from 'ts-morph';
import type { SourcePlace } from '../../common/problems.ts';
import { commentIn } from '../../notation/comment.ts';
import type { Compiler, SymbolHandle, TypeHandle } from './compiler.ts';
import type { Note } from './declared.ts';
import { declaresKnownTypes, knownAliases } from './known-types.ts';

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
  readonly inner: ts.TypeNode | undefined;
  /** Name of the type of Kubernetes that an alias is. */
  readonly known?: string;
}

/** Returns the declaration of a symbol. */
export function declarationOf(symbol: SymbolHandle | undefined, compiler: Compiler): ts.Node | undefined {
  return symbol === undefined ? undefined : compiler.declarationsOf(symbol)[0];
}

/** Returns the members of a type without `null` and `undefined`. */
export function presentMembers(type: TypeHandle, compiler: Compiler): readonly TypeHandle[] {
  const members = compiler.classOf(type) === 'union' ? compiler.membersOf(type) : [type];
  return members.filter((member) => !['null', 'undefined', 'never'].includes(compiler.classOf(member)));
}

/** Reads comments with the places of their tags. */
export class NoteReader {
  readonly #options: ReadingOptions;

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
    const { compiler, cwd } = this.#options;
    const before = compiler.textOf(path).slice(0, offset);
    const line = before.split('\n').length;
    const file = relative(cwd, path).replaceAll('\\', '/');
    return { file, line, column: offset - before.lastIndexOf('\n') };
  }

  /** Returns the comment of a declaration; `undefined` if there is none that counts. */
  noteOf(declaration: ts.Node): Note | undefined {
    const { compiler, isOwn } = this.#options;
    const { file, start, fullStart } = compiler.placeOf(declaration);
    const { description, tags } = commentIn(compiler.textOf(file), fullStart, start);
    const placed = tags.map(({ name, text, offset }) => ({ name, text, place: this.placeAt(file, offset) }));
    const isDescribed = description !== '' && isOwn(file);
    if (!isDescribed && placed.length === 0) return undefined;
    return { tags: placed, ...(isDescribed && { description }) };
  }

  /** Follows the names of aliases, which vanish from types that are unions or primitive. */
  aliasesOf(node: ts.TypeNode | undefined): Aliases {
    const { compiler } = this.#options;
    const { syntax } = compiler;
    const notes: Note[] = [];
    let inner = node;
    while (inner !== undefined) {
      if (syntax.isParenthesizedTypeNode(inner)) inner = inner.type;
      else if (syntax.isUnionTypeNode(inner)) {
        const [only, ...others] = inner.types.filter((each) => !this.#isEmpty(each));
        if (only === undefined || others.length > 0) break;
        inner = only;
      } else if (syntax.isTypeReferenceNode(inner)) {
        const declaration = declarationOf(compiler.symbolAt(inner.typeName), compiler);
        if (declaration === undefined || !syntax.isTypeAliasDeclaration(declaration))
          return { notes, inner: undefined };
        const known = knownAliases.get(declaration.name.text);
        if (known !== undefined && declaresKnownTypes(compiler.placeOf(declaration).file))
          return { notes, inner: undefined, known };
        const isPublic = !declaresKnownTypes(compiler.placeOf(declaration).file);
        const note = isPublic ? this.noteOf(declaration) : undefined;
        if (note !== undefined) notes.push(note);
        inner = declaration.typeParameters === undefined ? declaration.type : undefined;
      } else break;
    }
    return { notes, inner };
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
