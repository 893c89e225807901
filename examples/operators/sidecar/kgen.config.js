// @ts-check
import { defineConfig } from 'kgen';

export default defineConfig({
  // Definitions from which the clients in generated/ are written: those of api/, and any others.
  input: ['config/crd'],
  // Namespace, image, replicas, resources and env of the manifests in config/.
  deployment: {},
});
