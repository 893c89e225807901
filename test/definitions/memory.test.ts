/** Installation of definitions on the server in memory. */
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll } from 'vitest';
import { mistakesSuite } from './mistakes.ts';
import { removedVersionsSuite } from './removed-versions.ts';
import { rulesSuite } from './rules.ts';
import { definitionsSuite } from './suite.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());
definitionsSuite(() => server.config);
mistakesSuite(() => server.config);
removedVersionsSuite(() => server.config);
rulesSuite(() => server.config);
