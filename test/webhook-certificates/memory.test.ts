/** Certificates in a Secret of the server in memory. */
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll } from 'vitest';
import { certificatesSuite } from './suite.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());
certificatesSuite(() => server.config);
