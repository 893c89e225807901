/** Settings of the bundle of an operator for the Operator Lifecycle Manager (OLM), and their rules. */
import { isLabel, isSubdomain } from '../common/names.ts';
import { isObject } from '../input/json.ts';
import type { Rule } from './rules.ts';

/** Category of OperatorHub. */
export type BundleCategory =
  | 'AI/Machine Learning'
  | 'Application Runtime'
  | 'Big Data'
  | 'Cloud Provider'
  | 'Database'
  | 'Developer Tools'
  | 'Integration & Delivery'
  | 'Logging & Tracing'
  | 'Modernization & Migration'
  | 'Monitoring'
  | 'Networking'
  | 'Observability'
  | 'OpenShift Optional'
  | 'Security'
  | 'Storage'
  | 'Streaming & Messaging';

/** Level of the capabilities of an operator on OperatorHub. */
export type BundleCapabilities =
  | 'Basic Install'
  | 'Seamless Upgrades'
  | 'Full Lifecycle'
  | 'Deep Insights'
  | 'Auto Pilot';

/** Set of namespaces for which OLM installs an operator. */
export type InstallMode = 'OwnNamespace' | 'SingleNamespace' | 'MultiNamespace' | 'AllNamespaces';

/** A definition of others that the operator needs. */
export interface RequiredDefinition {
  /** Such as `certificates.cert-manager.io`. */
  readonly name: string;
  readonly version: string;
  readonly kind: string;
  /** Reason for which the operator needs it. */
  readonly description: string;
}

/** Settings of the bundle that `kgen bundle` writes. */
export interface BundleSettings {
  /** Name for people. Default: the name of the operator as words, `My Operator`. */
  readonly displayName?: string;
  /** Description in Markdown. Default: `description` of package.json, otherwise a sentence with the kinds. */
  readonly description?: string;
  /** Default: `keywords` of package.json, otherwise the kinds. */
  readonly keywords?: readonly string[];
  /** Default: none. */
  readonly categories?: readonly BundleCategory[];
  /** Default: `Basic Install`. */
  readonly capabilities?: BundleCapabilities;
  /**
   * Such as `alpha` or `stable`. Default: `alpha` before version 1 and for pre-releases, otherwise `stable`.
   */
  readonly maturity?: string;
  /** Publisher. Default: `author` of package.json, otherwise the name for people. */
  readonly provider?: { readonly name: string; readonly url?: string };
  /** Default: those of package.json that have an address (`author`, `maintainers`, `contributors`). */
  readonly maintainers?: readonly { readonly name: string; readonly email: string }[];
  /** Default: `homepage` and `repository` of package.json. */
  readonly links?: readonly { readonly name: string; readonly url: string }[];
  /** File of a picture: .svg, .png, .jpg or .gif. Default: the initials of the name. */
  readonly icon?: string;
  /** Oldest supported version of Kubernetes. Default: `1.29.0`, or `1.32.0` with selectable fields. */
  readonly minKubeVersion?: string;
  /** Default: `AllNamespaces`, the only one of OLM v1. */
  readonly installModes?: readonly InstallMode[];
  /**
   * Channels with this version. Default: `candidate` before version 1 and for pre-releases, otherwise
   * `stable`.
   */
  readonly channels?: readonly string[];
  /** Default: the first channel. */
  readonly defaultChannel?: string;
  /** Version from which OLM upgrades to this one. Default: none. */
  readonly replaces?: string;
  /** Versions that upgrades leave out, though they are in the catalog. Default: none. */
  readonly skips?: readonly string[];
  /** Range of versions from which OLM upgrades directly: `>=1.0.0 <1.4.0`. Default: none. */
  readonly skipRange?: string;
  /** Definitions of others, which OLM v1 cannot install. Default: none. */
  readonly requires?: readonly RequiredDefinition[];
  /**
   * Release of OLM that installs the bundle: `v1` for both releases, `v0` to permit what OLM v1 does not
   * support. Default: `v1`.
   */
  readonly olm?: 'v0' | 'v1';
}

const categories: readonly BundleCategory[] = [
  ...(['AI/Machine Learning', 'Application Runtime', 'Big Data', 'Cloud Provider', 'Database'] as const),
  ...(['Developer Tools', 'Integration & Delivery', 'Logging & Tracing'] as const),
  ...(['Modernization & Migration', 'Monitoring', 'Networking', 'Observability'] as const),
  ...(['OpenShift Optional', 'Security', 'Storage', 'Streaming & Messaging'] as const),
];
const capabilities: readonly BundleCapabilities[] = [
  ...(['Basic Install', 'Seamless Upgrades', 'Full Lifecycle', 'Deep Insights', 'Auto Pilot'] as const),
];
/** In the order of ClusterServiceVersions. */
export const installModes: readonly InstallMode[] = [
  ...(['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'] as const),
];

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const isVersion = (value: unknown): boolean => isText(value) && versionPattern.test(value);
const isUrl = (value: unknown): boolean => isText(value) && /^https?:\/\/\S+$/.test(value);

/** A version of semver without build metadata, which names in Kubernetes cannot contain. */
export const versionPattern: RegExp =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;
const comparator = String.raw`(>=|<=|!=|>|<|=|==|!)?\s*\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?`;
const rangePattern = new RegExp(`^${comparator}((\\s+|\\s*\\|\\|\\s*)${comparator})*$`);

const text: Rule = { test: isText, words: 'a string that is not empty' };
const channel = (value: unknown): boolean => isText(value) && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/i.test(value);

/** Rules of the settings. */
export const bundleRules: Readonly<Record<keyof BundleSettings, Rule>> = {
  displayName: text,
  description: text,
  keywords: listOf(isText, 'strings'),
  categories: listOf(oneOf(categories), `categories of OperatorHub: ${categories.join(', ')}`),
  capabilities: { test: oneOf(capabilities), words: `one of ${capabilities.join(', ')}` },
  maturity: text,
  provider: { test: members({ name: isText, url: isUrl }, ['url']), words: 'an object with name and url' },
  maintainers: listOf(
    members({ name: isText, email: (value) => isText(value) && /^[^@\s<>]+@[^@\s<>]+$/.test(value) }),
    'objects with name and email',
  ),
  links: listOf(members({ name: isText, url: isUrl }), 'objects with name and url'),
  icon: {
    test: (value) => isText(value) && /\.(svg|png|jpe?g|gif)$/i.test(value),
    words: 'the path of a file .svg, .png, .jpg or .gif',
  },
  minKubeVersion: { test: isVersion, words: 'a version of Kubernetes with three numbers, such as `1.30.0`' },
  installModes: {
    test: (value) => Array.isArray(value) && value.length > 0 && value.every(oneOf(installModes)),
    words: `a list of ${installModes.join(', ')}`,
  },
  channels: {
    test: (value) => Array.isArray(value) && value.length > 0 && value.every(channel),
    words: 'a list of names of channels, such as `stable`',
  },
  defaultChannel: { test: channel, words: 'the name of a channel' },
  replaces: { test: isVersion, words: 'a version, such as `1.2.0`' },
  skips: listOf(isVersion, 'versions, such as `1.2.0`'),
  skipRange: {
    test: (value) => isText(value) && rangePattern.test(value),
    words: 'a range of versions, such as `>=1.0.0 <1.4.0`',
  },
  requires: listOf(
    members({
      name: (value) => isText(value) && isSubdomain(value) && value.includes('.'),
      version: (value) => isText(value) && isLabel(value),
      kind: isText,
      description: isText,
    }),
    'objects with name, version, kind and description',
  ),
  olm: { test: oneOf(['v0', 'v1']), words: '`v0` or `v1`' },
};

function listOf(isMember: (value: unknown) => boolean, words: string): Rule {
  return { test: (value) => Array.isArray(value) && value.every(isMember), words: `a list of ${words}` };
}

function members(
  tests: Readonly<Record<string, (value: unknown) => boolean>>,
  optional: readonly string[] = [],
) {
  return (value: unknown): boolean =>
    isObject(value) &&
    Object.keys(value).every((key) => Object.hasOwn(tests, key)) &&
    Object.entries(tests).every(([key, test]) => {
      const member: unknown = Reflect.get(value, key);
      return member === undefined ? optional.includes(key) : test(member);
    });
}

function oneOf(names: readonly string[]): (value: unknown) => boolean {
  return (value) => names.some((name) => name === value);
}
