import { expect, it } from 'vitest';
import { localWebhookHost } from './local-host.ts';

const linux = { platform: 'linux' };
const gateway = { ...linux, kindGateway: '172.18.0.1' };
const mac = { platform: 'darwin' };

it.each([
  { context: 'kind-kind', server: 'https://127.0.0.1:41234', machine: gateway, host: '172.18.0.1' },
  { context: 'kind-a', server: 'https://127.0.0.1:41234', machine: mac, host: 'host.docker.internal' },
  {
    context: 'kind-a',
    server: 'https://[::1]:41234',
    machine: { platform: 'win32' },
    host: 'host.docker.internal',
  },
  { context: 'k3d-dev', server: 'https://0.0.0.0:6550', machine: linux, host: 'host.k3d.internal' },
  {
    context: 'k3d-dev',
    server: 'https://host.docker.internal:6550',
    machine: mac,
    host: 'host.k3d.internal',
  },
  {
    context: 'minikube',
    server: 'https://192.168.49.2:8443',
    machine: linux,
    host: 'host.minikube.internal',
  },
  { context: 'minikube', server: '127.0.0.1:54321', machine: mac, host: 'host.minikube.internal' },
  {
    context: 'docker-desktop',
    server: 'https://kubernetes.docker.internal:6443',
    machine: mac,
    host: 'host.docker.internal',
  },
])('finds $host for $context at $server', ({ context, server, machine, host }) => {
  expect(localWebhookHost({ context, server }, machine)).toMatchObject({ host });
});

it.each([
  { context: 'kind-kind', server: 'https://127.0.0.1:41234', machine: linux, problem: /kindGateway/ },
  { context: 'kind-prod', server: 'https://api.example.com', machine: gateway, problem: /kind-prod \(https/ },
  { context: 'k3d-prod', server: 'https://10.0.0.1:6443', machine: linux, problem: /run the operator in/ },
  { context: 'minikube', server: 'https://192.168.example.com', machine: linux, problem: /pass a url/ },
  { context: 'prod', server: 'https://127.0.0.1:6443', machine: linux, problem: /prod \(https/ },
  { context: undefined, server: 'no address', machine: linux, problem: /of no address is/ },
])('returns what to do for $context at $server', ({ context, server, machine, problem }) => {
  expect(localWebhookHost({ context, server }, machine)).toEqual({ problem: expect.stringMatching(problem) });
});
