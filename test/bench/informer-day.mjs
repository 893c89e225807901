// A day of watching in simulated time: a million changes, one fault per minute, a constant number of objects.
import { setImmediate } from 'node:timers/promises';
import { SimulatedClock } from './informer-day-clock.mjs';
import { failure, SimulatedServer } from './informer-day-server.mjs';

const objects = 5000;
const minuteSeconds = 60;
const changesADay = 1_000_000;
const secondsADay = 24 * 60 * minuteSeconds;
const longestSettling = 100_000;

/** Faults, one per minute, repeated in this order. */
const faults = [
  (server) => server.end(),
  (server) => server.end(server.broken('cut')),
  (server) => cutInALine(server),
  (server) => server.repeat(20),
  (server) => burst(server, failure(429, 'TooManyRequests', { 'retry-after': '2' }), 1),
  (server) => server.hang(),
  (server) => burst(server, failure(500, 'InternalError'), 3),
  (server) => burst(server, failure(503, 'ServiceUnavailable'), 5),
  (server) => burst(server, failure(504, 'Timeout'), 2),
  (server) => burst(server, server.broken('refused'), 4),
  (server) => expired(server),
  (server) => server.send('{"type":"MODIFIED","object":{"kind":\n'),
  (server) => server.send('{"type":"MODIFIED","object":{"kind":"ConfigMap","metadata":{"name":7}}}\n'),
  (server) => compacted(server, true),
  (server) => compacted(server, false),
  (server) => server.send(server.bookmark()),
];

function cutInALine(server) {
  server.send('{"type":"MODIFIED","object":{"kind":"Config');
  server.end(server.broken('cut'));
}

function burst(server, failing, times) {
  server.failures.push(...Array(times).fill(failing));
  server.end();
}

function expired(server) {
  const { status } = failure(410, 'Expired');
  server.send(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
  server.end();
}

function compacted(server, streams) {
  server.streams = streams;
  server.compact();
  server.end();
}

/** Returns a number of at least 0 and below 1; the sequence is the same in every run. */
function chance() {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export class Day {
  clock = new SimulatedClock();
  random = chance();
  server;
  #changes = 0;
  #seconds = 0;

  /** `TransportError` is the class of the runtime. */
  constructor(TransportError) {
    this.server = new SimulatedServer(objects, TransportError);
  }

  get environment() {
    return { clock: this.clock, random: this.random };
  }

  /** Simulates `hours` hours. */
  async pass(hours) {
    const end = this.#seconds + hours * 60 * minuteSeconds;
    while (this.#seconds < end) {
      this.#change();
      await this.#second();
      if (this.#seconds % minuteSeconds === 0) this.server.send(this.server.bookmark());
      if (this.#seconds % minuteSeconds === minuteSeconds / 2) this.#fault();
    }
  }

  /** Stops changes and faults until all informers are up to date. */
  async rest() {
    this.server.failures.length = 0;
    for (let minute = 0; minute < 15; minute += 1) {
      this.server.send(this.server.bookmark());
      for (let second = 0; second < minuteSeconds; second += 1) await this.#second();
    }
  }

  settle = async () => {
    for (let turn = 0; turn < 2 || !this.server.idle; turn += 1) {
      if (turn > longestSettling) throw new Error('the data of the server is not read');
      await setImmediate();
    }
  };

  #change() {
    let text = '';
    const due = Math.floor(((this.#seconds + 1) / secondsADay) * changesADay);
    for (; this.#changes < due; this.#changes += 1) {
      text += this.server.change(Math.floor(this.random() * objects), this.random() < 0.1);
    }
    this.server.send(text);
  }

  async #second() {
    this.#seconds += 1;
    await this.settle();
    await this.clock.advance(1000, this.settle);
  }

  #fault() {
    const minute = Math.floor(this.#seconds / minuteSeconds);
    faults[minute % faults.length](this.server);
  }
}
