/** Types and declarations as data: a module without formatting, order and comments. */

/** A type. */
export type Tree =
  /** A named type. `id` identifies it, independent of its local name. */
  | { readonly is: 'ref'; readonly id: string; readonly name: string; readonly args: readonly Tree[] }
  /** Members are not unions themselves. Their order does not count. */
  | { readonly is: 'union'; readonly members: readonly Tree[] }
  | { readonly is: 'array'; readonly item: Tree }
  | { readonly is: 'object'; readonly members: Members }
  /** A keyword or a literal, in canonical spelling. */
  | { readonly is: 'word'; readonly text: string }
  /** Overloads. Their order does not count. */
  | { readonly is: 'calls'; readonly signatures: readonly Tree[] }
  /** Any other type: its tokens, with the types between them. */
  | { readonly is: 'other'; readonly parts: readonly (string | Tree)[]; readonly text: string };

/** By name. Index signatures have the name `[key]`. */
export type Members = ReadonlyMap<string, Member>;

/** A member of an object type or a class. */
export interface Member {
  readonly optional: boolean;
  readonly readonly: boolean;
  readonly deprecated: boolean;
  readonly type: Tree;
}

/** A property of a constant: a set of strings if order does not count, otherwise its source. */
export interface Fact {
  readonly text: string;
  readonly items?: readonly string[];
}

/** An export of a module, as a type or as a value. */
export type Declaration = {
  readonly name: string;
  readonly deprecated: boolean;
} & (
  | {
      readonly kind: 'interface' | 'class';
      readonly members: Members;
      readonly bases: readonly Tree[];
      /** Source of the type parameters; `''` if there are none. */
      readonly parameters: string;
    }
  | { readonly kind: 'type' | 'module'; readonly type: Tree; readonly parameters: string }
  | {
      readonly kind: 'constant' | 'function';
      /** Absent if only the `.js` of a value was read. */
      readonly type?: Tree;
      readonly facts: ReadonlyMap<string, Fact>;
    }
);

/** Exports of a module, by namespace and name. */
export type Module = ReadonlyMap<string, Declaration>;

/** Returns a canonical string that is equal for equal types. `same` maps equal names to one id. */
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

/** Returns a type as TypeScript source on one line. */
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
