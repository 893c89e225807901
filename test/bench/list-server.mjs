// An HTTPS server for programs that measure clients. The first part of the path is the number of pods that it
// lists: GET /10000/api/v1/… The list is written while it is created and never in memory as a whole. Reads
// the certificate from its first argument's folder; prints its port.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { listedPod } from './list-pod.mjs';

const folder = process.argv[2];
const perChunk = 16;
const mark = '000000000000';
const parts = JSON.stringify(listedPod(mark)).split(mark);
const head = '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"4711"},"items":[';

function* chunks(count) {
  yield head;
  for (let index = 0; index < count; index += perChunk) {
    let text = '';
    for (let pod = index; pod < Math.min(count, index + perChunk); pod += 1) {
      text += (pod === 0 ? '' : ',') + parts.join(`web-${String(pod).padStart(8, '0')}`);
    }
    yield text;
  }
  yield ']}\n';
}

async function list(request, response) {
  const [, all] = request.url.split('/');
  const count = request.url.includes('limit=1') ? 1 : all;
  response.writeHead(200, { 'content-type': 'application/json' });
  for (const chunk of chunks(Number(count))) {
    if (response.destroyed) return;
    await new Promise((resolve) => response.write(chunk, 'latin1', resolve));
  }
  response.end();
}

const certificate = { key: readFileSync(`${folder}/key.pem`), cert: readFileSync(`${folder}/cert.pem`) };
const server = createServer(certificate, list);
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
