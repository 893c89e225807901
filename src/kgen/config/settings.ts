import { type Checked, error, type Place, type Problem, quote } from '../problems.ts';

/** What a user can set, on the command line and in `kgen.config.*`. Everything is optional. */
export interface Settings {
  /** Files, folders, glob patterns, https addresses, `-` for standard input. */
  readonly input?: readonly string[];
  /** Output folder. Default `./generated`. */
  readonly out?: string;
  /** Only these: `group`, `group/version` or `group/version/Kind`, with `*` for any text. Default: everything. */
  readonly include?: readonly string[];
  /** Not these, in the same form; wins over `include`. */
  readonly exclude?: readonly string[];
  /** `ts` (default) writes sources, `js` writes .js with .d.ts. */
  readonly emit?: 'ts' | 'js';
  /** Extension of relative imports in .ts output. Default `.js`. */
  readonly importExtension?: '.js' | '.ts' | 'none';
  /** Module that generated code imports the runtime from. Default `@kgen/runtime/gen/v1`. */
  readonly runtimeImport?: string;
  /** First part of a group's accessors, by group: `{ 'networking.istio.io': 'istio' }` gives `istioV1`. */
  readonly groupAlias?: Readonly<Record<string, string>>;
  /** Descriptions in comments. Default true. */
  readonly docs?: boolean;
  /** Default true. */
  readonly listers?: boolean;
  /** Default true. */
  readonly informers?: boolean;
}

/** Finds the place of a setting in its file, for messages. */
export type Locate = (path: readonly (string | number)[]) => Place;

/** Checks a value that was read from a file or given by a program. Unknown settings are errors. */
export function parseSettings(value: unknown, locate: Locate): Checked<Settings> {
  if (!isRecord(value))
    return { value: {}, problems: [error('the settings must be one object', locate([]))] };
  const problems: Problem[] = [];
  const settings: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(value)) {
    // The cast says what hasOwn found.
    const rule = Object.hasOwn(rules, key) ? rules[key as keyof Settings] : undefined;
    if (rule === undefined) {
      problems.push(
        error(`there is no setting ${quote(key)}: use ${Object.keys(rules).join(', ')}`, locate([key])),
      );
    } else if (!rule.test(given)) {
      problems.push(error(`${key} must be ${rule.words}`, locate([key])));
    } else {
      settings[key] = rule.read?.(given) ?? given;
    }
  }
  return { value: settings as Settings, problems }; // seam: every key went through its rule
}

/** Settings that are sound one by one and say nothing together, wherever each of them came from. */
export function conflicts({ emit, importExtension }: Settings): readonly Problem[] {
  if (emit !== 'js' || importExtension === undefined || importExtension === '.js') return [];
  const what = `--import-extension ${importExtension} has no meaning with --emit js, whose imports end in .js: leave out one of the two`;
  return [error(what)];
}

/** Two groups that are to have one name, which would then mean neither; undefined when there are none. */
export function rivals(aliases: Readonly<Record<string, unknown>>): readonly [string, string] | undefined {
  const owners = new Map<unknown, string>();
  for (const [group, name] of Object.entries(aliases)) {
    const owner = owners.get(name);
    if (owner !== undefined) return [owner, group];
    owners.set(name, group);
  }
  return undefined;
}

/** True for the name that a group's accessors may begin with. */
export function isAlias(text: string): boolean {
  return /^[a-z][A-Za-z0-9]*$/.test(text);
}

interface Rule {
  readonly test: (value: unknown) => boolean;
  readonly words: string;
  readonly read?: (value: unknown) => unknown;
}

const flag: Rule = { test: (value) => typeof value === 'boolean', words: 'true or false' };
const text: Rule = { test: isText, words: 'a text that is not empty' };
const texts: Rule = {
  test: (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
  words: 'a text or a list of texts',
  read: (value) => (isText(value) ? [value] : value),
};

const rules: Readonly<Record<keyof Settings, Rule>> = {
  input: texts,
  out: text,
  include: texts,
  exclude: texts,
  emit: oneOf('ts', 'js'),
  importExtension: oneOf('.js', '.ts', 'none'),
  runtimeImport: text,
  groupAlias: {
    test: isAliases,
    words:
      'an object of groups and names, no name twice; a name is a lower-case letter, then letters and digits',
  },
  docs: flag,
  listers: flag,
  informers: flag,
};

function oneOf(...values: readonly string[]): Rule {
  return {
    test: (value) => values.some((one) => one === value),
    words: values.map((one) => `\`${one}\``).join(' or '),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('\0');
}

function isAliases(value: unknown): value is Readonly<Record<string, string>> {
  const isName = (name: unknown): boolean => isText(name) && isAlias(name);
  return isRecord(value) && Object.values(value).every(isName) && rivals(value) === undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
