/** Settings of one output: all that influences its content. */
import { type Checked, error, type InputProblem, quote, type SourcePlace } from '../common/problems.ts';
import { isObject } from '../input/json.ts';
import { rules } from './rules.ts';

/** Settings of one output, from the command line and `kgen.config.*`. All are optional. */
export interface OutputSettings {
  /**
   * CRDs: paths of files and folders, glob patterns, https addresses, `github:owner/repo@tag:path`, `-` for
   * standard input. Files and addresses may be archives and charts. Relative paths in a configuration file
   * start at its folder.
   */
  readonly input?: readonly string[];
  /** Reads the whole API of a cluster instead of `input`. Default: false. */
  readonly fromCluster?: boolean;
  /** Context of the kubeconfig, as in kubectl. Requires `fromCluster`. Default: the current context. */
  readonly context?: string;
  /**
   * Path of a kubeconfig, as in kubectl. Requires `fromCluster`. Default: `$KUBECONFIG`, then
   * `~/.kube/config`.
   */
  readonly kubeconfig?: string;
  /**
   * Limit for one response of the cluster with all retries, in seconds: a positive integer. A group that does
   * not respond in time is left out. Requires `fromCluster`. Default: 60.
   */
  readonly timeout?: number;
  /**
   * Paths of saved OpenAPI documents, v2 or v3, instead of `input`: files, or folders with such files.
   * Relative paths in a configuration file start at its folder.
   */
  readonly openapi?: readonly string[];
  /**
   * Release of Kubernetes whose built-in API is generated instead of `input`, from the documents that are
   * published with it: `1.33` or `1.33.4`.
   */
  readonly kubernetes?: string;
  /** Path of the output folder. Default: `./generated`. */
  readonly out?: string;
  /**
   * Patterns of the kinds to include: `group`, `group/version` or `group/version/Kind`, with `*` as wildcard.
   * Default: all.
   */
  readonly include?: readonly string[];
  /**
   * Patterns of the kinds to exclude, in the form of `include`, over which they take precedence. Default:
   * none.
   */
  readonly exclude?: readonly string[];
  /** Language of the output: `ts` writes .ts files, `js` writes .js with .d.ts. Default: `ts`. */
  readonly emit?: 'ts' | 'js';
  /** Extension of relative imports in .ts output. Default: `.js`. */
  readonly importExtension?: '.js' | '.ts' | 'none';
  /**
   * Module from which generated code imports the runtime. Codecs import `protobuf` below it: `./rt.js` and
   * `./rt/protobuf.js`. Default: `@kgen/runtime/gen/v1`.
   */
  readonly runtimeImport?: string;
  /**
   * First part of a group's accessors, by group: `{ 'networking.istio.io': 'istio' }` results in `istioV1`.
   */
  readonly groupAlias?: Readonly<Record<string, string>>;
  /**
   * Writes `paths.ts`, the types of all paths for `RESTClient<paths>`. Requires `fromCluster`, `openapi`
   * or `kubernetes`. Default: false.
   */
  readonly paths?: boolean;
  /**
   * Writes codecs of built-in kinds, with which clients use Kubernetes Protobuf. Requires `fromCluster`,
   * `openapi` or `kubernetes`. Default: true, for the kinds in the output. `'all'`: for every built-in kind,
   * for `decode` and `encode` of `protobuf.ts`.
   */
  readonly protobuf?: boolean | 'all';
  /**
   * Writes `definitions.ts` of each group, with its CustomResourceDefinitions as constants for installation.
   * Requires `input`. Default: false.
   */
  readonly definitions?: boolean;
  /**
   * Writes a JSON Schema of each kind for editors and kubeconform, in `json-schema/GROUP/KIND_VERSION.json`.
   * Default: false.
   */
  readonly jsonSchema?: boolean;
  /**
   * Types of custom resources accept exactly one, or at most one, of the members of which the schema allows
   * only one: by `oneOf` of `required`, `maxProperties` or CEL rules about `has()`. Default: false.
   */
  readonly exactlyOne?: boolean;
  /** Type-checks the output in memory before it is written. Default: false. */
  readonly verify?: boolean;
  /** Writes comments. Default: true. With false, only `@deprecated` tags are written. */
  readonly docs?: boolean;
  /**
   * Includes descriptions in comments. Default: true. With false, comments contain facts only, without text
   * of the schema's author.
   */
  readonly descriptions?: boolean;
  /** Writes listers, which read objects from the caches of informers. Default: true. */
  readonly listers?: boolean;
  /** Writes informers, which keep objects in caches. Default: true. */
  readonly informers?: boolean;
  /** Writes the schemas of all kinds, which descriptors load on demand. Default: true. */
  readonly schemas?: boolean;
}

/** Returns the position of a setting in its file, for messages. */
export type Locate = (path: readonly (string | number)[]) => SourcePlace;

/**
 * Validates the settings of one output that were read from a file or passed by a program. An unknown setting
 * is an error that lists the known ones, and those that `others` allows beside them.
 */
export function parseSettings(
  value: unknown,
  locate: Locate,
  others: readonly string[] = [],
): Checked<OutputSettings> {
  if (!isObject(value))
    return { value: {}, problems: [error('the settings must be one object', locate([]))] };
  const problems: InputProblem[] = [];
  const settings: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(value)) {
    // hasOwn verified the key.
    const rule = Object.hasOwn(rules, key) ? rules[key as keyof OutputSettings] : undefined;
    if (rule === undefined) {
      problems.push(
        error(
          `unknown setting ${quote(key)}: use ${[...Object.keys(rules), ...others].join(', ')}`,
          locate([key]),
        ),
      );
    } else if (!rule.test(given)) {
      problems.push(error(`${key} must be ${rule.words}`, locate([key])));
    } else {
      settings[key] = rule.read?.(given) ?? given;
    }
  }
  return { value: settings as OutputSettings, problems }; // seam: every key was validated by its rule
}
