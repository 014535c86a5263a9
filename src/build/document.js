// Writes the documents and the parts of documents that are generated from the operations, schemas and commands. Run with
// `npm run docs`, which generates the sources that they are made from first.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importSource } from './import-source.js';

process.chdir(join(import.meta.dirname, '../..'));

const { generatedDocuments } = await importSource('src/build/documents/documents.ts');
for (const [path, text] of Object.entries(await generatedDocuments())) writeFileSync(path, text);
