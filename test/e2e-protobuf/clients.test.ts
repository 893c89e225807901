/**
 * The generated clientset on a real server, with protobuf enabled as by default, compared with one that uses
 * JSON.
 */
import { onServer } from './env.ts';
import { errorTests } from './errors.ts';
import { jsonApiTests } from './json-apis.ts';
import { metadataTests } from './metadata.ts';
import { streamTests } from './streams.ts';
import { writeTests } from './writes.ts';

onServer('clients of a real server', {}, (env) => {
  writeTests(env);
  errorTests(env);
  streamTests(env);
  metadataTests(env);
  jsonApiTests(env);
});
