/**
 * Metrics of the server in the format of Prometheus: those of a real server whose values exist in memory.
 * @see https://kubernetes.io/docs/reference/instrumentation/metrics/
 */
import { nominalSeats } from '../access/flow-schemas.ts';
import type { ServerState } from '../call/context.ts';
import type { MetricLabels } from '../request/metrics.ts';
import type { ApiResponse } from '../request/request.ts';
import { servedTypes } from '../resources/catalog.ts';
import { checks } from './health.ts';

/** Response of `/version`: the version of the API server whose behaviour is implemented. */
export const serverVersion = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.3+kgen.memory',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: '',
};

/** Returns the response to a path of metrics. `undefined` for another path. */
export function metricsOf(state: ServerState, pathname: string): ApiResponse | undefined {
  if (pathname !== '/metrics' && pathname !== '/metrics/slis') return undefined;
  const families = pathname === '/metrics' ? allMetrics(state) : [healthMetric];
  return { kind: 'text', code: 200, contentType, text: families.map(print).join('') };
}

const contentType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

/** The samples of one metric. */
interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly samples: readonly { readonly labels: MetricLabels; readonly value: number }[];
}

function allMetrics({ store, metrics }: ServerState): readonly Metric[] {
  const listed = servedTypes(store).filter(({ verbs }) => verbs.includes('list'));
  const stored = new Map(listed.map((type) => [type.storage, type]));
  return [
    {
      name: 'apiserver_flowcontrol_nominal_limit_seats',
      type: 'gauge',
      help: '[BETA] Nominal number of execution seats configured for each priority level',
      samples: nominalSeats(store).map(([level, value]) => ({ labels: [['priority_level', level]], value })),
    },
    {
      name: 'apiserver_request_total',
      type: 'counter',
      help: '[STABLE] Counter of apiserver requests by verb, resource, scope and response code.',
      samples: metrics.all(),
    },
    {
      name: 'apiserver_resource_objects',
      type: 'gauge',
      help: '[ALPHA] Number of stored objects by kind.',
      samples: [...stored.values()].map(({ storage, group, plural }) => ({
        labels: [
          ['group', group],
          ['resource', plural],
        ],
        value: store.list(storage).length,
      })),
    },
    {
      name: 'kubernetes_build_info',
      type: 'gauge',
      help: '[BETA] Version of the server, with the constant value 1.',
      samples: [
        {
          labels: [
            ['git_version', serverVersion.gitVersion],
            ['major', serverVersion.major],
            ['minor', serverVersion.minor],
          ],
          value: 1,
        },
      ],
    },
    healthMetric,
  ];
}

const healthMetric: Metric = {
  name: 'kubernetes_healthcheck',
  type: 'gauge',
  help: '[STABLE] Result of a single health check.',
  samples: [...checks].flatMap(([type, names]) =>
    names.map((name) => ({
      labels: [
        ['name', name],
        ['type', type],
      ] satisfies MetricLabels,
      value: 1,
    })),
  ),
};

function print({ name, type, help, samples }: Metric): string {
  const lines = samples.map(({ labels, value }) => {
    const printed = labels.map(([label, item]) => `${label}=${JSON.stringify(item)}`).join(',');
    return `${name}{${printed}} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}
