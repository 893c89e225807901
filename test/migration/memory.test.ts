/** Storage migrations on the server in memory. */
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll } from 'vitest';
import { migrationSuite } from './suite.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());
migrationSuite(() => ({ config: server.config, objects: 300, compact: () => server.faults.compact() }));
