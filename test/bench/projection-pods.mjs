// Pages of pods of kube-apiserver, recorded in each encoding.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'undici';
import { fieldsOf } from './projection-wire.mjs';

/** Number of pods in a recorded page. */
export const pagePods = 500;

const protobuf = 'application/vnd.kubernetes.protobuf';
const objectField = 2;
const itemsField = 2;

/** Writes the items of a page of pods in each encoding into a new folder, and returns its path. */
export async function recordPods({ folder, config: { server, tls, auth } }) {
  const made = mkdtempSync(join(folder, 'pages-'));
  const pool = new Pool(server, { connect: tls });
  const page = async (accept) => {
    const headers = { accept, ...(auth?.token && { authorization: `Bearer ${auth.token}` }) };
    const { body } = await pool.request({ path: `/api/v1/pods?limit=${pagePods}`, method: 'GET', headers });
    return Buffer.from(await body.arrayBuffer());
  };
  const json = await page('application/json');
  const items = json.subarray(json.indexOf('"items":[') + '"items":['.length, json.lastIndexOf(']'));
  writeFileSync(join(made, 'json'), items);
  const [, object] = fieldsOf((await page(protobuf)).subarray('k8s\0'.length));
  const parts = fieldsOf(object.value).filter(({ number }) => number === itemsField);
  if (object.number !== objectField || parts.length !== pagePods) throw new Error('no page of pods');
  writeFileSync(join(made, 'protobuf'), Buffer.concat(parts.map(({ whole }) => whole)));
  await pool.close();
  return made;
}
