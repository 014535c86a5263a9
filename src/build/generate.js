// Writes the files that are generated from the operations, their valid inputs and the register of assumptions. Run with
// `npm run generate` after a change of one of them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from './format.js';
import { importSource } from './import-source.js';

const ROOT = join(import.meta.dirname, '../..');

const { generatedFiles } = await importSource(join(import.meta.dirname, 'generation/generated-files.ts'));
for (const [path, source] of Object.entries(await generatedFiles())) {
  writeFileSync(join(ROOT, path), format(path, source));
}
