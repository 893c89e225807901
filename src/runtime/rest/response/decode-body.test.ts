import { afterEach, describe, expect, it, vi } from 'vitest';
import type { APIResponse } from '../../api/transport.ts';
import { decodeBody } from './decode-body.ts';

afterEach(() => void vi.restoreAllMocks());

const operation = { verb: 'list', resource: 'pods' };

function reply(
  chunks: readonly (string | Error)[],
): APIResponse & { readonly cancel: ReturnType<typeof vi.fn> } {
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) {
      if (chunk instanceof Error) throw chunk;
      yield Buffer.from(chunk);
    }
  }
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, body: body(), cancel: vi.fn(() => undefined) };
}

/** A member that makes a body long. */
const long = `"x":"${'-'.repeat(300_000)}"`;
const broken = new Error('the connection broke');

describe('decodeBody', () => {
  it.each<{ what: string; given: string[]; want: unknown }>([
    { what: 'a short body', given: ['{"a":1}'], want: { a: 1 } },
    { what: 'a short body in pieces', given: ['{"items', '":[{"a"', ':1}]}'], want: { items: [{ a: 1 }] } },
    { what: 'a long body in one piece', given: [`{"items":[1,2],${long}}`], want: { items: [1, 2] } },
    { what: 'a long body without items', given: [`{"a":1,${long}`, '}'], want: { a: 1 } },
    { what: 'a long list', given: [`{${long}`, ',"items":[{"a":', '1}]}'], want: { items: [{ a: 1 }] } },
    { what: 'a list with a long head', given: [`{${long},"items":[`, '7]}'], want: { items: [7] } },
  ])('decodes $what', async ({ given, want }) => {
    const response = reply(given);
    expect(await decodeBody(response, operation)).toMatchObject(Object(want));
    expect(response.cancel).not.toHaveBeenCalled();
  });

  it.each<{ what: string; given: string[]; want: unknown }>([
    { what: 'a short list', given: ['{"items":[1', ',{}],"a":[2]}'], want: { items: ['1', '{}'], a: [2] } },
    { what: 'a long list', given: [`{"items":[1,{}],${long}`, '}'], want: { items: ['1', '{}'] } },
    { what: 'a table', given: ['{"rows":[1]}'], want: { rows: ['1'] } },
    { what: 'an object without items', given: ['{"a":[1]}'], want: { a: [1] } },
  ])('parses the items of $what by readItem', async ({ given, want }) => {
    const response = reply(given);
    const body = await decodeBody(response, operation, (json, start, end) =>
      Buffer.from(json.subarray(start, end)).toString(),
    );
    expect(body).toMatchObject(Object(want));
    expect(response.cancel).not.toHaveBeenCalled();
  });

  it.each(['', '{"items":[1', '{"items":[1]'])('throws for %s with readItem', async (given) => {
    const expected = decodeBody(reply([given]), operation, () => 1);
    await expect(expected).rejects.toMatchObject({ name: 'DecodeError', operation });
  });

  it.each<{ given: (string | Error)[]; want: object }>([
    { given: [], want: { name: 'DecodeError', message: 'list pods: the response is empty' } },
    { given: ['{"a":'], want: { name: 'DecodeError' } },
    { given: ['{"a":', broken], want: broken },
    {
      given: [`{"items":[{${long}}`],
      want: { name: 'DecodeError', message: expect.stringContaining('incomplete') },
    },
    { given: [`{"items":[{${long}}`, broken], want: broken },
    { given: [`{${long}`, broken], want: broken },
  ])('throws the error of the body', async ({ given, want }) => {
    await expect(decodeBody(reply(given), operation)).rejects.toMatchObject(want);
  });

  it('cancels a body after invalid JSON', async () => {
    const response = reply([`{"items":[{${long}},nonsense,`, broken]);
    await expect(decodeBody(response, operation)).rejects.toMatchObject({ name: 'DecodeError' });
    expect(response.cancel).toHaveBeenCalledOnce();
  });

  it('yields to the event loop while a long list is decoded', async () => {
    let now = 0;
    // Each read of the clock takes a millisecond, and there is one per item.
    vi.spyOn(performance, 'now').mockImplementation(() => now++);
    let turns = 0;
    let over = false;
    const others = (): void => {
      turns += 1;
      if (!over) setImmediate(others);
    };
    setImmediate(others);
    const items = Array.from({ length: 1000 }, (_, index) => `{"a":${index},"b":"${'-'.repeat(400)}"}`);
    await decodeBody(reply([`{"items":[${items}]}`]), operation);
    over = true;
    expect(turns).toBeGreaterThan(50);
  });
});

it.each([
  ['a short body', '<html>'],
  ['a long body', `<html>${'-'.repeat(300_000)}`],
])('names the content type of %s that is not JSON', async (_, content) => {
  const response = { ...reply([content]), headers: { 'content-type': 'text/html' } };
  await expect(decodeBody(response, operation)).rejects.toThrow(/the response is text\/html, not JSON/);
});
