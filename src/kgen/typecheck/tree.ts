/** Types and declarations as data: what is left of a module when formatting, order and comments are taken away. */

/** A type. */
export type Tree =
  /** A named type. `id` says which one, whatever it is called where it is used. */
  | { readonly is: 'ref'; readonly id: string; readonly name: string; readonly args: readonly Tree[] }
  /** Members are no unions themselves; their order means nothing. */
  | { readonly is: 'union'; readonly members: readonly Tree[] }
  | { readonly is: 'array'; readonly item: Tree }
  | { readonly is: 'object'; readonly members: Members }
  /** A keyword or a literal, in one spelling. */
  | { readonly is: 'word'; readonly text: string }
  /** Overloads; their order means nothing to the report. */
  | { readonly is: 'calls'; readonly signatures: readonly Tree[] }
  /** Anything else: its words, and the types between them. */
  | { readonly is: 'other'; readonly parts: readonly (string | Tree)[]; readonly text: string };

/** By name; index signatures have the name `[key]`. */
export type Members = ReadonlyMap<string, Member>;

/** A member of an object type or a class. */
export interface Member {
  readonly optional: boolean;
  readonly readonly: boolean;
  readonly deprecated: boolean;
  readonly type: Tree;
}

/** A fact of a constant: a set of words where order means nothing, else its text. */
export interface Fact {
  readonly text: string;
  readonly items?: readonly string[];
}

/** What a module exports under one name, as a type or as a value. */
export type Declaration = {
  readonly name: string;
  readonly deprecated: boolean;
} & (
  | {
      readonly kind: 'interface' | 'class';
      readonly members: Members;
      readonly bases: readonly Tree[];
      /** Type parameters as text; `''` for none. */
      readonly parameters: string;
    }
  | { readonly kind: 'type' | 'module'; readonly type: Tree; readonly parameters: string }
  | {
      readonly kind: 'constant' | 'function';
      /** Absent where only the `.js` of a value was read. */
      readonly type?: Tree;
      readonly facts: ReadonlyMap<string, Fact>;
    }
);

/** What a module exports, by kind of name and name. */
export type Module = ReadonlyMap<string, Declaration>;

/** A type as text, in a spelling of its own that two equal types share. `same` gives equal names one id. */
export function keyOf(tree: Tree, same: (id: string) => string): string {
  const key = (part: Tree): string => keyOf(part, same);
  switch (tree.is) {
    case 'ref':
      return `${same(tree.id)}<${tree.args.map(key).join(',')}>`;
    case 'union':
      return [...new Set(tree.members.map(key))].sort().join('|');
    case 'array':
      return `(${key(tree.item)})[]`;
    case 'object':
      return `{${[...tree.members]
        .map(([name, member]) => memberKey(name, member, key))
        .sort()
        .join(';')}}`;
    case 'word':
      return tree.text;
    case 'calls':
      return `calls(${tree.signatures.map(key).sort().join(';')})`;
    case 'other':
      return tree.parts.map((part) => (typeof part === 'string' ? part : key(part))).join(' ');
  }
}

function memberKey(name: string, { optional, readonly, type }: Member, key: (tree: Tree) => string): string {
  return `${readonly ? 'readonly ' : ''}${JSON.stringify(name)}${optional ? '?' : ''}:${key(type)}`;
}

/** A type as a person would write it, on one line. */
export function show(tree: Tree): string {
  switch (tree.is) {
    case 'ref':
      return tree.args.length === 0 ? tree.name : `${tree.name}<${tree.args.map(show).join(', ')}>`;
    case 'union':
      return tree.members.map(show).join(' | ');
    case 'array':
      return tree.item.is === 'union' ? `(${show(tree.item)})[]` : `${show(tree.item)}[]`;
    case 'object':
      return showObject(tree.members);
    case 'word':
      return tree.text;
    case 'calls':
      return tree.signatures.map(show).join('; ');
    case 'other':
      return tree.text;
  }
}

function showObject(members: Members): string {
  const shown = [...members].map(
    ([name, { optional, type }]) => `${name}${optional ? '?' : ''}: ${show(type)}`,
  );
  return shown.length === 0 ? '{}' : `{ ${shown.join('; ')} }`;
}
