// Reviews of API servers over connections that stay open, each with one request at a time.
import { once } from 'node:events';
import { connect } from 'node:tls';

const kind = { group: 'example.com', version: 'v1', kind: 'Ring' };
const resource = { group: 'example.com', version: 'v1', resource: 'rings' };

/** A Ring as servers store it, with the managed fields of two writers. */
function ring(size) {
  const names = Array.from({ length: 30 }, (_, index) => `setting-${index}`);
  const fields = Object.fromEntries(names.map((name) => [`f:${name}`, {}]));
  const entry = (manager) => ({
    manager,
    operation: 'Apply',
    apiVersion: 'example.com/v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:size': {}, 'f:config': fields } },
  });
  return {
    apiVersion: 'example.com/v1',
    kind: 'Ring',
    metadata: {
      name: 'ring',
      namespace: 'shop',
      uid: '0c3b0a2e-6f0e-4c39-8f6c-5d2a3a1b9d11',
      resourceVersion: '4711',
      generation: 3,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'app.kubernetes.io/name': 'ring', 'app.kubernetes.io/managed-by': 'bench' },
      managedFields: [entry('kubectl'), entry('operator')],
    },
    spec: { size, config: Object.fromEntries(names.map((name) => [name, `value of ${name}`])) },
  };
}

/** Returns the bytes of a request. */
export function reviewRequest(type) {
  const review = {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: 'b7f5c1f0-0d0c-4b6e-8a53-2f4f6e1f2a10',
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name: 'ring',
      namespace: 'shop',
      operation: 'UPDATE',
      userInfo: { username: 'alice', groups: ['team', 'system:authenticated'] },
      object: ring(5),
      oldObject: ring(3),
      dryRun: false,
      options: { kind: 'UpdateOptions', apiVersion: 'meta.k8s.io/v1' },
    },
  };
  const body = JSON.stringify(review);
  const head = [
    `POST /${type}/example.com/v1/rings?timeout=10s HTTP/1.1`,
    'Host: webhooks.shop.svc:443',
    'User-Agent: kube-apiserver-admission',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Accept: application/json, */*',
    'Content-Type: application/json',
    'Accept-Encoding: gzip',
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** A connection that stays open. */
class Connection {
  #socket;
  #text = '';
  #resolve = () => undefined;
  #reject = () => undefined;

  constructor(socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('error', (error) => this.#reject(error));
    socket.on('close', () => this.#reject(new Error('the connection was closed')));
    socket.on('data', (bytes) => this.#read(bytes));
  }

  /** Sends a request, and returns the body of its response. */
  send(bytes) {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#text = '';
      this.#socket.write(bytes);
    });
  }

  close() {
    this.#socket.destroy();
  }

  #read(bytes) {
    this.#text += bytes.toString('latin1');
    const end = this.#text.indexOf('\r\n\r\n');
    if (end === -1) return;
    const [, length] = /content-length: (\d+)/i.exec(this.#text) ?? [];
    if (this.#text.length < end + 4 + Number(length)) return;
    const isOk = this.#text.startsWith('HTTP/1.1 200 ');
    if (isOk) this.#resolve(this.#text.slice(end + 4));
    else this.#reject(new Error(this.#text.slice(0, 300)));
  }
}

/** Opens a connection, and rejects if nothing listens. */
export async function open({ port, ca }) {
  const socket = connect({ port, host: '127.0.0.1', ca, servername: 'localhost' });
  await once(socket, 'secureConnect');
  return new Connection(socket);
}

/** Sends a number of requests over `connections`. Returns the latency of each in milliseconds, ascending. */
export async function load(connections, count) {
  const requests = ['defaults', 'validates'].map(reviewRequest);
  const latencies = [];
  let sent = 0;
  const run = async (connection) => {
    while (sent < count) {
      const request = requests[sent % 2];
      sent += 1;
      const start = performance.now();
      await connection.send(request);
      latencies.push(performance.now() - start);
    }
  };
  await Promise.all(connections.map(run));
  return latencies.sort((a, b) => a - b);
}
