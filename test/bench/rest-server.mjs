// An HTTPS server that responds to every request with the same pod, for programs that measure clients. Reads
// the certificate from its first argument's folder; prints its port.
// - GET /connections returns the number of connections since the last such request, without its own
// - GET /fail/... responds with 500, 404, a reset connection and half a body, in turns
import { readFileSync } from 'node:fs';
import { createServer } from 'node:tls';

const folder = process.argv[2];
const pod = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: '5f5cf4a8-9d1c-4f0e-9c7b-0f3a3a4c1f10',
    resourceVersion: '4711',
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { app: 'web', tier: 'front' },
  },
  spec: { containers: [{ name: 'web', image: 'registry.example/web:1', ports: [{ containerPort: 8080 }] }] },
  status: { phase: 'Running', podIP: '10.0.0.7' },
});
const response = http('200 OK', pod);
const failures = [
  http('500 Internal Server Error', '{"kind":"Status","status":"Failure","code":500}'),
  http('404 Not Found', '{"kind":"Status","status":"Failure","reason":"NotFound","code":404}'),
  undefined,
  Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n{"half":`),
];
let connections = 0;
let failed = 0;

function http(status, body) {
  return Buffer.from(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function respond(socket, head) {
  if (head.startsWith('GET /connections')) {
    socket.write(http('200 OK', JSON.stringify({ connections: connections - 1 })));
    connections = 1;
  } else if (head.startsWith('GET /api/v1/namespaces/fail')) {
    const failure = failures[failed++ % failures.length];
    if (failure === undefined) socket.destroy();
    else if (failure === failures[3]) socket.end(failure);
    else socket.write(failure);
  } else {
    socket.write(response);
  }
}

const server = createServer(
  { key: readFileSync(`${folder}/key.pem`), cert: readFileSync(`${folder}/cert.pem`) },
  (socket) => {
    connections += 1;
    let rest = '';
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      rest += chunk.latin1Slice();
      for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
        const head = rest.slice(0, end);
        rest = rest.slice(end + 4);
        respond(socket, head);
      }
    });
  },
);
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
