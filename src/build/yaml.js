// An entry point of our own, so that `shared-code.js` bundles it with the helpers that a start has loaded.
import yaml from '../../node_modules/yaml/dist/index.js';

export { yaml };
