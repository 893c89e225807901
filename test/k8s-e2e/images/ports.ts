/** Connections to the ports of Pods: HTTP servers, and the TCP server `port-forward-tester` of `agnhost`. */
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import type { PortForwardRequest, ProgramContainer, TestServer } from '../../../src/testserver/index.ts';
import type { Streams } from '../shell/run.ts';
import { type Listener, type Listeners, portsOf, request } from './servers.ts';

/** Serves forwarded ports and proxies of a server with the programs of its Pods. */
export function servePorts(server: TestServer, listeners: Listeners): void {
  server.onPortForward((target) => {
    const found = [...listeners.values()]
      .flat()
      .find(
        (each) =>
          each.container.pod === target.pod &&
          each.container.namespace === target.namespace &&
          portsOf(each).includes(target.port),
      );
    if (found === undefined) throw new Error('connection refused');
    if (found.accept === undefined) serveHttp(target, found, listeners);
    else found.accept(target.stream);
  });
}

function serveHttp(
  { stream, port }: PortForwardRequest,
  { container }: Listener,
  listeners: Listeners,
): void {
  const http = createServer((message, response) => {
    const { url = '/', method = 'GET' } = message;
    const [address = ''] =
      [...listeners].find(([, all]) => all.some((each) => each.container === container)) ?? [];
    const { code, body } = request(address, { port, path: url, method }, listeners);
    const type = body.startsWith('<') ? 'text/html' : 'text/plain; charset=utf-8';
    message.resume();
    response.writeHead(code, { 'content-type': type }).end(body);
  });
  http.emit('connection', stream);
}

/** A connection whose content a program reads and writes. */
class Connection {
  readonly #stream: Duplex;
  #text = '';
  isEnded = false;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => {
      this.#text += chunk.toString();
    });
    const end = (): void => {
      this.isEnded = true;
    };
    stream.on('end', end).on('close', end).on('error', end);
  }

  get text(): string {
    return this.#text;
  }

  write(text: string): void {
    if (!this.#stream.destroyed) this.#stream.write(text);
  }

  end(): void {
    this.#stream.end();
  }
}

const pollMs = 50;

/** Accepts one connection, checks what it receives, and sends chunks. */
export function* testPort(
  container: ProgramContainer,
  serve: (accept: (stream: Duplex) => void) => void,
  io: Streams,
): Generator<number, number> {
  const { env } = container;
  const number = (name: string): number => Number(env[name] ?? 0);
  const connections: Connection[] = [];
  serve((stream) => connections.push(new Connection(stream)));
  let [connection] = connections;
  for (; connection === undefined; [connection] = connections) yield pollMs;
  io.out('Accepted client connection\n');
  const expected = env['EXPECTED_CLIENT_DATA'] ?? '';
  while (connection.text.length < expected.length && !connection.isEnded) yield pollMs;
  const { length } = connection.text;
  if (length < expected.length) {
    io.out(`Expected to read ${expected.length} bytes from client, but got ${length} instead. err=EOF\n`);
    return 2;
  }
  if (expected !== '') io.out('Received expected client data\n');
  for (let chunk = 0; chunk < number('CHUNKS'); chunk += 1) {
    connection.write('x'.repeat(number('CHUNK_SIZE')));
    yield number('CHUNK_INTERVAL');
  }
  io.out('Shutting down connection\n');
  connection.end();
  yield 500;
  io.out('Done\n');
  return 0;
}
