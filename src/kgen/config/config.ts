/** Types and validation of a configuration file, which may have several outputs. */
import { isLabel } from '../common/names.ts';
import { type Checked, error, type InputProblem, quote } from '../common/problems.ts';
import { isObject } from '../input/json.ts';
import type { DeploymentSettings, WebhookSettings } from '../manifests/deployment/values.ts';
import { type BundleSettings, bundleRules } from './bundle.ts';
import { isImage, type Rule } from './rules.ts';
import { type Locate, type OutputSettings, parseSettings } from './settings.ts';

type Lists = 'input' | 'openapi' | 'include' | 'exclude';

/** Settings as written in a file, in which a list with one entry may be a string. */
type Written = Omit<OutputSettings, Lists> & {
  readonly [Name in Lists]?: NonNullable<OutputSettings[Name]> | string;
};

/**
 * Settings of one of several outputs, with its own `out`. Omitted settings default to those beside `outputs`.
 */
export type OutputConfig = Written & { readonly out: string };

/**
 * Content of `kgen.config.*`. Relative paths are resolved against the folder of the file, `runtimeImport`
 * against the output folder. The command line takes precedence, and a kind of input there (files,
 * `--from-cluster`, `--openapi`, `--kubernetes`) replaces the kind in the file.
 */
export type KgenConfig = Written & {
  /**
   * Several outputs, generated one after the other, each into its own folder. Other settings beside it are
   * their defaults. A kind of input in an output replaces the default kind.
   */
  readonly outputs?: readonly OutputConfig[];
  /**
   * Permissions of calls whose resources are not known at compile time, by the file of the calls, relative to
   * the folder: `{ 'src/cleanup.ts': ['batch/jobs list delete'] }`. For `kgen permissions`.
   */
  readonly permissions?: Readonly<Record<string, readonly string[]>>;
  /** Writes the deployment of the operator in `kgen manifests`. Default: none is written. */
  readonly deployment?: DeploymentConfig;
  /** Bundle for the Operator Lifecycle Manager, which `kgen bundle` writes. */
  readonly bundle?: BundleSettings;
  /**
   * Contexts of kubeconfigs that the commands of clusters refuse, such as `kgen deploy`. A `*` matches any
   * characters: `['production-*']`. Default: none.
   */
  readonly protect?: readonly string[];
  /** Registration of webhooks in `kgen manifests`. Default: behind the Service `NAME-webhook`. */
  readonly webhooks?: WebhookSettings;
};

/** Settings of the deployment of an operator. */
export interface DeploymentConfig extends DeploymentSettings {
  /** Namespace of the operator. Default: its name. */
  readonly namespace?: string;
}

/**
 * Returns its argument. Adds completion and type checking to a configuration file.
 * @example
 * ```ts
 * import { defineConfig } from 'kgen';
 *
 * export default defineConfig({ input: ['crds'], out: './generated', descriptions: false });
 * ```
 */
export function defineConfig(config: KgenConfig): KgenConfig {
  return config;
}

/** A validated configuration. */
export interface ParsedConfig {
  /** The settings, or the defaults of `outputs`. */
  readonly settings: OutputSettings;
  /** At least one entry if the file has `outputs`. Each entry has a different `out`. */
  readonly outputs?: readonly OutputSettings[];
  /** Stated permissions, by file. */
  readonly permissions?: Readonly<Record<string, readonly string[]>>;
  readonly deployment?: DeploymentConfig;
  readonly bundle?: BundleSettings;
  /** Contexts that the commands of clusters refuse. */
  readonly protect?: readonly string[];
  readonly webhooks?: WebhookSettings;
}

/**
 * Validates a configuration that was read from a file or passed by a program. Unknown settings are errors.
 */
export function parseConfig(value: unknown, locate: Locate): Checked<ParsedConfig> {
  if (!isObject(value)) return parseOutputs(value, locate);
  const { permissions, deployment, bundle, protect, webhooks, ...others } = value;
  const { value: config, problems } = parseOutputs(others, locate);
  const wrong = [
    ...(permissions === undefined || isStated(permissions)
      ? []
      : [error('permissions must be an object of files and lists of permissions', locate(['permissions']))]),
    ...sectionProblems('deployment', deployment, deploymentRules, locate),
    ...sectionProblems('bundle', bundle, bundleRules, locate),
    ...(protect === undefined || isList(protect)
      ? []
      : [error('protect must be a list of names of contexts', locate(['protect']))]),
    ...sectionProblems('webhooks', webhooks, webhookRules, locate),
    ...(isObject(webhooks) && isObject(webhooks['service'])
      ? sectionProblems('service', webhooks['service'], serviceRules, (path) => locate(['webhooks', ...path]))
      : []),
  ];
  return {
    value: {
      ...config,
      ...(isStated(permissions) && { permissions }),
      ...(isList(protect) && { protect }),
      // seam: every member of a section was validated by its rule
      ...(deployment !== undefined && wrong.length === 0 && { deployment: deployment as DeploymentConfig }),
      ...(bundle !== undefined && wrong.length === 0 && { bundle: bundle as BundleSettings }),
      ...(webhooks !== undefined && wrong.length === 0 && { webhooks: webhooks as WebhookSettings }),
    },
    problems: [...problems, ...wrong],
  };
}

const isTexts = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((each) => typeof each === 'string');

const deploymentRules: Readonly<Record<keyof DeploymentConfig, Rule>> = {
  namespace: {
    test: (value) => typeof value === 'string' && isLabel(value),
    words: 'the name of a namespace',
  },
  image: { test: isImage, words: 'an image, such as `registry/name:tag`' },
  replicas: { test: (value) => Number.isInteger(value) && Number(value) >= 0, words: 'a number of Pods' },
  resources: {
    test: (value) => isObject(value) && Object.values(value).every(isTexts),
    words: 'an object of requests and limits, each of names and quantities in quotes',
  },
  env: { test: isTexts, words: 'an object of names and strings' },
};

const portRule: Rule = {
  test: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535,
  words: 'an integer from 1 to 65535',
};

const serviceRules: Readonly<Record<keyof NonNullable<WebhookSettings['service']>, Rule>> = {
  name: { test: (value) => typeof value === 'string' && isLabel(value), words: 'the name of a Service' },
  port: portRule,
};

const webhookRules: Readonly<Record<keyof WebhookSettings, Rule>> = {
  service: { test: isObject, words: 'an object of a name and a port' },
  url: {
    test: (value) => typeof value === 'string' && URL.canParse(value) && /^https:[^?#@]+$/.test(value),
    words: 'https://HOST[:PORT][/PATH], without user, query and fragment',
  },
  port: portRule,
  injectCa: {
    test: (value) => value === 'cert-manager' || value === 'service-ca',
    words: '`cert-manager` or `service-ca`',
  },
};

/** Validates a section of settings. */
function sectionProblems(
  name: string,
  value: unknown,
  rules: Readonly<Record<string, Rule>>,
  locate: Locate,
): readonly InputProblem[] {
  if (value === undefined) return [];
  if (!isObject(value)) return [error(`${name} must be an object`, locate([name]))];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = locate([name, key]);
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (rule === undefined)
      return [error(`unknown setting ${quote(key)}: use ${Object.keys(rules).join(', ')}`, place)];
    return member === undefined || rule.test(member) ? [] : [error(`${key} must be ${rule.words}`, place)];
  });
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isStated(value: unknown): value is Readonly<Record<string, readonly string[]>> {
  return isObject(value) && Object.values(value).every(isList);
}

const otherSettings = ['outputs', 'permissions', 'deployment', 'bundle', 'protect', 'webhooks'];

function parseOutputs(value: unknown, locate: Locate): Checked<ParsedConfig> {
  if (!isObject(value) || !Object.hasOwn(value, 'outputs')) {
    const { value: settings, problems } = parseSettings(value, locate, otherSettings);
    return { value: { settings }, problems };
  }
  const { outputs, ...rest } = value;
  const settings = parseSettings(rest, locate, otherSettings);
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

function parseOutput(value: unknown, index: number, locate: Locate): Checked<OutputSettings> {
  const within: Locate = (path) => locate(['outputs', index, ...path]);
  const parsed = parseSettings(value, within);
  if (parsed.problems.length > 0 || parsed.value.out !== undefined) return parsed;
  const what = 'this output has no out: give it a folder of its own';
  return { value: parsed.value, problems: [error(what, within([]))] };
}

function idleOut({ out }: OutputSettings, locate: Locate): readonly InputProblem[] {
  if (out === undefined) return [];
  const what = 'out cannot be combined with outputs: give each output its own, and remove this one';
  return [error(what, locate(['out']))];
}
