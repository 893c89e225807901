/** Requests and limits of containers and pods. */
import { type FieldError, invalidValue } from '@kgen/runtime/objects';
import { type Json, object, own } from '@kgen/schema/values/json';
import { quantityNanos } from '../../builtin/quantity.ts';
import { type Check, optional, whole } from '../support/checks.ts';
import { qualifiedProblems } from '../support/names.ts';

const standard = ['cpu', 'memory', 'ephemeral-storage'];

/** Validates `resources` of a container, or of a pod. */
export const resources: Check = optional(
  whole((value, path) => {
    const [limits, requests] = [object(value, 'limits'), object(value, 'requests')];
    return [
      ...Object.entries(limits).flatMap(([name, item]) =>
        resourceErrors(name, item, `${path}.limits[${name}]`),
      ),
      ...Object.entries(requests).flatMap(([name, item]) => [
        ...resourceErrors(name, item, `${path}.requests[${name}]`),
        ...exceeded(name, item, own(limits, name), `${path}.requests`),
      ]),
    ];
  }),
);

/** Validates the resources that a class of runtimes adds to pods. They are reported as limits. */
export const overhead: Check = (value, path) => resources({ limits: object(value, 'podFixed') }, path);

function resourceErrors(name: string, item: Json, path: string): readonly FieldError[] {
  const nanos = quantityNanos(String(item)) ?? 0n;
  const isFraction = !standard.includes(name) && nanos % 1_000_000_000n !== 0n;
  return [
    ...qualifiedProblems(name).map((detail) => invalidValue(path, name, detail)),
    ...nameErrors(name, path),
    ...(nanos < 0n ? [invalidValue(path, String(item), 'must be greater than or equal to 0')] : []),
    ...(isFraction && name.includes('/') ? [invalidValue(path, String(item), 'must be an integer')] : []),
  ];
}

function nameErrors(name: string, path: string): readonly FieldError[] {
  if (name.includes('/') || standard.includes(name) || name.startsWith('hugepages-')) return [];
  return [
    invalidValue(path, name, 'must be a standard resource type or fully qualified'),
    invalidValue(path, name, 'must be a standard resource for containers'),
  ];
}

function exceeded(name: string, request: Json, limit: Json | undefined, path: string): readonly FieldError[] {
  if (limit === undefined) return [];
  const [requested, allowed] = [quantityNanos(String(request)) ?? 0n, quantityNanos(String(limit)) ?? 0n];
  if (name.includes('/') && requested !== allowed) {
    return [invalidValue(path, String(request), `must be equal to ${name} limit of ${String(limit)}`)];
  }
  return requested > allowed
    ? [invalidValue(path, String(request), `must be less than or equal to ${name} limit of ${String(limit)}`)]
    : [];
}
