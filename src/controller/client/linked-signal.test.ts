import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { linkedSignal, SignalFollowers } from './linked-signal.ts';

describe('a linked signal', () => {
  it('aborts with the first of its signals, with the same reason', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const { signal } = linkedSignal([undefined, one.signal, other.signal]);
    other.abort('over');
    one.abort('too late');
    expect(signal?.reason).toBe('over');
  });

  it('of a single signal is that signal', () => {
    const { signal } = new AbortController();
    expect(linkedSignal([undefined, signal]).signal).toBe(signal);
    expect(linkedSignal([undefined]).signal).toBe(undefined);
  });

  it.each(['before', 'after'])('aborts with a lasting signal that aborts %s it is linked', (time) => {
    const [own, lasting] = [new AbortController(), new AbortController()];
    const followers = new SignalFollowers(lasting.signal);
    if (time === 'before') lasting.abort('lost');
    const { signal } = linkedSignal([own.signal], followers);
    if (time === 'after') lasting.abort('lost');
    expect(signal?.reason).toBe('lost');
  });

  it('leaves no listener behind, and adds one to a lasting signal', () => {
    const [own, lasting] = [new AbortController(), new AbortController()];
    const followers = new SignalFollowers(lasting.signal);
    const links = Array.from({ length: 3 }, () => linkedSignal([own.signal], followers));
    expect(getEventListeners(lasting.signal, 'abort')).toHaveLength(1);
    for (const { release } of links) release();
    expect(getEventListeners(lasting.signal, 'abort')).toHaveLength(0);
    expect(getEventListeners(own.signal, 'abort')).toHaveLength(0);
    lasting.abort('lost');
    expect(links.map(({ signal }) => signal?.aborted)).toEqual([false, false, false]);
  });
});
