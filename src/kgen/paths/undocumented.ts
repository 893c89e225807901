/**
 * Paths that every API server has and no OpenAPI document lists: health checks, metrics, and `/version`.
 * @see https://kubernetes.io/docs/reference/using-api/health-checks/
 */
import { mergePaths } from './merge.ts';
import type { Operation, Parameter, PathItem, Paths } from './openapi.ts';

const parameters: readonly Parameter[] = [
  {
    name: 'exclude',
    in: 'query',
    required: false,
    description: 'Names of checks that are left out.',
    schema: { type: 'array', items: { type: 'string' } },
  },
  {
    name: 'verbose',
    in: 'query',
    required: false,
    description: 'Lists the checks. Only its presence matters.',
    schema: { type: 'boolean', enum: [true] },
  },
];

/**
 * Adds these paths to those of a whole server. Paths of a part of a server, which lack `/version/`, are
 * unchanged.
 */
export function withUndocumented(paths: Paths, descriptions: boolean): Paths {
  const version = paths.get('/version/');
  if (version === undefined) return paths;
  const checked = new Map([['get' as const, text(descriptions ? parameters : parameters.map(undescribed))]]);
  const checks = ['/healthz', '/livez', '/readyz'].map((path) => [path, checked] as const);
  const metrics: PathItem = new Map([['get', text([])]]);
  return mergePaths([paths, new Map([...checks, ['/metrics', metrics], ['/version', version]])]);
}

function text(parameters: readonly Parameter[]): Operation {
  const content = { 'text/plain': { schema: { type: 'string' } } } as const;
  return { parameters, responses: { '200': { description: '', content }, '401': { description: '' } } };
}

function undescribed({ description: _, ...parameter }: Parameter): Parameter {
  return parameter;
}
