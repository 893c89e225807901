/**
 * Sends requests to API servers at a rate, whatever their latency: a process of its own, which no work of the
 * tests delays. The first message is a `Plan` (`load.ts`), the second one ends it.
 */
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

const reportMs = 100;

const [plan] = await once(process, 'message');
let isOver = false;
process.once('message', end).once('disconnect', end);

const targets = plan.servers.map((server) => ({
  server,
  agent: new Agent({ ...plan.tls, keepAlive: true }),
}));
let report = emptyReport();
let [sent, inFlight] = [0, 0];

const begun = performance.now();
const reports = setInterval(sendReport, reportMs);
while (!isOver) {
  const due = Math.floor((performance.now() - begun) / plan.everyMs);
  for (; sent < due && inFlight < plan.most; sent += 1) send(sent);
  await delay(plan.everyMs);
}
while (inFlight > 0) await delay(plan.everyMs);
clearInterval(reports);
sendReport();
for (const { agent } of targets) agent.destroy();
if (process.connected) process.disconnect();

function end() {
  isOver = true;
}

/** Sends the request of a number, whose latency begins when it was due. */
function send(number) {
  const target = number % targets.length;
  const { server, agent } = targets[target];
  const { method, path, body } = plan.requests[Math.floor(number / targets.length) % plan.requests.length];
  const headers = { 'content-type': 'application/json' };
  const finish = (failure) => {
    inFlight -= 1;
    report.responses[target] += 1;
    report.latencies.push(performance.now() - begun - number * plan.everyMs);
    if (failure !== undefined) report.failures.push(`${method} ${server}${path}: ${failure}`);
  };
  inFlight += 1;
  const outgoing = request(new URL(path, server), { agent, method, headers }, async (response) => {
    try {
      const text = Buffer.concat(await response.toArray()).toString();
      finish(response.statusCode < 300 ? undefined : `${response.statusCode} ${text.trim()}`);
    } catch (error) {
      finish(error.message);
    }
  });
  outgoing.on('error', (error) => finish(error.message)).end(body);
}

function sendReport() {
  if (process.connected) process.send(report);
  report = emptyReport();
}

function emptyReport() {
  return { responses: plan.servers.map(() => 0), latencies: [], failures: [] };
}
