/** All kinds that Go registers have a codec, or a documented reason. */
import { afterAll, describe, expect, it } from 'vitest';
import { decode } from './codec.ts';
import { hasCodec, reasonForNone } from './kinds.ts';
import { Oracle, oraclePath } from './oracle.ts';
import { envelope } from './wire.ts';

const path = await oraclePath();

if (path === undefined) {
  describe.skip('kinds that Go registers: no `go` is on the PATH', () => {
    it('requires Go', () => undefined);
  });
} else {
  const oracle = new Oracle(path);
  afterAll(() => oracle.close());
  const kinds = await oracle.kinds();

  describe('kinds that Go registers', () => {
    it('are many', () => expect(kinds.length).toBeGreaterThan(800));

    it('have a codec unless there is an exception', async () => {
      const unknown = await Promise.all(
        kinds.filter(hasCodec).map(async ({ apiVersion, kind }) =>
          decode(envelope(apiVersion, kind)).then(
            () => [],
            (error: Error) => [`${apiVersion} ${kind}: ${error.message}`],
          ),
        ),
      );
      expect(unknown.flat()).toEqual([]);
    });

    it('have few exceptions', () => {
      const without = kinds.flatMap((kind) => reasonForNone(kind) ?? []);
      expect([...new Set(without.map((reason) => reason.split(':')[0]))].sort()).toEqual([
        'Go cannot write it either',
        'options are of meta.k8s.io/v1 wherever they are sent',
        'servers respond in meta.k8s.io/v1',
      ]);
    });
  });
}
