import { error, type Problem } from '../problems.ts';
import type { Settings } from './settings.ts';

/** Where an output comes from: a setting each, of which an output has one. */
type InputKind = 'input' | 'fromCluster' | 'openapi';

const inputWords: Readonly<Record<InputKind, string>> = {
  input: 'CRD files',
  fromCluster: '--from-cluster',
  openapi: '--openapi',
};

/** Settings that mean something with one kind of input only, or with some. */
const companions: readonly { readonly name: keyof Settings; readonly of: readonly InputKind[] }[] = [
  { name: 'context', of: ['fromCluster'] },
  { name: 'kubeconfig', of: ['fromCluster'] },
  { name: 'paths', of: ['fromCluster', 'openapi'] },
  { name: 'protobuf', of: ['fromCluster', 'openapi'] },
];

/** The kinds of input that are named: one, unless something is wrong. */
export function inputKinds({ input, fromCluster, openapi }: Settings): readonly InputKind[] {
  const kinds: InputKind[] = [];
  if (input !== undefined && input.length > 0) kinds.push('input');
  if (fromCluster === true) kinds.push('fromCluster');
  if (openapi !== undefined && openapi.length > 0) kinds.push('openapi');
  return kinds;
}

/**
 * The settings of `over`, and those of `base` that it says nothing about. A kind of input in `over` takes the place of
 * whatever kind `base` names, and of what goes with that kind alone.
 */
export function layer(base: Settings, over: Settings): Settings {
  const kinds = inputKinds(over);
  if (kinds.length === 0) return { ...base, ...over };
  const isIdle = (name: string): boolean =>
    name in inputWords || companions.some((one) => one.name === name && !goes(one.of, kinds));
  const kept = Object.entries(base).filter(([name]) => !isIdle(name));
  return { ...Object.fromEntries(kept), ...over };
}

/** Settings that are sound one by one and say nothing together, wherever each of them came from. */
export function conflicts(settings: Settings): readonly Problem[] {
  const kinds = inputKinds(settings);
  if (kinds.length > 1) return [severalKinds(kinds)];
  const found = [...idleExtension(settings), ...idleCompanions(settings, kinds)];
  return found.length > 0 || kinds.length === 1 ? found : [noInput];
}

const noInput = error(
  'there is no input: give files, folders, addresses or -, or --from-cluster, or --openapi (kgen --help says more)',
);

function severalKinds(kinds: readonly InputKind[]): Problem {
  const named = kinds.map((kind) => inputWords[kind]).join(' and ');
  return error(`${named} are given together, but an output has one kind of input: leave out all but one`);
}

function idleExtension({ emit, importExtension }: Settings): readonly Problem[] {
  if (emit !== 'js' || importExtension === undefined || importExtension === '.js') return [];
  const what = `--import-extension ${importExtension} has no meaning with --emit js, whose imports end in .js: leave out one of the two`;
  return [error(what)];
}

function idleCompanions(settings: Settings, kinds: readonly InputKind[]): readonly Problem[] {
  return companions
    .filter(({ name, of }) => settings[name] !== undefined && settings[name] !== false && !goes(of, kinds))
    .map(({ name, of }) => {
      const needed = of.map((kind) => inputWords[kind]).join(' or ');
      return error(`--${name} has a meaning with ${needed} only: add that, or leave out --${name}`);
    });
}

function goes(of: readonly InputKind[], kinds: readonly InputKind[]): boolean {
  return of.some((kind) => kinds.includes(kind));
}
