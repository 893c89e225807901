// An HTTPS server of many pods; GET /connections returns the number of connections so far. Reads the
// certificate from its first argument's folder; prints its port.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { respond } from './informer-responses.mjs';

const folder = process.argv[2];
const certificate = { key: readFileSync(`${folder}/key.pem`), cert: readFileSync(`${folder}/cert.pem`) };
let connections = 0;
const server = createServer(certificate, (request, response) => {
  if (request.url === '/connections') response.end(JSON.stringify({ connections }));
  else void respond(request, response);
});
server.on('secureConnection', () => {
  connections += 1;
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
