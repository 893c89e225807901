/** Every built-in kind of a server, in protobuf and in JSON: the written and read objects must be equal. */
import { everything, onServer } from './env.ts';
import { kindTests } from './kinds.ts';
import { unusualObjectTests } from './unusual-objects.ts';

onServer('all kinds of a real server', { apiServerFlags: everything }, (env) => {
  kindTests(env, 85);
  unusualObjectTests(env);
});
