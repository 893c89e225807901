/** Plays a sequence of requests on a server, and prints the responses without what differs between runs. */

import { parse } from 'yaml';
import {
  array,
  at,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  putAt,
  text,
} from '../../src/schema/values/json.ts';
import { addressOf } from './address.ts';
import { Mask } from './mask.ts';
import type { Port, ReceivedResponse, SentRequest } from './port.ts';
import type { Step } from './step.ts';

/** A masked response. */
export interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** Sends all steps, one after the other, and returns the responses of each. */
export async function play(
  port: Port,
  steps: readonly Step[],
  namespace: string,
): Promise<readonly Outcome[][]> {
  const player = new Player(port, namespace, new Mask(namespace));
  const outcomes: Outcome[][] = [];
  for (const step of steps) outcomes.push(await player.step(step));
  return outcomes;
}

/** Sends the steps of one sequence, and remembers versions and tokens of the responses. */
export class Player {
  readonly #port: Port;
  readonly #namespace: string;
  readonly #mask: Mask | undefined;
  /** Versions of objects, in the order of their responses. */
  readonly #versions: string[] = [];
  #uid = '';
  #token = '';

  /** @param mask undefined if the responses are not compared */
  constructor(port: Port, namespace: string, mask?: Mask) {
    this.#port = port;
    this.#namespace = namespace;
    this.#mask = mask;
  }

  async step(step: Step): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const filled = this.#filled(step);
    const request = requestOf(filled);
    if (step.isUpdate !== true) {
      const response = await this.#port.send(request);
      outcomes.push(this.#outcome(response, response.status === 200 && step.query?.['watch'] === 'true'));
    } else {
      const found = await this.#port.send({ ...request, method: 'GET', query: [], body: undefined });
      outcomes.push(this.#outcome(found));
      const changed = merged(readBody(found.body), filled.body ?? {});
      if (found.status === 200)
        outcomes.push(this.#outcome(await this.#port.send({ ...request, body: JSON.stringify(changed) })));
    }
    if (step.settles === true) await this.#port.settle();
    return outcomes;
  }

  #filled(step: Step): Step {
    const json = JSON.stringify(step)
      .replaceAll('{ns}', this.#namespace)
      .replaceAll('{address}', addressOf(this.#namespace))
      .replaceAll('{rv}', this.#versions.at(-1) ?? '1')
      .replaceAll(
        /\{rv:(\d+)\}/g,
        (_, index) => this.#versions[Number(index)] ?? this.#versions.at(-1) ?? '1',
      )
      .replaceAll('{uid}', this.#uid)
      .replaceAll('{continue}', this.#token);
    // It was a step before the placeholders were replaced.
    return JSON.parse(json) as Step;
  }

  #outcome({ status, headers, body }: ReceivedResponse, isWatch = false): Outcome {
    const value = isWatch ? eventsIn(body) : readBody(body);
    for (const each of objectsIn(value)) this.#remember(each);
    this.#token = text(value, 'metadata', 'continue') || this.#token;
    if (this.#mask === undefined) return { status, headers, body: value };
    return { status, headers: this.#mask.headers(headers), body: this.#mask.body(value) };
  }

  #remember(value: JsonObject): void {
    const { resourceVersion = '', uid = '' } = object(value, 'metadata');
    if (typeof resourceVersion !== 'string' || typeof uid !== 'string' || uid === '') return;
    this.#uid = uid;
    if (resourceVersion !== '' && !this.#versions.includes(resourceVersion))
      this.#versions.push(resourceVersion);
  }
}

/** Returns the objects of a response: itself, the items of a list, or those of the events of a watch. */
function objectsIn(value: Json): readonly JsonObject[] {
  if (isArray(value)) return value.map((event) => object(event, 'object'));
  if (!isObject(value)) return [];
  return isArray(at(value, 'items')) ? array(value, 'items').filter(isObject) : [value];
}

function requestOf({ method, path, query = {}, body, type, accept, user, headers = {} }: Step): SentRequest {
  return {
    method,
    path,
    query: Object.entries(query),
    headers: {
      'user-agent': 'sequences/1',
      ...(accept === undefined ? {} : { accept }),
      ...(user === undefined ? {} : { 'impersonate-user': user }),
      ...headers,
      ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
    },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** Parses the events of a watch. */
export function eventsIn(body: string): Json {
  const lines = body.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Json);
}

/** Parses a body in JSON or YAML; others are strings. */
export function readBody(body: string): Json {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return /^(?:kind|apiVersion): /m.test(body) ? (parse(body, { schema: 'core' }) as Json) : body;
  }
}

/** Merges a patch as a client does that changes an object before it writes it back. */
function merged(value: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  return Object.entries(patch).reduce<JsonObject>(
    (result, [key, item]) => {
      if (item !== null) return putAt(result, [key], merged(at(result, key) ?? {}, item));
      const { [key]: _, ...rest } = result;
      return rest;
    },
    isObject(value) ? value : {},
  );
}
