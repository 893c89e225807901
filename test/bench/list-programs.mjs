// Programs that list all pods, each with another client. They run in a fresh process with the settings as
// JSON in $SETTINGS and print measurements as JSON.
import { watchingEventLoop } from './event-loop.mjs';

const measuring = `
${watchingEventLoop}
const { server, ca, cert, key, token, path, count, prefix } = JSON.parse(process.env.SETTINGS);
async function measure(list) {
  const { result, ...measured } = await watched(list);
  if (result.items.length !== count) throw new Error(result.items.length + ' pods came instead of ' + count);
  console.log(JSON.stringify(measured));
}
`;

/** Baseline: plain undici. */
export const bare = `
import { Pool } from 'undici';
${measuring}
const pool = new Pool(server, { connections: 50, connect: { ca, cert, key } });
const headers = { accept: 'application/json', ...(token && { authorization: 'Bearer ' + token }) };
const get = async (path) => {
  const { body } = await pool.request({ path, method: 'GET', headers });
  return JSON.parse(await body.text());
};
await get(path + '?limit=1');
await measure(() => get(path));
await pool.close();
`;

export const ours = `
import { RESTClient, resource } from '@kgen/runtime';
import { pods } from '@kgen/kubernetes/core/v1';
${measuring}
const rest = new RESTClient({ server: server + prefix, tls: { ca, cert, key }, ...(token && { auth: { token } }) });
const client = resource(rest, pods).in('shop');
await client.list({ limit: 1 });
await measure(() => client.list());
await rest.close();
`;
