/** Calls whose server responds to one request of theirs with JSON of any shape. */
import { vi } from 'vitest';
import { isOwn } from '../../../src/runtime/api/errors.ts';
import type { APIRequest, APIResponse, Transport } from '../../../src/runtime/api/transport.ts';
import { isAmbiguousMatch, isNoMatch } from '../../../src/runtime/discovery/mapping/errors.ts';
import { RESTClient } from '../../../src/runtime/rest/client.ts';
import { settle } from './fake-clock.ts';
import { corruptions, hostileValues } from './hostile.ts';
import type { Seeded } from './random.ts';

/** A call, and the transport of a server that responds to it as it should. */
export interface Scenario {
  readonly server: () => Transport | Promise<Transport>;
  readonly call: (rest: RESTClient) => Promise<unknown>;
  /** The message of an error of the caller, to which a response may lead: the wrong scope of a resource. */
  readonly mistake?: RegExp;
}

/** Number of hostile bodies that each request receives. */
export interface Counts {
  /** Whole bodies; at most all of `hostileValues`. */
  readonly values: number;
  /** Good bodies in which one place is hostile. */
  readonly places: number;
}

/** Milliseconds after which each call of a scenario has to be over. */
export const limitMs = 120_000;

const names = ['ApiError', 'TransportError', 'TimeoutError', 'DecodeError', 'ConfigError', 'ManifestsError'];

/** Whether an error, and each one in it that stands for an object, is one of this package. */
function isNamed(error: unknown): boolean {
  const results: unknown = Reflect.get(Object(error), 'results');
  const inner = Array.isArray(results) ? results.map((result) => Reflect.get(Object(result), 'error')) : [];
  const own = names.some((name) => isOwn(error, name)) || isNoMatch(error) || isAmbiguousMatch(error);
  return own && inner.every((one) => one === undefined || isNamed(one));
}

function lineOf({ method, path }: APIRequest): string {
  return `${method} ${path}`;
}

async function textOf({ body }: APIResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Copies a response, with another body. */
function withBody({ status, headers }: APIResponse, text: string): APIResponse {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  return { status, headers, body: body(), cancel: () => undefined };
}

/** Runs the call; each response goes through `change`. Time passes for as long as it has not settled. */
async function failureOf(
  { server, call }: Scenario,
  change: (line: string, response: APIResponse) => APIResponse | Promise<APIResponse>,
): Promise<unknown> {
  const send = await server();
  const transport: Transport = async (request) => change(lineOf(request), await send(request));
  const rest = new RESTClient({ server: 'http://unused' }, { transport, onWarning: () => undefined });
  let settled = false;
  const failure = call(rest).then(
    () => undefined,
    (error: unknown) => error ?? 'nothing',
  );
  void failure.then(() => {
    settled = true;
  });
  // One that never settles ends by the limit of the test.
  while (!settled) {
    await settle(20);
    // A timer that throws fails the test here.
    if (!settled && vi.isFakeTimers()) vi.advanceTimersByTime(limitMs / 10);
  }
  return failure;
}

/** Loads what the call loads when it is needed: that takes time, which must not be that of fake timers. */
export async function load(scenario: Scenario): Promise<void> {
  const send = await scenario.server();
  await scenario.call(new RESTClient({ server: 'http://unused' }, { transport: send }));
  const failing: Transport = async (request) => ({ ...(await send(request)), status: 422 });
  await scenario
    .call(new RESTClient({ server: 'http://unused' }, { transport: failing }))
    .catch(() => undefined);
}

/** The requests of a call with the bodies of their responses, where nothing is wrong with them. */
export async function requestsOf(scenario: Scenario): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const failure = await failureOf(scenario, async (line, response) => {
    const text = await textOf(response);
    if (!found.has(line)) found.set(line, text);
    return withBody(response, text);
  });
  if (failure !== undefined) throw failure;
  return found;
}

/** Runs the call with hostile bodies for each of its requests in turn. */
export async function expectNamedErrors(scenario: Scenario, random: Seeded, counts: Counts): Promise<void> {
  const { mistake } = scenario;
  for (const [hostileLine, text] of await requestsOf(scenario)) {
    for (const value of hostileBodies(JSON.parse(text), random, counts)) {
      const body = JSON.stringify(value);
      const failure = await failureOf(scenario, (line, response) =>
        line === hostileLine ? withBody(response, body) : response,
      );
      if (failure === undefined || isNamed(failure)) continue;
      if (failure instanceof TypeError && mistake?.test(failure.message)) continue;
      throw new Error(`${hostileLine} answered with ${body}`, { cause: failure });
    }
  }
}

function hostileBodies(good: unknown, random: Seeded, { values, places }: Counts): readonly unknown[] {
  const all = [...corruptions(good)];
  const whole = [...hostileValues];
  while (whole.length > values) whole.splice(random.below(whole.length), 1);
  const damaged = Array.from({ length: Math.min(places, all.length) }, () => random.pick(all)?.value);
  return [...whole, ...damaged];
}
