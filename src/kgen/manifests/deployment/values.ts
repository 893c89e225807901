/** Values of a deployment: defaults of the manifests, and the values of the chart. */
import { dump } from 'js-yaml';

/** Facts of an operator that its deployment states. */
export interface DeploymentSettings {
  /** Image with its tag. Default: the name of the operator with `latest`. */
  readonly image?: string;
  /** Number of Pods, of which one leads. Default: 2. */
  readonly replicas?: number;
  /** Resources of the container. Default: requests of 10m and 96Mi, a limit of 256Mi. */
  readonly resources?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Environment variables. Default: none. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Registration of the webhooks of an operator. */
export interface WebhookSettings {
  /** Service in the namespace of the operator. Default: `NAME-webhook`, port 443. */
  readonly service?: { readonly name?: string; readonly port?: number };
  /** Base URL in place of a Service, for servers outside of the cluster: `https://example.com/hooks`. */
  readonly url?: string;
  /** Port of the server in the Pods, if the program computes it. Default: that of the program. */
  readonly port?: number;
  /**
   * Program that writes the `caBundle`: of cert-manager's Certificate `NAME-webhook`, or of OpenShift's
   * service-ca. Default: the operator itself.
   */
  readonly injectCa?: 'cert-manager' | 'service-ca';
}

/** A value that users of the chart set. */
export interface ValueRow {
  /** Path below the values, such as `image.tag`. */
  readonly path: string;
  readonly value: unknown;
  /** JSON Schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly about: string;
}

const measured = { requests: { cpu: '10m', memory: '96Mi' }, limits: { memory: '256Mi' } };

/** Returns the values of an operator, in the order of the file. */
export function valuesOf(name: string, settings: DeploymentSettings): readonly ValueRow[] {
  const { image = `${name}:latest`, replicas = 2, resources = measured, env = {} } = settings;
  const { repository, tag } = imageParts(image);
  const variables = Object.entries(env).map(([key, value]) => ({ name: key, value }));
  const [text, flag, map, list] = [
    { type: 'string' },
    { type: 'boolean' },
    { type: 'object' },
    { type: 'array', items: { type: 'object' } },
  ];
  const row = (path: string, value: unknown, schema: ValueRow['schema'], about: string): ValueRow => ({
    ...{ path, value, schema, about },
  });
  return [
    row('image.repository', repository, text, 'Image without its tag.'),
    row('image.tag', tag, text, 'Tag of the image.'),
    row(
      'image.pullPolicy',
      'IfNotPresent',
      { enum: ['Always', 'IfNotPresent', 'Never'] },
      'When the image is pulled.',
    ),
    row('replicas', replicas, { type: 'integer', minimum: 0 }, 'Number of Pods, of which one leads.'),
    row('resources', resources, map, 'Resources of the container.'),
    row('env', variables, list, 'Environment variables of the container.'),
    row('podAnnotations', {}, map, 'Annotations of the Pods.'),
    row('podLabels', {}, map, 'Labels of the Pods besides their own.'),
    row('nodeSelector', {}, map, 'Labels of the nodes on which the Pods run.'),
    row('tolerations', [], list, 'Taints that the Pods tolerate.'),
    row('affinity', {}, map, 'Affinity of the Pods.'),
    row('priorityClassName', '', text, 'Priority class of the Pods.'),
    row('crds.install', true, flag, 'Whether the CustomResourceDefinitions are part of the release.'),
    row('crds.keep', true, flag, 'Whether they, and with them all objects, outlive the release.'),
    row('monitoring.enabled', false, flag, 'Whether a ServiceMonitor for Prometheus is created.'),
    row('networkPolicy.enabled', false, flag, 'Whether only metrics and webhooks can be reached.'),
  ];
}

/** Splits an image. The port of a registry belongs to the repository, a digest to the tag. */
function imageParts(image: string): { readonly repository: string; readonly tag: string } {
  const [, repository = image, tag = 'latest'] = /^(.+?):([^/:@]+(?:@.+)?)$/.exec(image) ?? [];
  return { repository, tag };
}

/** Text of the values, either themselves or as expressions of a chart. */
export interface ValuePrinter {
  /** Returns a value inside of a line. */
  readonly inline: (path: string) => string;
  /** Returns a member with a value of several lines; `''` for one that is empty. */
  readonly member: (key: string, path: string, indent: number) => string;
  /** Returns the members of an object. */
  readonly members: (path: string, indent: number) => string;
  /** Returns lines that exist if a flag is set. */
  readonly given: (path: string, lines: string) => string;
  /** Namespace of the operator. */
  readonly namespace: string;
}

/** Returns a printer of the values themselves. */
export function plainPrinter(rows: readonly ValueRow[], namespace: string): ValuePrinter {
  const values = new Map(rows.map(({ path, value }) => [path, value]));
  return {
    inline: (path) => String(values.get(path)),
    member: (key, path, indent) => {
      const value = values.get(path);
      return isEmpty(value) ? '' : yaml({ [key]: value }, indent);
    },
    members: (path, indent) => (isEmpty(values.get(path)) ? '' : yaml(values.get(path), indent)),
    given: (path, lines) => (values.get(path) === true ? lines : ''),
    namespace,
  };
}

/** Returns a printer of expressions of a chart. */
export function chartPrinter(rows: readonly ValueRow[]): ValuePrinter {
  const texts = new Set(rows.flatMap(({ path, schema }) => (schema['type'] === 'string' ? [path] : [])));
  return {
    inline: (path) => `{{ .Values.${path} }}`,
    member: (key, path, indent) => {
      const pad = ' '.repeat(indent);
      const value = texts.has(path)
        ? ' {{ . | quote }}'
        : `\n${pad}  {{- toYaml . | nindent ${indent + 2} }}`;
      return `${pad}{{- with .Values.${path} }}\n${pad}${key}:${value}\n${pad}{{- end }}\n`;
    },
    members: (path, indent) => {
      const pad = ' '.repeat(indent);
      return `${pad}{{- with .Values.${path} }}\n${pad}{{- toYaml . | nindent ${indent} }}\n${pad}{{- end }}\n`;
    },
    given: (path, lines) => `{{- if .Values.${path} }}\n${lines}{{- end }}\n`,
    namespace: '{{ .Release.Namespace }}',
  };
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

function yaml(value: unknown, indent: number): string {
  return dump(value, { lineWidth: -1 }).replace(/^(?=.)/gm, ' '.repeat(indent));
}

/** Returns rows with the last part of their paths; rows of one object follow each other, under its name. */
export function valueGroups(
  rows: readonly ValueRow[],
): readonly (readonly [name: string | undefined, members: readonly (readonly [string, ValueRow])[]])[] {
  const nameOf = ({ path }: ValueRow): string | undefined => path.split('.').at(-2);
  const starts = rows.flatMap((row, index) => {
    const above = rows[index - 1];
    return above !== undefined && nameOf(above) === nameOf(row) ? [] : [index];
  });
  return starts.map((start, index) => {
    const members = rows.slice(start, starts[index + 1]);
    return [members[0] && nameOf(members[0]), members.map((row) => [row.path.split('.').at(-1) ?? '', row])];
  });
}
