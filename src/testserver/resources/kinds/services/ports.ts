/** Ports of nodes for services. */

import { invalidValue } from '@kgen/runtime/objects';
import {
  array,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  replace,
  text,
} from '@kgen/schema/values/json';
import { failure, invalid } from '../../../errors/failures.ts';
import type { Allocation } from './addresses.ts';
import { allocatesPorts, isExposed, needsHealthPort } from './spec.ts';

const range = { first: 30_000, last: 32_767 };

/** The lowest ports are for services that name their port: they are allocated when all others are taken. */
const reserved = 86;

/** The ports that other services have, and those of this one. */
interface Ports {
  readonly taken: Set<number>;
  readonly own: ReadonlySet<number>;
}

/**
 * Allocates ports of nodes. An update that does not name them keeps them.
 * @throws {Failure} 422 for a port that is taken or outside the range; 500 if it is that of health checks
 */
export function withPorts(spec: JsonObject, allocation: Allocation): JsonObject {
  const { before } = allocation;
  const named = before === undefined ? spec : withKeptPorts(spec, before);
  const ports: Ports = { taken: takenPorts(allocation), own: new Set(nodePortsOf(before)) };
  const exposed = isExposed(named)
    ? replace(named, 'ports', allocatedPorts(named, ports, allocation))
    : named;
  return withHealthPort(exposed, ports, allocation);
}

function nodePortsOf(spec: JsonObject | undefined): readonly number[] {
  return array(spec, 'ports')
    .map(nodePortOf)
    .filter((port) => port !== 0);
}

function nodePortOf(port: Json): number {
  return Number(own(port, 'nodePort') ?? 0);
}

/** Ports with the same name keep their ports of nodes, unless another port has it now. */
function withKeptPorts(spec: JsonObject, before: JsonObject): JsonObject {
  const health = healthPortOf(before);
  const kept =
    needsHealthPort(spec) && needsHealthPort(before) && healthPortOf(spec) === 0 && health !== 0
      ? { ...spec, healthCheckNodePort: health }
      : spec;
  if (!allocatesPorts(spec) || !allocatesPorts(before)) return kept;
  const now = nodePortsOf(spec);
  const byName = new Map(array(before, 'ports').map((port) => [text(port, 'name'), nodePortOf(port)]));
  const ports = array(spec, 'ports').map((port) => {
    const previous = byName.get(text(port, 'name')) ?? 0;
    const isFree = previous !== 0 && !now.includes(previous);
    return isObject(port) && nodePortOf(port) === 0 && isFree ? { ...port, nodePort: previous } : port;
  });
  return own(kept, 'ports') === undefined ? kept : replace(kept, 'ports', ports);
}

function healthPortOf(spec: JsonObject): number {
  return Number(own(spec, 'healthCheckNodePort') ?? 0);
}

function takenPorts({ cluster, uid }: Allocation): Set<number> {
  const others = cluster.store
    .list('services')
    .filter(([, service]) => text(service, 'metadata', 'uid') !== uid)
    .map(([, service]) => object(service, 'spec'));
  return new Set(others.flatMap((spec) => [healthPortOf(spec), ...nodePortsOf(spec)]));
}

/** In a create, ports with the same number share a port of nodes. */
function allocatedPorts(spec: JsonObject, ports: Ports, allocation: Allocation): readonly Json[] {
  const items = array(spec, 'ports');
  const shared = new Map<Json, number>();
  const used = new Set<string>();
  return items.map((port, index) => {
    if (!isObject(port) || (nodePortOf(port) === 0 && !allocatesPorts(spec))) return port;
    const number = own(port, 'port') ?? 0;
    const [previous, requested] = [
      shared.get(number),
      items.find((each) => own(each, 'port') === number && nodePortOf(each) !== 0),
    ];
    const expected =
      nodePortOf(port) || (allocation.before === undefined ? (previous ?? nodePortOf(requested ?? null)) : 0);
    const nodePort = expected === 0 ? freePort(ports, allocation) : expected;
    if (expected !== 0 && expected !== previous && !ports.own.has(expected)) {
      const why = portProblem(expected, ports, allocation);
      const field = `spec.ports[${index}].nodePort`;
      if (why !== undefined)
        throw invalid('', 'Service', allocation.name, [invalidValue(field, expected, why)]);
    }
    checkRepeated(used, port, nodePort, allocation);
    ports.taken.add(nodePort);
    if (previous === undefined) shared.set(number, nodePort);
    return { ...port, nodePort };
  });
}

/** @throws {Failure} 500 for two ports of one protocol with one port of nodes */
function checkRepeated(used: Set<string>, port: JsonObject, nodePort: number, { before }: Allocation): void {
  const key = `${text(port, 'protocol')} ${nodePort}`;
  if (before !== undefined && used.has(key)) throw failure(500, '', `duplicate nodePort: {${key}}`);
  used.add(key);
}

/** Dry runs do not check the range. */
function portProblem(port: number, { taken }: Ports, { cluster }: Allocation): string | undefined {
  if (!cluster.dryRun && (port < range.first || port > range.last))
    return `provided port is not in the valid range. The range of valid ports is ${range.first}-${range.last}`;
  return taken.has(port) ? 'provided port is already allocated' : undefined;
}

function freePort({ taken, own: kept }: Ports, { cluster }: Allocation): number {
  const size = range.last - range.first + 1;
  const start = reserved + Math.floor(cluster.random() * (size - reserved));
  for (let index = 0; index < size; index++) {
    const port = range.first + ((start + index) % size);
    if (!taken.has(port) && !kept.has(port)) return port;
  }
  return 0;
}

/** Allocates the port of health checks if the service did not have one. */
function withHealthPort(spec: JsonObject, ports: Ports, allocation: Allocation): JsonObject {
  const { before } = allocation;
  if (!needsHealthPort(spec) || (before !== undefined && needsHealthPort(before))) return spec;
  const expected = healthPortOf(spec);
  if (expected === 0) return { ...spec, healthCheckNodePort: freePort(ports, allocation) };
  const why = portProblem(expected, ports, allocation);
  const message = `failed to allocate requested HealthCheck NodePort ${expected}: ${why}`;
  if (why !== undefined) throw failure(500, 'InternalError', `Internal error occurred: ${message}`);
  return spec;
}
