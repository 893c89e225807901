/** Names of equal types: aliases of both outputs. */
import type { Declaration, Module, Tree } from './read/tree.ts';

/** Modules of an output by name. */
export type Output = ReadonlyMap<string, Module>;

/** The two compared outputs, and the names that are equal to their users. */
export interface Outputs {
  readonly before: Output;
  readonly after: Output;
  /** Returns one id for all names of a type. */
  readonly same: (id: string) => string;
  /** Ids of types that users only write: options of requests. */
  readonly written: ReadonlySet<string>;
}

/** Interfaces of the runtime whose type argument is the options of a request. */
const takers: ReadonlySet<string> = new Set([
  'runtime#ReadLog',
  'runtime#SubresourceText',
  'runtime#ConnectResource',
]);

/** Pairs two outputs. An alias in either of them makes its name equal to its target. */
export function pair(before: Output, after: Output): Outputs {
  const parents = new Map<string, string>();
  const same = (id: string): string => {
    const parent = parents.get(id);
    return parent === undefined ? id : same(parent);
  };
  for (const [module, declaration] of [...declarations(before), ...declarations(after)]) {
    if (declaration.kind !== 'type' || declaration.type.is !== 'ref' || declaration.type.args.length > 0)
      continue;
    const [a, b] = [same(`${module}#${declaration.name}`), same(declaration.type.id)];
    if (a !== b) parents.set(a, b);
  }
  return { before, after, same, written: new Set([...writtenIn(before), ...writtenIn(after)].map(same)) };
}

/** Follows the aliases of a name in one output, as far as the output contains them. */
export function resolve(output: Output, declaration: Declaration): Declaration {
  const seen = new Set<Declaration>();
  let current = declaration;
  while (current.kind === 'type' && current.type.is === 'ref' && !seen.has(current)) {
    seen.add(current);
    current = lookUp(output, current.type.id) ?? current;
  }
  return current;
}

/** Returns the type of an id, if its module has been read. */
export function lookUp(output: Output, id: string): Declaration | undefined {
  const [module = '', name = ''] = id.split('#');
  const found = output.get(module);
  return found?.get(`type ${name}`) ?? found?.get(`value ${name}`);
}

function* declarations(output: Output): Generator<readonly [string, Declaration]> {
  for (const [name, module] of output) for (const declaration of module.values()) yield [name, declaration];
}

function* writtenIn(output: Output): Generator<string> {
  for (const [, declaration] of declarations(output)) {
    const types: readonly (Tree | undefined)[] =
      declaration.kind === 'interface' ? declaration.bases : 'type' in declaration ? [declaration.type] : [];
    for (const type of types) {
      if (type?.is !== 'ref' || !takers.has(type.id)) continue;
      for (const argument of type.args) if (argument.is === 'ref') yield argument.id;
    }
  }
}
