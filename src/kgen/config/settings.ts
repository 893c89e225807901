import { type Checked, error, type Place, type Problem, quote } from '../problems.ts';
import { rules } from './rules.ts';

/** What a user can set for one output, on the command line and in `kgen.config.*`. Everything is optional. */
export interface Settings {
  /** CRDs: files, folders, glob patterns, https addresses, `-` for standard input. */
  readonly input?: readonly string[];
  /** Ask a cluster for its whole API instead of reading `input`. Default false. */
  readonly fromCluster?: boolean;
  /** Context of the kubeconfig, as kubectl has it; with `fromCluster`. Default: the current one. */
  readonly context?: string;
  /** The kubeconfig file, as kubectl has it; with `fromCluster`. Default: `$KUBECONFIG`, then `~/.kube/config`. */
  readonly kubeconfig?: string;
  /** Saved OpenAPI documents, v2 or v3, instead of `input`: files, or folders of them. */
  readonly openapi?: readonly string[];
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
  /**
   * Module that generated code imports the runtime from, and codecs from `protobuf` below it: `./rt.js` and
   * `./rt/protobuf.js`. Default `@kgen/runtime/gen/v1`.
   */
  readonly runtimeImport?: string;
  /** First part of a group's accessors, by group: `{ 'networking.istio.io': 'istio' }` gives `istioV1`. */
  readonly groupAlias?: Readonly<Record<string, string>>;
  /** Also write the types of all paths, for `RESTClient<paths>`; with `fromCluster` or `openapi`. Default false. */
  readonly paths?: boolean;
  /**
   * Codecs of Kubernetes' own kinds, with which clients speak protobuf; with `fromCluster` or `openapi`. Default true: of
   * the kinds in the output. `'all'`: of every kind that kgen knows, for `decode` and `encode` of `protobuf.ts`.
   */
  readonly protobuf?: boolean | 'all';
  /** Type-check the output in memory before anything is written. Default false. */
  readonly verify?: boolean;
  /** Comments. Default true; false leaves only marks of what is deprecated. */
  readonly docs?: boolean;
  /** Descriptions in comments. Default true; false leaves facts, and nothing that the schema's author wrote. */
  readonly descriptions?: boolean;
  /** Default true. */
  readonly listers?: boolean;
  /** Default true. */
  readonly informers?: boolean;
}

/** Finds the place of a setting in its file, for messages. */
export type Locate = (path: readonly (string | number)[]) => Place;

/**
 * Checks the settings of one output that were read from a file or given by a program. Unknown ones are errors, which
 * name the known ones and those that `others` allows in the same place.
 */
export function parseSettings(
  value: unknown,
  locate: Locate,
  others: readonly string[] = [],
): Checked<Settings> {
  if (!isRecord(value))
    return { value: {}, problems: [error('the settings must be one object', locate([]))] };
  const problems: Problem[] = [];
  const settings: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(value)) {
    // The cast says what hasOwn found.
    const rule = Object.hasOwn(rules, key) ? rules[key as keyof Settings] : undefined;
    if (rule === undefined) {
      problems.push(
        error(
          `there is no setting ${quote(key)}: use ${[...Object.keys(rules), ...others].join(', ')}`,
          locate([key]),
        ),
      );
    } else if (!rule.test(given)) {
      problems.push(error(`${key} must be ${rule.words}`, locate([key])));
    } else {
      settings[key] = rule.read?.(given) ?? given;
    }
  }
  return { value: settings as Settings, problems }; // seam: every key went through its rule
}

/** True for an object that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
