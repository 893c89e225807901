import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeProblem } from '../common/code-problem.ts';
import { type Checked, error, hasErrors, type InputProblem } from '../common/problems.ts';
import { createRereader, type Reread } from '../input/reading/reread.ts';
import { createParser, type Fault } from '../input/reading/yaml.ts';
import { fileFault } from '../input/sources/files.ts';
import { loadYaml } from '../input/sources/load-yaml.ts';
import { isGitHub, isUrl } from '../input/sources/url.ts';
import { type ParsedConfig, parseConfig } from './config.ts';
import { configNames } from './names.ts';
import type { Locate, OutputSettings } from './settings.ts';

const advice = { typescript: 'write kgen.config.js', commonJs: 'write kgen.config.yaml' };

/** Settings before validation. */
interface Read {
  readonly value?: unknown;
  readonly locate: Locate;
  readonly problems: readonly InputProblem[];
}

/**
 * Reads `kgen.config.*` from a folder, or the named file. Returns empty settings if there is no file. Paths
 * in the file are resolved against its folder.
 * @param version of a module: Node.js runs each version once in a process
 */
export async function loadConfig(
  cwd: string,
  named: string | undefined,
  version = '',
): Promise<Checked<ParsedConfig>> {
  const file = configFile(cwd, named);
  if (file === undefined) return { value: { settings: {} }, problems: [] };
  const path = resolve(cwd, file);
  const read = /\.[cm]?[jt]s$/.test(file) ? await importConfig(path, file, version) : readConfig(path, file);
  if (hasErrors(read.problems)) return { value: { settings: {} }, problems: read.problems };
  try {
    const { value, problems } = parseConfig(read.value, read.locate);
    const anchor = (settings: OutputSettings): OutputSettings => anchored(settings, cwd, dirname(path));
    const outputs = value.outputs === undefined ? {} : { outputs: value.outputs.map(anchor) };
    return { value: { ...value, settings: anchor(value.settings), ...outputs }, problems };
  } catch (cause) {
    // Only user code can throw here; plain data cannot.
    return { value: { settings: {} }, problems: [codeProblem(cause, path, file, advice)] };
  }
}

/** Returns the name of the configuration file; `undefined` if there is none. */
export function configFile(cwd: string, named: string | undefined): string | undefined {
  return named ?? configNames.find((name) => existsSync(join(cwd, name)));
}

/** JSON is valid YAML, so one reader handles both and records positions. */
function readConfig(path: string, file: string): Read {
  try {
    const text = readFileSync(path, 'utf8');
    const again = createRereader({ file, text }, loadYaml)({ offset: 0, text });
    const parsed = createParser()(text);
    if (parsed.ok) return { value: parsed.value, locate: again.position, problems: [] };
    return { locate: again.position, problems: faultProblems(parsed.fault, again) };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // seam: errors of node:fs have a code
    if (code === undefined) throw cause;
    return { locate: () => ({ file }), problems: [error(fileFault(code), { file })] };
  }
}

/** Errors that only the fast reader reports concern aliases, or features that settings do not need. */
function faultProblems(fault: Fault, again: Reread): readonly InputProblem[] {
  if (fault.kind === 'key') return again.keyProblems();
  const syntax = fault.kind === 'syntax' ? again.syntaxProblems() : [];
  if (syntax.length > 0) return syntax;
  const reason = fault.kind === 'syntax' ? fault.reason : 'too many aliases, or nested too deeply';
  return [error(`the settings cannot be read: ${reason}; write them out in full`, again.firstAlias())];
}

/** Rewrites relative paths for a run that starts in `cwd`. */
function anchored(settings: OutputSettings, cwd: string, folder: string): OutputSettings {
  if (resolve(cwd) === folder) return settings;
  const anchor = (path: string): string =>
    path === '-' || isUrl(path) || isGitHub(path) || isAbsolute(path) ? path : join(folder, path);
  const { input, openapi, kubeconfig, out } = settings;
  return {
    ...settings,
    ...(input === undefined ? {} : { input: input.map(anchor) }),
    ...(openapi === undefined ? {} : { openapi: openapi.map(anchor) }),
    ...(kubeconfig === undefined ? {} : { kubeconfig: anchor(kubeconfig) }),
    ...(out === undefined ? {} : { out: anchor(out) }),
  };
}

/**
 * Runs a configuration file of the user, which is trusted like a build script. Its default export is the
 * settings.
 */
async function importConfig(path: string, file: string, version: string): Promise<Read> {
  const locate: Locate = () => ({ file });
  try {
    const module: { readonly default?: unknown } = await import(
      `${pathToFileURL(path).href}${version && `?${version}`}`
    );
    if (module.default !== undefined) return { value: module.default, locate, problems: [] };
    return {
      locate,
      problems: [error('the file has no default export: write `export default { … }`', { file })],
    };
  } catch (cause) {
    return { locate, problems: [codeProblem(cause, path, file, advice)] };
  }
}
