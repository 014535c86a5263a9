import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { openApiDocument, writeDocument } from '../../../src/server/openapi/document.ts';
import { TOOLS } from './nodes.js';

/** Runs a command of a tool in the folder of the tools. Resolves with its output, and rejects with it when it fails. */
export async function tool(
  command: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const program = join(TOOLS, 'node_modules', command);
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], {
      cwd: TOOLS,
      env: { ...process.env, NO_COLOR: '1', CI: '1', REDOCLY_TELEMETRY: 'off', ...variables },
    });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  }
}

/** Writes the document of a plane to a file, which is removed when the test ends, and returns its path. */
export async function documentFile(plane: 'partner' | 'control', format: 'json' | 'yaml'): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-document-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, `${plane}.${format}`);
  writeFileSync(file, writeDocument(openApiDocument(plane), format));
  return file;
}
