#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// From Node 22 on, what has been compiled once is kept for the next start.
module.enableCompileCache?.();
const require = module.createRequire(import.meta.url);
const { loadWithCache } = require('../dist/cli/code-cache.cjs');
const path = file => fileURLToPath(new URL(file, import.meta.url));
loadWithCache(path('../dist/cli/main.cjs'), path('../dist/code-cache'), process.argv[2]);
