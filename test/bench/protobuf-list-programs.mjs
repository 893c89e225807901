// Programs that receive all pods of a server, each in another way. They run in a fresh process with the
// settings as JSON in $SETTINGS and print measurements as JSON. Each sends a small request first.
import { watchingEventLoop } from './event-loop.mjs';

const measuring = `
${watchingEventLoop}
const { server, ca, cert, key, token, path, count, accept, encoding } = JSON.parse(process.env.SETTINGS);
async function measure(work) {
  const { result, ...measured } = await watched(work);
  console.log(JSON.stringify(measured));
  return result;
}
`;

/** The list method of the clientset, in the encoding of the settings. */
export const ours = `
import { Clientset } from '@kgen/kubernetes';
${measuring}
const config = { server, tls: { ca, cert, key }, ...(token && { auth: { token } }) };
const clientset = new Clientset(config, { encoding });
const pods = clientset.coreV1.pods('shop');
await pods.list({ limit: 1 });
const { items } = await measure(() => pods.list());
if (items.length !== count) throw new Error(items.length + ' pods came instead of ' + count);
await clientset.close();
`;

/** Discards the response: the remaining cost is that of the server and the connection. */
export const unread = `
import { Pool } from 'undici';
${measuring}
const pool = new Pool(server, { connections: 50, connect: { ca, cert, key } });
const headers = { accept, ...(token && { authorization: 'Bearer ' + token }) };
const get = async (query) => {
  const { headers: answered, body } = await pool.request({ path: path + query, method: 'GET', headers });
  if (answered['content-type'] !== accept) throw new Error('the answer is ' + answered['content-type']);
  let bytes = 0;
  for await (const chunk of body) bytes += chunk.length;
  return bytes;
};
await get('?limit=1');
await measure(() => get(''));
await pool.close();
`;
