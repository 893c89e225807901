/**
 * Paths that every API server has and no OpenAPI document names: health checks, and the version as people write it.
 * @see https://kubernetes.io/docs/reference/using-api/health-checks/
 */
import { mergePaths } from './merge.ts';
import type { Method, Operation, Parameter, Paths } from './openapi.ts';

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
export function withHealth(paths: Paths, descriptions: boolean): Paths {
  const version = paths.get('/version/');
  if (version === undefined) return paths;
  const get: Operation = {
    parameters: descriptions ? parameters : parameters.map(({ description: _, ...parameter }) => parameter),
    responses: {
      '200': { description: '', content: { 'text/plain': { schema: { type: 'string' } } } },
      '401': { description: '' },
    },
  };
  const checks = ['/healthz', '/livez', '/readyz'].map(
    (path) => [path, new Map<Method, Operation>([['get', get]])] as const,
  );
  return mergePaths([paths, new Map([...checks, ['/version', version]])]);
}
