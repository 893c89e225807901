import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type Json, type JsonObject, text } from '../schema/values/json.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './server/testserver.ts';

/** A definition for tests: Foo of test.example.com, with a rule. */
export const crd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: foos.test.example.com }
spec:
  group: test.example.com
  scope: Namespaced
  names: { kind: Foo, plural: foos }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: { type: integer }
                odd: { type: string }
              x-kubernetes-validations:
                - { rule: "!has(self.odd) || url(self.odd).getHost() == 'x'" }
`;

/** The collection of its objects in the default namespace. */
export const foosPath = '/apis/test.example.com/v1/namespaces/default/foos';

/** Starts a server, in a test, that is stopped when the test is over. */
export async function start(options: TestServerOptions = { crds: [{ yaml: crd }] }): Promise<TestServer> {
  const server = await startTestServer({ controllers: ['namespaces', 'garbageCollection'], ...options });
  onTestFinished(() => server.stop());
  return server;
}

export interface Call {
  readonly method?: string;
  readonly body?: Json;
  readonly type?: string;
}

export interface Reply {
  readonly code: number;
  readonly body: JsonObject;
  readonly headers: Headers;
}

function fetchFrom(
  server: TestServer,
  path: string,
  { method = 'GET', body, type }: Call = {},
): Promise<Response> {
  return fetch(server.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${server.config.auth?.token}`,
      'Content-Type': type ?? 'application/json',
      'User-Agent': 'unit/1',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Sends a request with the server's token. */
export async function call(server: TestServer, path: string, options: Call = {}): Promise<Reply> {
  const response = await fetchFrom(server, path, options);
  const content = await response.text();
  const body = content.startsWith('{') ? (JSON.parse(content) as JsonObject) : { text: content };
  return { code: response.status, body, headers: response.headers };
}

/** Creates a Foo. */
export function create(
  server: TestServer,
  name: string,
  metadata: JsonObject = {},
  spec: JsonObject = {},
): Promise<Reply> {
  const body = { apiVersion: 'test.example.com/v1', kind: 'Foo', metadata: { name, ...metadata }, spec };
  return call(server, foosPath, { method: 'POST', body });
}

/** Opens a watch, whose events are read one by one. */
export async function watch(server: TestServer, query: string): Promise<AsyncGenerator<JsonObject>> {
  return events(await fetchFrom(server, `${foosPath}?watch=true&${query}`));
}

async function* events(response: Response): AsyncGenerator<JsonObject> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as JsonObject;
  }
}

/** Returns type and name of the next event; `end` after the last one. */
export async function next(events: AsyncGenerator<JsonObject>): Promise<string> {
  const { value, done } = await events.next();
  return done ? 'end' : `${text(value, 'type')} ${text(value, 'object', 'metadata', 'name')}`.trim();
}

/** Polls until the status of a GET is `code`. */
export async function until(server: TestServer, path: string, code: number): Promise<Reply> {
  const reply = await call(server, path);
  if (reply.code === code) return reply;
  await setTimeout(5);
  return until(server, path, code);
}
