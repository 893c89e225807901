import { type Checked, error, type Problem } from '../problems.ts';
import { isRecord, type Locate, parseSettings, type Settings } from './settings.ts';

type Lists = 'input' | 'openapi' | 'include' | 'exclude';

/** Settings as they are written in a file, where a list of one may be given as its only text. */
type Written = Omit<Settings, Lists> & {
  readonly [Name in Lists]?: NonNullable<Settings[Name]> | string;
};

/** The settings of one of several outputs; `out` is its own. What it leaves out is as beside `outputs`. */
export type OutputConfig = Written & { readonly out: string };

/**
 * What `kgen.config.*` holds. Relative paths start from the folder of the file, `runtimeImport` from that of the output.
 * The command line wins over it, and a kind of input there (files, `--from-cluster`, `--openapi`) takes the place of
 * whatever kind the file names.
 */
export type Config = Written & {
  /**
   * Several outputs, generated one after the other, each into its own folder. Other settings beside it are defaults of
   * each of them; a kind of input in an output replaces the one beside.
   */
  readonly outputs?: readonly OutputConfig[];
};

/** Returns its argument: it tells an editor and the compiler what a configuration may hold. */
export function defineConfig(config: Config): Config {
  return config;
}

/** A configuration that was checked. */
export interface ParsedConfig {
  /** The settings themselves, or the defaults of `outputs`. */
  readonly settings: Settings;
  /** At least one where the file has `outputs`; no folder twice as far as the texts of `out` tell. */
  readonly outputs?: readonly Settings[];
}

/** Checks a configuration that was read from a file or given by a program. Unknown settings are errors. */
export function parseConfig(value: unknown, locate: Locate): Checked<ParsedConfig> {
  if (!isRecord(value) || !Object.hasOwn(value, 'outputs')) {
    const { value: settings, problems } = parseSettings(value, locate, ['outputs']);
    return { value: { settings }, problems };
  }
  const { outputs, ...rest } = value;
  const settings = parseSettings(rest, locate, ['outputs']);
  const problems = [...settings.problems, ...idleOut(settings.value, locate)];
  if (!Array.isArray(outputs) || outputs.length === 0) {
    const what = 'outputs must be a list of at least one object with settings';
    return { value: { settings: settings.value }, problems: [...problems, error(what, locate(['outputs']))] };
  }
  const parsed = outputs.map((output: unknown, index) => parseOutput(output, index, locate));
  return {
    value: { settings: settings.value, outputs: parsed.map((output) => output.value) },
    problems: [...problems, ...parsed.flatMap((output) => output.problems)],
  };
}

function parseOutput(value: unknown, index: number, locate: Locate): Checked<Settings> {
  const within: Locate = (path) => locate(['outputs', index, ...path]);
  const parsed = parseSettings(value, within);
  if (parsed.problems.length > 0 || parsed.value.out !== undefined) return parsed;
  const what = 'this output has no out: give it a folder of its own';
  return { value: parsed.value, problems: [error(what, within([]))] };
}

function idleOut({ out }: Settings, locate: Locate): readonly Problem[] {
  if (out === undefined) return [];
  const what = 'out has no meaning beside outputs: give each output its own, and remove this one';
  return [error(what, locate(['out']))];
}
