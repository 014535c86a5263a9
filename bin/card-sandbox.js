#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// From Node 22 on, for where the package cannot keep what is compiled itself.
module.enableCompileCache?.();
const require = module.createRequire(import.meta.url);
const { loadWithCache } = require('../dist/cli/code-cache.cjs');
const path = file => fileURLToPath(new URL(file, import.meta.url));
loadWithCache(path('../dist/cli/main.cjs'), path('../dist/code-cache'), process.argv[2]);
