/** Every kind that a server has built in, in protobuf and in JSON: what is written and read must be the same. */
import { everything, onServer } from './env.ts';
import { kindTests } from './kinds.ts';
import { oddTests } from './odd.ts';

onServer('all kinds of a real server', { apiServerFlags: everything }, (env) => {
  kindTests(env, 85);
  oddTests(env);
});
