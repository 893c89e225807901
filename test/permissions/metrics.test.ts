/** Endpoints of metrics that kgen finds in programs, for their manifests. */
import { expect, it } from 'vitest';
import { metricsOf } from './program.ts';

const plain = { port: 8080, isSecure: false, isAuthorized: false, hasRecording: false };

it.each([
  ['{ port: 9090 }', { ...plain, port: 9090 }],
  [
    "{ port: 1, tls: 'self-signed', authorize: true }",
    { ...plain, port: 1, isSecure: true, isAuthorized: true },
  ],
  [
    '{ port: 1, authorize: true, recording: true }',
    { ...plain, port: 1, isAuthorized: true, hasRecording: true },
  ],
  ['{ port: 1, authorize: false, recording: false }', { ...plain, port: 1 }],
  ['{ port: Number(text) }', plain],
])('finds the port, the encryption, the authorization and the recording: %s', (metrics, found) => {
  expect(metricsOf(`new Manager(config, { metrics: ${metrics} });`)).toEqual(found);
});
