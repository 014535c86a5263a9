#!/usr/bin/env node
import module from 'node:module';

// From Node 22 on, what has been compiled once is kept for the next start.
module.enableCompileCache?.();
module.createRequire(import.meta.url)('../dist/cli/main.cjs');
