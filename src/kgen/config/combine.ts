/** Precedence between settings of the command line and of files, and rules between settings. */
import { error, type InputProblem } from '../common/problems.ts';
import type { OutputSettings } from './settings.ts';

/** Settings that select the input of an output. Exactly one of them is set. */
type InputKind = 'input' | 'fromCluster' | 'openapi' | 'kubernetes';

const inputWords: Readonly<Record<InputKind, string>> = {
  input: 'CRD files',
  fromCluster: '--from-cluster',
  openapi: '--openapi',
  kubernetes: '--kubernetes',
};

/** Settings that require certain kinds of input. */
const companions: readonly { readonly name: keyof OutputSettings; readonly of: readonly InputKind[] }[] = [
  { name: 'context', of: ['fromCluster'] },
  { name: 'kubeconfig', of: ['fromCluster'] },
  { name: 'timeout', of: ['fromCluster'] },
  { name: 'definitions', of: ['input'] },
  { name: 'paths', of: ['fromCluster', 'openapi', 'kubernetes'] },
  { name: 'protobuf', of: ['fromCluster', 'openapi', 'kubernetes'] },
];

/** Returns the kinds of input that are set: exactly one if the settings are valid. */
export function inputKinds({
  input,
  fromCluster,
  openapi,
  kubernetes,
}: OutputSettings): readonly InputKind[] {
  const kinds: InputKind[] = [];
  if (input !== undefined && input.length > 0) kinds.push('input');
  if (fromCluster === true) kinds.push('fromCluster');
  if (openapi !== undefined && openapi.length > 0) kinds.push('openapi');
  if (kubernetes !== undefined) kinds.push('kubernetes');
  return kinds;
}

/**
 * Returns the settings of `over`, completed by those of `base`. A kind of input in `over` replaces the kind
 * in `base`, together with the settings that require that kind.
 */
export function layer(base: OutputSettings, over: OutputSettings): OutputSettings {
  const kinds = inputKinds(over);
  if (kinds.length === 0) return { ...base, ...over };
  const isIdle = (name: string): boolean =>
    name in inputWords || companions.some((one) => one.name === name && !goes(one.of, kinds));
  const kept = Object.entries(base).filter(([name]) => !isIdle(name));
  return { ...Object.fromEntries(kept), ...over };
}

/** Reports settings that are valid alone but contradict each other, from whichever source. */
export function conflicts(settings: OutputSettings): readonly InputProblem[] {
  const kinds = inputKinds(settings);
  if (kinds.length > 1) return [severalKinds(kinds)];
  const found = [...idleExtension(settings), ...idleCompanions(settings, kinds)];
  return found.length > 0 || kinds.length === 1 ? found : [noInput];
}

const noInput = error(
  'no input: give files, folders, addresses or -, or --from-cluster, --openapi or --kubernetes (see kgen --help)',
);

function severalKinds(kinds: readonly InputKind[]): InputProblem {
  const named = kinds.map((kind) => inputWords[kind]).join(' and ');
  return error(`${named} cannot be combined, because an output has one kind of input: leave out all but one`);
}

function idleExtension({ emit, importExtension }: OutputSettings): readonly InputProblem[] {
  if (emit !== 'js' || importExtension === undefined || importExtension === '.js') return [];
  const what = `--import-extension ${importExtension} has no effect with --emit js, whose imports end in .js: leave out one of the two`;
  return [error(what)];
}

function idleCompanions(settings: OutputSettings, kinds: readonly InputKind[]): readonly InputProblem[] {
  return companions
    .filter(({ name, of }) => settings[name] !== undefined && settings[name] !== false && !goes(of, kinds))
    .map(({ name, of }) => {
      const needed = alternatives.format(of.map((kind) => inputWords[kind]));
      return error(`--${name} requires ${needed}: add that, or leave out --${name}`);
    });
}

/** Joins words as `a`, `a or b`, or `a, b, or c`. */
const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

function goes(of: readonly InputKind[], kinds: readonly InputKind[]): boolean {
  return of.some((kind) => kinds.includes(kind));
}
