/** Built-in inputs for random damage, and small golden files. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpus } from '../support/emitted.ts';
import { thorough } from '../support/seeds.ts';
import { hasCodec } from './kinds.ts';
import { Oracle, oraclePath } from './oracle.ts';
import { seed } from './settings.ts';
import { block, count, envelope } from './wire.ts';

const metadata = block(
  1,
  block(1, 'a'),
  block(3, 'default'),
  block(8, count(1, 1_700_000_000), count(2, 0)),
  block(11, block(1, 'app'), block(2, 'a')),
  block(13, block(1, 'ReplicaSet'), block(3, 'r'), block(4, 'u'), block(5, 'apps/v1'), count(6, 1)),
  block(
    17,
    block(1, 'kubectl'),
    block(2, 'Update'),
    block(6, 'FieldsV1'),
    block(7, block(1, '{"f:spec":{}}')),
  ),
);

const port = block(6, block(1, 'http'), count(2, 0), count(3, 8080), block(4, 'TCP'), block(5, ''));

const resources = block(8, block(1, block(1, 'cpu'), block(2, block(1, '1.50'))));

const probe = block(
  10,
  block(1, block(2, block(1, '/'), block(2, count(1, 1), count(2, 0), block(3, 'http')))),
);

/** A pod with most types of fields. */
export const pod: Buffer = envelope(
  'v1',
  'Pod',
  metadata,
  block(
    2,
    block(2, block(1, 'main'), block(2, 'i'), block(3, 'c'), port, resources, probe),
    block(3, 'Always'),
  ),
  block(3, block(1, 'Running'), block(2, block(1, 'Ready'), block(2, 'True'), block(3), block(4))),
);

const schema = block(
  1,
  block(5, 'object'),
  block(20),
  block(20, block(1, '{"a":[1,null]}')),
  block(24, block(1, block(5, 'string'))),
  block(29, block(1, '__proto__'), block(2, block(5, 'string'))),
  block(30, count(1, 1), block(2, block(5, 'integer'))),
);

/** A definition with schemas, whose messages are recursive. */
export const definition: Buffer = envelope(
  'apiextensions.k8s.io/v1',
  'CustomResourceDefinition',
  block(1, block(1, 'as.example.com')),
  block(2, block(1, 'example.com'), block(7, block(1, 'v1'), count(2, 1), block(4, schema))),
);

const pods: Buffer = envelope(
  'v1',
  'PodList',
  block(1, block(2, '7')),
  block(2, metadata),
  block(2),
  block(2, block(3, block(1, 'Failed'))),
);

const secret: Buffer = envelope(
  'v1',
  'Secret',
  metadata,
  block(2, block(1, 'k'), block(2, Buffer.of(0, 255, 7))),
  block(3, 'Opaque'),
);

/** Maximum length of golden inputs, in bytes: in short ones damage is more likely to hit a relevant byte. */
const longest = 2500;

/** Returns all inputs for random damage; with all seeds, some of them are created by Go. */
export async function allSeeds(): Promise<readonly [Buffer, ...Buffer[]]> {
  const made = thorough ? await madeByGo() : [];
  const others = [...goldens().map(({ bytes }) => bytes), ...made];
  return [pod, definition, pods, secret, ...others.filter(({ length }) => length < longest)];
}

/** Returns every golden file in protobuf; none without the corpus. */
export function goldens(): readonly { readonly name: string; readonly bytes: Buffer }[] {
  if (corpus === undefined) return [];
  const root = join(corpus, 'golden');
  const files = readdirSync(root).flatMap((version) =>
    readdirSync(join(root, version)).map((name) => `${version}/${name}`),
  );
  return files
    .filter((name) => name.endsWith('.pb'))
    .map((name) => ({ name, bytes: readFileSync(join(root, name)) }));
}

/** Returns a hostile object of each kind, and one of all kinds. */
async function madeByGo(): Promise<readonly Buffer[]> {
  const path = await oraclePath();
  if (path === undefined) return [];
  const oracle = new Oracle(path);
  try {
    const kinds = (await oracle.kinds()).filter(hasCodec);
    const made = await Promise.all(
      kinds.map(({ apiVersion, kind }) => oracle.make({ seed, apiVersion, kind, from: 3, count: 3 })),
    );
    return made.flat().map(({ protobuf }) => protobuf);
  } finally {
    oracle.close();
  }
}
