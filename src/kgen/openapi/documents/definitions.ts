/** Definitions of all documents in one dialect. */
import { error, type InputProblem, quote } from '../../common/problems.ts';
import { byText } from '../../common/words.ts';
import type { ApiDefinition, ApiDocument } from '../types.ts';
import { type Normalised, normalise } from './dialect.ts';
import { gather, type RawDefinition } from './gather.ts';
import { referenceOf } from './refs.ts';

/** A definition with its references. */
export interface Defined extends ApiDefinition {
  readonly refs: ReadonlySet<string>;
}

/** All definitions, sorted by name, and redirects between them. */
export interface Definitions {
  readonly all: ReadonlyMap<string, Defined>;
  /**
   * Returns the definition that a name resolves to: itself, or the target of its redirects. Returns
   * `undefined` for an unknown name.
   */
  readonly resolve: (name: string) => string | undefined;
}

/** Reads the definitions of all documents into the dialect of `ApiDefinition`. */
export function readDefinitions(documents: readonly ApiDocument[], problems: InputProblem[]): Definitions {
  const raw = gather(documents, problems);
  const resolve = redirects(raw);
  const all = new Map<string, Defined>();
  const parts = new Map<string, ReadonlySet<string>>();
  const names = [...raw.keys()].sort(byText);
  for (const name of names) {
    const definition = raw.get(name);
    if (definition === undefined || resolve(name) !== name) continue;
    const place = { file: definition.document.file };
    const report = (problem: InputProblem): unknown => problems.push(problem);
    const normalised = normalise(name, definition.schema, place, { resolve, report });
    all.set(name, defined(definition, normalised));
    if (normalised.parts.size > 0) parts.set(name, normalised.parts);
  }
  for (const name of cyclic(parts)) cutCycle(name, all, problems);
  return { all, resolve };
}

function defined({ name, kinds, document }: RawDefinition, { schema, refs }: Normalised): Defined {
  const place = { file: document.file };
  return { name, schema, kinds, refs, position: () => place };
}

/**
 * Follows definitions that only redirect to another one. A redirect that forms a cycle or has no target is
 * kept, so that its reference is reported.
 */
function redirects(raw: ReadonlyMap<string, RawDefinition>): (name: string) => string | undefined {
  const ends = new Map<string, string>();
  const follow = (start: string): string => {
    const seen = new Set<string>();
    let name = start;
    while (!ends.has(name) && !seen.has(name)) {
      seen.add(name);
      const target = referenceOf(raw.get(name)?.schema);
      if (target === undefined || !raw.has(target)) break;
      name = target;
    }
    const end = ends.get(name) ?? name;
    for (const each of seen) ends.set(each, end);
    return end;
  };
  return (name) => (raw.has(name) ? follow(name) : undefined);
}

/** Returns definitions that contain themselves, directly or through other definitions. */
function cyclic(parts: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const state = new Map<string, 'open' | 'done'>();
  const found = new Set<string>();
  for (const root of parts.keys()) {
    const stack = [{ name: root, left: parts.get(root)?.values() }];
    if (state.has(root)) continue;
    state.set(root, 'open');
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.left?.next();
      if (next === undefined || next.done === true) {
        state.set(top.name, 'done');
        stack.pop();
      } else if (!state.has(next.value)) {
        state.set(next.value, 'open');
        stack.push({ name: next.value, left: parts.get(next.value)?.values() });
      } else if (state.get(next.value) === 'open') found.add(next.value);
    }
  }
  return found;
}

function cutCycle(name: string, all: Map<string, Defined>, problems: InputProblem[]): void {
  const definition = all.get(name);
  if (definition === undefined) return;
  const { description } = definition.schema;
  const schema = typeof description === 'string' ? { description } : {};
  all.set(name, { ...definition, schema, refs: new Set() });
  const what = `the definition ${quote(name)} consists of itself and is typed as unknown: correct its $ref or allOf`;
  problems.push(error(what, definition.position([])));
}
