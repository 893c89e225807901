/** All kinds of older and newer servers, informers of them, and contracts with clients of other versions. */
import { crossingTests } from './contracts.ts';
import { everything, onServer } from './env.ts';
import { kindTests } from './kinds.ts';
import { informerTests, watchTests } from './streams.ts';

for (const { version, least } of [
  { version: '1.33.13', least: 75 },
  { version: '1.37.1', least: 85 },
]) {
  onServer(`a server of Kubernetes ${version}`, { version, apiServerFlags: everything }, (env) => {
    kindTests(env, least);
    watchTests(env);
    informerTests(env);
    crossingTests(version.replace(/\.\d+$/, ''), () => env.plane.config);
  });
}
