/** Pods and ports to which proxies connect. */

import { array, type Json, type JsonObject, own, text } from '@kgen/schema/values/json';
import type { Context } from '../call/context.ts';
import { badRequest, failure, notFound } from '../errors/failures.ts';
import type { Failure } from '../errors/status.ts';

/** A port of a pod. */
export interface ProxyTarget {
  readonly pod: string;
  readonly address: string;
  readonly port: number;
}

/**
 * Returns the port of a pod: the one that its name ends with, or the first one that it declares.
 * @throws {Failure} 400 or 404
 */
export function podTarget(context: Context): ProxyTarget {
  const { name, port } = partsOf(context, 'pod');
  const pod = podNamed(context, name);
  if (pod === undefined) throw notFound(context.type, name);
  const address = text(pod, 'status', 'podIP');
  if (address === '') throw badRequest('address not allowed');
  const declared = array(pod, 'spec', 'containers').flatMap((each) => array(each, 'ports'))[0];
  const number = port === '' ? numberOf(own(declared ?? null, 'containerPort'), 80) : Number(port);
  if (!Number.isInteger(number)) throw unavailable(`error trying to reach service: unknown port ${port}`);
  return { pod: name, address, port: number };
}

/**
 * Returns the port of a ready pod of a service.
 * @throws {Failure} 400, 404, or 503 without an endpoint
 */
export function serviceTarget(context: Context): ProxyTarget {
  const { store, type, namespace } = context;
  const { name, port } = partsOf(context, 'service');
  const key = `${namespace}/${name}`;
  const service = store.get(type.storage, key);
  const isNumber = /^[+-]?\d+$/.test(port);
  if (service === undefined && isNumber) throw notFound(type, name);
  const named = array(service ?? null, 'spec', 'ports').find((each) => own(each, 'port') === Number(port));
  if (isNumber && named === undefined)
    throw unavailable(`no service port ${Number(port)} found for service "${name}"`);
  const endpoints = store.get('endpoints', key);
  if (endpoints === undefined) throw notFound(type, name);
  const subsets = array(endpoints, 'subsets');
  const target = targetOf(context, subsets, isNumber ? text(named ?? null, 'name') : port);
  if (target !== undefined) return target;
  throw unavailable(`no endpoints available for service "${subsets.length === 0 ? name : context.name}"`);
}

function targetOf(context: Context, subsets: readonly Json[], port: string): ProxyTarget | undefined {
  for (const subset of subsets) {
    const found = array(subset, 'ports').find((each) => text(each, 'name') === port);
    const addresses = array(subset, 'addresses').filter((each) => isOfPod(context, each));
    if (found === undefined || addresses.length === 0) continue;
    const chosen = addresses[Math.floor(context.environment.random() * addresses.length)] ?? null;
    const pod = text(chosen, 'targetRef', 'name');
    return { pod, address: text(chosen, 'ip'), port: numberOf(own(found, 'port'), 80) };
  }
  return undefined;
}

/** Whether an address is that of a pod, to which alone proxies connect. */
function isOfPod(context: Context, address: Json): boolean {
  if (text(address, 'targetRef', 'namespace') !== context.namespace) return false;
  const pod = podNamed(context, text(address, 'targetRef', 'name'));
  return array(pod ?? null, 'status', 'podIPs').some((each) => text(each, 'ip') === text(address, 'ip'));
}

function podNamed({ store, namespace }: Context, name: string): JsonObject | undefined {
  return store.get('pods', `${namespace}/${name}`);
}

interface NameParts {
  readonly name: string;
  readonly port: string;
}

/** Returns the parts of `name`, `name:port` or `scheme:name:port`. */
function partsOf({ name }: Context, kind: string): NameParts {
  const [first = '', second, third, ...more] = name.split(':');
  if (third === undefined && more.length === 0 && first !== '') return { name: first, port: second ?? '' };
  const isScheme = ['', 'http', 'https'].includes(first);
  if (isScheme && second !== undefined && second !== '' && third !== undefined && more.length === 0)
    return { name: second, port: third };
  throw badRequest(`invalid ${kind} request "${name}"`);
}

function numberOf(value: Json | undefined, missing: number): number {
  return typeof value === 'number' ? value : missing;
}

function unavailable(message: string): Failure {
  return failure(503, 'ServiceUnavailable', message);
}
