import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import type { ClusterConfig } from '@kgen/runtime';
import {
  array,
  at,
  fromEntries,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  text,
} from '../../schema/values/json.ts';

/**
 * One request of a contract. `{rv}` and `{continue}` are replaced by the values of the last response that
 * contained them.
 */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  readonly type?: string;
  readonly accept?: string;
  /**
   * The request is repeated until this status is received: a real server serves a new definition after a
   * moment.
   */
  readonly until?: number;
  /**
   * The request is repeated until the response contains this string: discovery lists a new definition a
   * moment after it is served.
   */
  readonly message?: string;
  /** The request is repeated until its warnings contain this string. */
  readonly warns?: string;
  /** The response is not compared. */
  readonly ignore?: boolean;
}

/** A response. */
export interface Exchange {
  readonly code: number;
  readonly warnings: string;
  readonly body: string;
}

/** Sends one request with the credentials of `config`. */
export function send(config: ClusterConfig, step: Step): Promise<Exchange> {
  const url = new URL(config.server + step.path);
  const body = typeof step.body === 'string' ? step.body : JSON.stringify(step.body ?? '');
  const options = {
    method: step.method,
    ca: config.tls?.ca,
    cert: config.tls?.cert,
    key: config.tls?.key,
    timeout: 20_000,
    headers: {
      'User-Agent': 'contract/1',
      ...(config.auth?.token === undefined ? {} : { Authorization: `Bearer ${config.auth.token}` }),
      ...(step.accept === undefined ? {} : { Accept: step.accept }),
      ...(step.body === undefined
        ? {}
        : { 'Content-Type': step.type ?? 'application/json', 'Content-Length': Buffer.byteLength(body) }),
    },
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const warnings = String(response.headers['warning'] ?? '');
        resolve({ code: response.statusCode ?? 0, warnings, body: Buffer.concat(chunks).toString('utf8') });
      });
    });
    request.on('timeout', () => request.destroy(new Error(`${step.method} ${step.path}: no answer`)));
    request.on('error', (cause) =>
      reject(new Error(`${step.method} ${config.server}${step.path}`, { cause })),
    );
    request.end(step.body === undefined ? undefined : body);
  });
}

/** Gives up after ten seconds: the comparison then shows the last response. */
async function sendUntil(config: ClusterConfig, step: Step, attempts = 200): Promise<Exchange> {
  const response = await send(config, step);
  const { until = response.code, message = '', warns = '' } = step;
  const isIncluded =
    response.code === until && response.body.includes(message) && response.warnings.includes(warns);
  if (isIncluded || attempts === 0) return response;
  await setTimeout(50);
  return sendUntil(config, step, attempts - 1);
}

/** Sends the steps one after the other and returns the parts that can be compared between servers. */
export async function play(config: ClusterConfig, steps: readonly Step[]): Promise<readonly Json[]> {
  const responses: Json[] = [];
  let [version, token] = ['', ''];
  for (const step of steps) {
    const filled = JSON.parse(
      JSON.stringify(step).replaceAll('{rv}', version).replaceAll('{continue}', encodeURIComponent(token)),
    ) as Step;
    const response = await sendUntil(config, filled);
    const metadata = at(parse(response.body), 'metadata');
    version = text(metadata, 'resourceVersion') || version;
    token = text(metadata, 'continue') || token;
    if (step.ignore === true) responses.push({});
    else
      responses.push({ code: response.code, warnings: response.warnings, body: comparable(response.body) });
  }
  return responses;
}

function parse(body: string): Json {
  try {
    // Responses are only compared as JSON.
    return JSON.parse(body) as Json;
  } catch {
    // A watch sends one document per line; other responses are compared as strings.
    return body.split('\n').map((line) => (line.startsWith('{') ? (JSON.parse(line) as Json) : line));
  }
}

function comparable(body: string): Json {
  const value = sortCauses(parse(body));
  return normalize(value);
}

/** The order of errors of several fields is undefined. */
function sortCauses(value: Json): Json {
  const causes = array(value, 'details', 'causes');
  if (!isObject(value) || causes.length < 2) return value;
  const sorted = [...causes].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const details = { ...(value['details'] as JsonObject), causes: sorted };
  return {
    ...value,
    details,
    message: text(value, 'message').replace(/(?<=invalid: |conflicts: ).*$/s, '…'),
  };
}

/** Members that differ between runs, and hashes that only a real server has. */
const volatile = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'lastTransitionTime',
  'lastPhaseTransitionTime',
  'time',
  'continue',
];

function normalize(value: Json): Json {
  if (isArray(value)) return sortUnordered(value.map(normalize));
  if (!isObject(value)) return typeof value === 'string' ? maskText(value) : value;
  const hidden = [
    'storageVersionHash',
    ...(isBuiltIn(value) ? ['managedFields'] : []),
    // Descriptions of columns are those of the documentation.
    ...('priority' in value && 'format' in value ? ['description'] : []),
  ];
  const entries = Object.entries(value).filter(([key]) => !hidden.includes(key));
  return fromEntries(
    entries.map(([key, item]) => {
      if (key === 'cells') return [key, maskCells(array(item))];
      return [key, isVolatile(key, item) ? `<${key}>` : normalize(item)];
    }),
  );
}

/** Cells contain ages and times of creation. */
function maskCells(cells: readonly Json[]): readonly Json[] {
  return cells.map((cell) => {
    if (typeof cell !== 'string') return cell;
    return cell.replace(/^(?:\d+[smhdy])+$/, '<age>').replace(/^\d{4}-\d\d-\d\dT.*Z$/, '<time>');
  });
}

/** Ports are allocated at random, if the request does not name them. */
function isVolatile(key: string, item: Json): boolean {
  if (/^(nodePort|healthCheckNodePort)$/.test(key)) return Number(item) > 30_085;
  return volatile.includes(key) && item !== '' && item !== null;
}

/**
 * The order of resources in discovery is undefined, and managed fields are ordered by the second of the
 * write.
 */
function sortUnordered(items: readonly Json[]): readonly Json[] {
  const keys = ['singularName', 'fieldsType'].some((key) => items.some((item) => text(item, key) !== ''))
    ? ['name', 'manager', 'operation', 'subresource']
    : [];
  const order = (item: Json): string => keys.map((key) => text(item, key)).join(' ');
  return keys.length === 0 ? items : items.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}

/**
 * Returns whether this is the metadata of a definition or a namespace, whose owners differ on a real server.
 */
function isBuiltIn(metadata: JsonObject): boolean {
  const entries = array(metadata, 'managedFields');
  return entries.some((entry) => ['v1', 'apiextensions.k8s.io/v1'].includes(text(entry, 'apiVersion')));
}

function maskText(value: string): string {
  return (
    value
      // A new name at each start of the server.
      .replace(/selfType\d+/g, 'selfType')
      // Differences of internal types, which only a real server prints.
      .replace(/\n@@ .*$/s, '\n')
      .replace(/(?<!\d)10\.0\.0\.\d+/g, '<ip>')
      // The messages of the parsers differ.
      .replace(/(?<=^|patch: )(?:unexpected end of JSON input|(?:Expected|Unexpected) .*)$/s, '<json>')
      .replace(/^(?:unable to parse requirement: |found ').*$/s, '<selector>')
      .replace(/(?<=continue key is not valid: ).*$/s, '<token>')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
      // The whole patched object, whose keys have a different order.
      .replace(/(?<=Invalid value: )"\{.*\}"(?=: )/, '<object>')
      .replace(/(?<=in record \()\d+/, '<rv>')
      .replace(/(?<=, current: )\d+/, '<rv>')
  );
}
