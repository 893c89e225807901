import { ApiError } from '@kgen/runtime';
import { invalidValue, required } from '@kgen/runtime/objects';
import { describe, expect, it } from 'vitest';
import { defaults, validates } from '../declarations/admission.ts';
import { AdmissionDenied } from '../declarations/admission-denied.ts';
import { admissionReview, Reviewer, type Ring, ring, rings } from './reviews.fixture.ts';

const all = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;

describe('a validation', () => {
  it.each(['v1', 'v1beta1'])('responds in the version of the review: %s', async (version) => {
    const reviewer = new Reviewer(validates(rings, { handle: () => undefined }));
    const { status, review, response } = await reviewer.send(admissionReview('CREATE', ring(), {}, version));
    expect({ status, review, response }).toEqual({
      status: 200,
      review: { kind: 'AdmissionReview', apiVersion: `admission.k8s.io/${version}` },
      response: { uid: 'u-1', allowed: true },
    });
  });

  it.each([
    ['CREATE', { hasOld: false, size: 1 }],
    ['UPDATE', { hasOld: true, size: 1 }],
    ['DELETE', { hasOld: true, size: 1 }],
    ['CONNECT', { hasOld: false, size: 1 }],
  ] as const)(
    'receives the object, and the old one exactly for UPDATE and DELETE: %s',
    async (operation, want) => {
      const seen: unknown[] = [];
      const handle = (object: Ring, { old }: { readonly old?: Ring | undefined }): void => {
        seen.push({ hasOld: old !== undefined, size: object.spec?.size });
      };
      const reviewer = new Reviewer(validates(rings, { operations: all, handle }));
      expect((await reviewer.send(admissionReview(operation, ring({ size: 1 })))).response).toMatchObject({
        allowed: true,
      });
      expect(seen).toEqual([want]);
    },
  );

  it('makes one Status of its field errors, as API servers write it', async () => {
    const handle = () => [required('spec.color'), invalidValue('spec.size', 0, 'must be positive')];
    const reviewer = new Reviewer(validates(rings, { handle }));
    const { response } = await reviewer.send(admissionReview('CREATE', ring()));
    expect(response).toEqual({
      uid: 'u-1',
      allowed: false,
      status: {
        metadata: {},
        status: 'Failure',
        code: 422,
        reason: 'Invalid',
        message:
          'Ring.example.com "one" is invalid: [spec.color: Required value, spec.size: Invalid value: 0: must be positive]',
        details: {
          name: 'one',
          group: 'example.com',
          kind: 'Ring',
          causes: [
            { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.color' },
            {
              reason: 'FieldValueInvalid',
              message: 'Invalid value: 0: must be positive',
              field: 'spec.size',
            },
          ],
        },
      },
    });
    expect(reviewer.records).toMatchObject([
      {
        outcome: 'denied',
        code: 422,
        reason: 'Invalid',
        fields: ['spec.color', 'spec.size'],
      },
    ]);
    expect(reviewer.logged).toEqual([]);
  });

  it('refuses with the status of an AdmissionDenied, whatever the failure policy is', async () => {
    const handle = (): never => {
      throw new AdmissionDenied('not on Fridays', { code: 409, reason: 'Conflict' });
    };
    const reviewer = new Reviewer(validates(rings, { failurePolicy: 'Ignore', handle }));
    const { status, response } = await reviewer.send(admissionReview('CREATE', ring()));
    expect(status).toBe(200);
    expect(response).toMatchObject({
      allowed: false,
      status: { code: 409, reason: 'Conflict', message: 'not on Fridays' },
    });
    expect(() => new AdmissionDenied('', { code: 200 })).toThrow(RangeError);
  });

  it('keeps code, reason and details of a failed request of its handler', async () => {
    const details = { name: 'limits', kind: 'configmaps' };
    const handle = (): never => {
      throw new ApiError({
        code: 404,
        reason: 'NotFound',
        message: 'configmaps "limits" not found',
        details,
      });
    };
    const { response } = await new Reviewer(validates(rings, { handle })).send(
      admissionReview('CREATE', ring()),
    );
    expect(response['status']).toMatchObject({ code: 404, reason: 'NotFound', details });
  });

  it('adds warnings and audit annotations to every response', async () => {
    const reviewer = new Reviewer(
      validates(rings, {
        handle: (object, { warn, audit, user, dryRun, name, namespace, subresource }) => {
          warn('spec.color is\ndeprecated');
          warn('spec.color is\ndeprecated');
          audit(
            'seen',
            `${user.username} ${dryRun} ${name} ${namespace} ${subresource}${user.extra['scopes']}`,
          );
          return object.spec?.size === 0 ? [required('spec.size')] : [];
        },
      }),
    );
    const notes = {
      warnings: ['spec.color is deprecated'],
      auditAnnotations: { seen: 'alice true one shop a,b' },
    };
    for (const size of [0, 1]) {
      const review = admissionReview('CREATE', ring({ size }), { dryRun: true });
      expect((await reviewer.send(review)).response).toMatchObject({ allowed: size === 1, ...notes });
    }
  });

  it('cuts warnings as servers do', async () => {
    const warnings = Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(300, 'ä'));
    const handle = (_: Ring, { warn }: { warn(message: string): void }): void => warnings.forEach(warn);
    const { response } = await new Reviewer(validates(rings, { handle })).send(
      admissionReview('CREATE', ring()),
    );
    expect(response['warnings']).toEqual(warnings.slice(0, 16).map((each) => each.slice(0, 256)));
  });
});

describe('a default', () => {
  const patchOf = async (handle: (object: Ring) => unknown, object: object): Promise<unknown> => {
    // Results of any type are what this table is about.
    const webhook = defaults(rings, { handle: handle as (object: Ring) => Ring });
    const { patch, response } = await new Reviewer(webhook).send(admissionReview('CREATE', object));
    expect(response['allowed']).toBe(true);
    expect(response['patchType']).toBe(patch && 'JSONPatch');
    return patch && JSON.parse(patch);
  };

  it.each<[title: string, handle: (object: Ring) => unknown, want: unknown]>([
    ['nothing', () => undefined, undefined],
    ['the object', (object) => object, undefined],
    ['an equal object', (object) => structuredClone(object), undefined],
    [
      'a member that differs',
      ({ spec }) => ({ spec: { ...spec, color: 'red' } }),
      [{ op: 'add', path: '/spec/color', value: 'red' }],
    ],
    ['a member without a member', () => ({ spec: {} }), [{ op: 'remove', path: '/spec/size' }]],
    ['an undefined member', () => ({ spec: undefined }), [{ op: 'remove', path: '/spec' }]],
    [
      'a part of the metadata',
      () => ({ metadata: { labels: { a: 'b' } } }),
      [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }],
    ],
    [
      'a promise',
      async () => ({ status: { ready: false } }),
      [{ op: 'add', path: '/status', value: { ready: false } }],
    ],
  ])('may return %s', async (_, handle, want) => {
    expect(await patchOf(handle, ring({ size: 1 }))).toEqual(want);
  });

  it('may change the object itself, and return further members', async () => {
    const handle = (object: Ring): unknown => {
      delete object.spec;
      return { metadata: { labels: { a: 'b' } } };
    };
    expect(await patchOf(handle, ring({ size: 1 }))).toEqual([
      { op: 'remove', path: '/spec' },
      { op: 'add', path: '/metadata/labels', value: { a: 'b' } },
    ]);
  });

  it('keeps unknown fields, keys of any name and integers of 64 bits', async () => {
    const json = `{"kind":"Ring","apiVersion":"example.com/v1","metadata":{"name":"one","namespace":"shop"},
      "spec":{"size":1,"big":9007199254740993,"unknown":{"__proto__":{"a/b~":[1,null]}}}}`;
    const review = JSON.stringify(admissionReview('CREATE', {})).replace('"object":{}', `"object":${json}`);
    const handle = ({ spec }: Ring) => ({ spec: { ...spec, size: 2 } });
    const { patch } = await new Reviewer(defaults(rings, { handle })).send(Buffer.from(review));
    expect(JSON.parse(String(patch))).toEqual([{ op: 'replace', path: '/spec/size', value: 2 }]);
    const moved = ({ spec }: Ring) => ({ spec: { nested: { ...spec } } }) as unknown as Ring;
    const second = await new Reviewer(defaults(rings, { handle: moved })).send(Buffer.from(review));
    expect(second.patch).toContain('"big":9007199254740993,"unknown":{"__proto__":{"a/b~":[1,null]}}');
  });
});

describe('a handler that fails', () => {
  const cyclic: Record<string, unknown> = { size: 1 };
  cyclic['self'] = cyclic;
  const cases: readonly [title: string, handle: (object: Ring) => unknown, message: string][] = [
    [
      'throws',
      () => {
        throw new Error('out of order');
      },
      'out of order',
    ],
    [
      'throws no error',
      () => {
        throw undefined;
      },
      'not an error was thrown: undefined',
    ],
    ['rejects', () => Promise.reject(new TypeError('broken')), 'broken'],
    ['returns a string', () => 'yes', 'the handler must return an object, members of it, or nothing'],
    ['returns null', () => null, 'the handler must return an object, members of it, or nothing'],
    [
      'returns a cyclic object',
      () => ({ spec: cyclic }),
      'the result is not JSON: .spec.self: an object that contains itself',
    ],
    ['returns NaN', () => ({ spec: { size: Number.NaN } }), 'the result is not JSON: .spec.size: NaN'],
    ['returns a Date', () => ({ spec: { at: new Date(0) } }), 'the result is not JSON: .spec.at: Date'],
    [
      'returns a function',
      () => ({ spec: { list: [() => 1] } }),
      'the result is not JSON: .spec.list[0]: function',
    ],
    [
      'returns an integer of 65 bits',
      () => ({ spec: { big: 2n ** 65n } }),
      '36893488147419103232 does not fit into 64 bits',
    ],
    ['changes the name', () => ({ metadata: { name: 'two' } }), 'the handler must not change metadata.name'],
    [
      'changes the uid',
      (object) => {
        Object.assign(object.metadata ?? {}, { uid: 'x' });
      },
      'the handler must not change metadata.uid',
    ],
    ['changes the kind', () => ({ kind: 'Chain' }), 'the handler must not change kind'],
    ['removes the metadata', () => ({ metadata: undefined }), 'the handler must not change metadata.name'],
  ];

  it.each(cases)('denies the request: it %s', async (_, handle, message) => {
    // Results of any type are what this table is about.
    const webhook = defaults(rings, { handle: handle as (object: Ring) => Ring });
    const reviewer = new Reviewer(webhook);
    const { status, response } = await reviewer.send(admissionReview('CREATE', ring({ size: 7 })));
    expect(status).toBe(200);
    expect(response).toMatchObject({
      uid: 'u-1',
      allowed: false,
      status: { code: 500, reason: 'InternalError' },
    });
    expect(response['status']).toHaveProperty(
      'message',
      expect.stringContaining(`defaults of Ring failed: `),
    );
    expect(response['status']).toHaveProperty('message', expect.stringContaining(message));
    expect(reviewer.records).toMatchObject([
      { outcome: 'failed', code: 500, namespace: 'shop', name: 'one' },
    ]);
    expect(reviewer.logged).toMatchObject([
      [
        'error',
        { kind: 'Ring.v1.example.com', namespace: 'shop', name: 'one', uid: 'u-1' },
        'defaults of Ring failed',
      ],
    ]);
  });

  it.each(cases)('is an error for the policy Ignore: it %s', async (_, handle, message) => {
    // Results of any type are what this table is about.
    const webhook = defaults(rings, { failurePolicy: 'Ignore', handle: handle as (object: Ring) => Ring });
    const { status, review } = await new Reviewer(webhook).send(admissionReview('CREATE', ring()));
    expect(status).toBe(500);
    expect(review).toMatchObject({ kind: 'Status', status: 'Failure', code: 500 });
    expect(review['message']).toContain(message);
  });

  it.each<[unknown]>([[true], [null], [{}], ['no'], [[{}]], [[null]], [[{ reason: 'Odd', field: 'a' }]]])(
    'denies the request if a validation returns %j',
    async (result) => {
      // Results of any type are what this table is about.
      const webhook = validates(rings, { handle: () => result as [] });
      const { response } = await new Reviewer(webhook).send(admissionReview('CREATE', ring()));
      expect(response['status']).toMatchObject({
        code: 500,
        message: 'validates of Ring failed: the handler must return a list of field errors, or nothing',
      });
    },
  );

  it('denies the request when the signal aborts, also if the handler never settles', async () => {
    const deadline = new AbortController();
    const seen: AbortSignal[] = [];
    const handle = (_: Ring, { signal }: { readonly signal: AbortSignal }): Promise<void> => {
      seen.push(signal);
      return new Promise(() => deadline.abort());
    };
    const webhook = validates(rings, { handle });
    const { response } = await new Reviewer(webhook).send(admissionReview('CREATE', ring()), deadline.signal);
    expect(response).toMatchObject({ allowed: false, status: { code: 504, reason: 'Timeout' } });
    expect(seen[0]?.aborted).toBe(true);
    // Without a call of the handler.
    await new Reviewer(webhook).send(admissionReview('CREATE', ring()), deadline.signal);
    expect(seen).toHaveLength(1);
  });

  it('denies a deletion whose object it changes', async () => {
    const webhook = defaults(rings, {
      // The type does not have it, because the server refuses it, too.
      operations: ['DELETE' as 'UPDATE'],
      handle: () => ({ spec: { size: 2 } }),
    });
    const { response } = await new Reviewer(webhook).send(admissionReview('DELETE', ring()));
    expect(response['status']).toMatchObject({ code: 500 });
  });

  it('denies the request for an annotation that the audit log would not accept', async () => {
    const webhook = validates(rings, { handle: (_, { audit }) => audit('a/b', 'c') });
    const { response } = await new Reviewer(webhook).send(admissionReview('CREATE', ring()));
    expect(response['status']).toMatchObject({ code: 500 });
  });
});

describe('a service', () => {
  const reviewer = () => new Reviewer(validates(rings, { handle: () => undefined }));
  const change = (key: string, value: unknown) => admissionReview('CREATE', ring(), { [key]: value });

  it.each<[title: string, body: unknown, message: string]>([
    ['an empty body', Buffer.from(''), 'the body is empty'],
    ['no JSON', Buffer.from('{"kind":'), 'the body is not JSON'],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'the body is not UTF-8'],
    ['a list', [], 'expected AdmissionReview'],
    [
      'another version',
      admissionReview('CREATE', ring(), {}, 'v2'),
      'expected AdmissionReview of admission.k8s.io/v1 or admission.k8s.io/v1beta1, got "AdmissionReview" of "admission.k8s.io/v2"',
    ],
    [
      'another kind of review',
      { kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1' },
      'expected AdmissionReview',
    ],
    [
      'no request',
      { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' },
      'request of the AdmissionReview must be an object',
    ],
    ['no uid', change('uid', undefined), 'request.uid must not be empty'],
    ['a uid of another type', change('uid', 1), 'uid of request must be a string'],
    ['another operation', change('operation', 'DELETE'), 'operation must be CREATE or UPDATE, got "DELETE"'],
    [
      'another resource',
      change('resource', { group: 'apps', version: 'v1', resource: 'rings' }),
      'the request is not for example.com/v1/rings',
    ],
    ['a subresource', change('subResource', 'status'), 'the request is not for example.com/v1/rings'],
    ['no object', change('object', null), 'object of request must be an object'],
    [
      'another kind',
      change('object', { kind: 'Pod', apiVersion: 'v1' }),
      'object is "Pod" of "v1", which is another kind',
    ],
    [
      'groups of another type',
      change('userInfo', { groups: [1] }),
      'groups of userInfo must have lists of strings',
    ],
  ])('refuses %s', async (_, body, message) => {
    const one = reviewer();
    const { status, review } = await one.send(body);
    expect(status).toBe(400);
    expect(review).toMatchObject({ kind: 'Status', code: 400, reason: 'BadRequest' });
    expect(review['message']).toContain(message);
    expect(one.records).toMatchObject([{ outcome: 'refused', code: 400 }]);
  });

  it('refuses another path', async () => {
    const { service, records } = reviewer();
    const { signal } = new AbortController();
    expect(await service.respond('/validates', Buffer.from(''), { signal })).toMatchObject({ status: 404 });
    expect(service.paths).toEqual(['/validates/example.com/v1/rings']);
    expect(records).toEqual([]);
  });

  it('refuses two webhooks for one path', () => {
    const one = validates(rings, { handle: () => undefined });
    expect(() => new Reviewer(one, one)).toThrow(
      'two webhooks are declared for /validates/example.com/v1/rings: set the option `name` of one',
    );
  });
});
