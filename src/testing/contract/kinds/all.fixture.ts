/** All tables of requests about built-in kinds. */
import type { Step } from '../exchange.fixture.ts';
import { applySteps } from './apply.fixture.ts';
import { changeSteps } from './changes.fixture.ts';
import { evictionSteps } from './evictions.fixture.ts';
import { memberSteps } from './members.fixture.ts';
import { namespaceSteps } from './namespaces.fixture.ts';
import { podSteps } from './pods.fixture.ts';
import { policySteps } from './policies.fixture.ts';
import { serviceSteps } from './services.fixture.ts';
import { systemSteps } from './system.fixture.ts';
import { workloadSteps } from './workloads.fixture.ts';

export const kindSteps: Readonly<Record<string, readonly Step[]>> = {
  ...systemSteps,
  ...podSteps,
  ...evictionSteps,
  ...namespaceSteps,
  ...applySteps,
  ...workloadSteps,
  ...serviceSteps,
  ...policySteps,
  ...memberSteps,
  ...changeSteps,
};
