/** Generated types with one fault each, which the comparison must detect. */
import type { Files } from '../support/emitted.ts';

/** A fault: a replacement in the source of a type. */
export interface Fault {
  /** Full name of the definition. */
  readonly definition: string;
  readonly from: string;
  readonly to: string;
}

const core = 'io.k8s.api.core.v1.';

/**
 * Every class of faults in types of the core group, once; no value of one of these types contains another one
 * of them.
 */
export const anyFaults: readonly Fault[] = [
  {
    definition: `${core}ContainerPort`,
    from: 'containerPort: number;',
    to: 'containerPort?: number | undefined;',
  },
  { definition: `${core}EnvVar`, from: 'value?: string | undefined;', to: 'value: string;' },
  {
    definition: `${core}Toleration`,
    from: 'tolerationSeconds?: number | undefined;',
    to: 'tolerationSeconds?: string | undefined;',
  },
  { definition: `${core}Sysctl`, from: 'value: string;', to: 'value: unknown;' },
  {
    definition: `${core}SecurityContext`,
    from: 'privileged?: boolean | undefined;',
    to: 'privileged?: boolean | null | undefined;',
  },
  {
    definition: `${core}ISCSIVolumeSource`,
    from: 'portals?: string[] | undefined;',
    to: 'portals?: string | undefined;',
  },
  {
    definition: `${core}PodDNSConfig`,
    from: 'searches?: string[] | undefined;',
    to: 'searches?: unknown[] | undefined;',
  },
  {
    definition: `${core}ConfigMap`,
    from: 'data?: { [key: string]: string } | undefined;',
    to: 'data?: { [key: string]: unknown } | undefined;',
  },
  { definition: `${core}Binding`, from: "kind?: 'Binding' | undefined;", to: 'kind?: string | undefined;' },
  { definition: `${core}HostAlias`, from: 'hostnames?: string[] | undefined;', to: '' },
  { definition: `${core}PodAffinity`, from: '{', to: '{\n  extra?: string;' },
  { definition: `${core}PodIP`, from: '{', to: '{\n  [key: string]: unknown;' },
  {
    definition: `${core}Lifecycle`,
    from: 'preStop?: LifecycleHandler | undefined;',
    to: 'preStop?: ContainerStateRunning | undefined;',
  },
  {
    definition: `${core}Node`,
    from: 'metadata?: ClusterMeta | undefined;',
    to: 'metadata?: ObjectMeta | undefined;',
  },
  {
    definition: `${core}ResourceQuotaStatus`,
    from: 'hard?: { [key: string]: Quantity } | undefined;',
    to: 'hard?: { [key: string]: number } | undefined;',
  },
  { definition: `${core}NamespaceList`, from: 'metadata: ListMeta;', to: 'metadata?: ListMeta | undefined;' },
];

/** Faults of enumerations, which published documents do not have. */
export const enumFaults: readonly Fault[] = [
  { definition: `${core}AppArmorProfile`, from: "'Localhost' | ", to: '' },
  { definition: `${core}ServicePort`, from: "'SCTP' | ", to: "'SCTP' | 'Pigeon' | " },
  { definition: `${core}ContainerPort`, from: ' | (string & {})', to: '' },
];

/**
 * Returns the files with all faults.
 * @throws if the replaced source does not occur
 */
export function breakAll(files: Files, faults: readonly Fault[]): Files {
  const path = 'core/v1/types.ts';
  const text = faults.reduce(breakType, files.get(path) ?? '');
  return new Map([...files, [path, text]]);
}

function breakType(text: string, { definition, from, to }: Fault): string {
  const start = text.indexOf(`export interface ${definition.slice(core.length)} {`);
  const at = text.indexOf(from, start);
  const end = text.indexOf('\n}', start);
  if (start < 0 || at < 0 || at > end) throw new Error(`${definition} has no ${from}`);
  return text.slice(0, at) + to + text.slice(at + from.length);
}
