import { VirtualTime } from '@kgen/testserver/internal/server/virtual-time';
import { expect, it } from 'vitest';
import { isUnreviewed, type Outcome, outcomeText, UserRequests } from './user-requests.ts';

const accepted: Outcome = { code: 200, message: '' };
const invalid: Outcome = { code: 422, message: 'spec.size: Invalid value: -1' };
const denied: Outcome = { code: 422, message: 'admission webhook "a.b" denied the request: not ready yet' };
const unreviewed: Outcome = {
  code: 500,
  message: 'Internal error occurred: failed calling webhook "a.b": EOF',
};

interface Row {
  readonly title: string;
  /** Responses of the server to each request in turn; the last one repeats. */
  readonly responses: readonly Outcome[];
  readonly first: Outcome;
  /** Number of requests after a minute. */
  readonly sent: number;
}

it.each<Row>([
  { title: 'an accepted request', responses: [accepted], first: accepted, sent: 1 },
  { title: 'an invalid one', responses: [invalid], first: invalid, sent: 1 },
  { title: 'one denied for some time', responses: [denied, denied, accepted], first: accepted, sent: 3 },
  { title: 'one that is always denied', responses: [denied], first: denied, sent: 31 },
  {
    title: 'one whose webhook is down for some time',
    responses: [unreviewed, unreviewed, accepted],
    first: unreviewed,
    sent: 3,
  },
  {
    title: 'one that is denied after its webhook was down',
    responses: [unreviewed, denied, denied, accepted],
    first: unreviewed,
    sent: 4,
  },
])('users repeat $title', async ({ responses, first, sent }) => {
  const time = new VirtualTime();
  const users = new UserRequests(time);
  let requests = 0;
  const sending = users.send('a', async () => {
    requests += 1;
    return responses[requests - 1] ?? responses.at(-1) ?? accepted;
  });
  await time.advance(40_000);
  expect(await sending).toEqual(first);
  expect(requests).toBe(sent);
  expect(users.isWaiting('a')).toBe(false);
});

it('sends later requests for an object in their order', async () => {
  const time = new VirtualTime();
  const users = new UserRequests(time);
  const order: string[] = [];
  const responses = [unreviewed, unreviewed];
  const request = (name: string) => async (): Promise<Outcome> => {
    const outcome = responses.shift() ?? accepted;
    if (outcome === accepted) order.push(name);
    return outcome;
  };
  expect(await users.send('a', request('first'))).toSatisfy(isUnreviewed);
  expect(await users.send('a', request('second'))).toEqual({ code: 202, message: '' });
  expect(await users.send('b', request('other'))).toEqual(unreviewed);
  await time.advance(5_000);
  expect(order).toEqual(['first', 'second', 'other']);
  expect(outcomeText(invalid)).toBe('refused (422): spec.size: Invalid value: -1');
});
