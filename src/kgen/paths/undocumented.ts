/**
 * Paths that every API server has and no OpenAPI document names: health checks, metrics, and the version as people
 * write it.
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
    description: 'Lists the checks. Servers only ask whether it is there.',
    schema: { type: 'boolean', enum: [true] },
  },
];

/** The paths of a whole server with these; those of a part of one, which has no `/version/`, as they are. */
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
