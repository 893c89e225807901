// An HTTPS server of many pods. Reads the certificate from its first argument's folder; prints its port.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { answerRequest } from './informer-answers.mjs';

const folder = process.argv[2];
const certificate = { key: readFileSync(`${folder}/key.pem`), cert: readFileSync(`${folder}/cert.pem`) };
const server = createServer(certificate, answerRequest);
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
