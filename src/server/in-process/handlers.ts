import { resolve } from 'node:path';
import { readThrown } from '../../core/values/read-thrown.ts';
import { importFile } from '../../sandbox/fixtures/define/fixture-module.ts';
import type { SandboxCore } from '../../sandbox/sandbox.ts';
import { TextFileError } from '../../sandbox/text-file.ts';
import { type ApiHandler, type MswHandler, runHandlers } from './run-handlers.ts';

/** The MSW handlers of a user, which handle requests to the API before the sandbox does. */
export interface Handlers {
  readonly file: string;
  /** Puts the handlers in front of a sandbox. `origin` returns where the sandbox listens, once it does. */
  before(sandbox: SandboxCore, origin: () => string): ApiHandler;
}

/** A module of handlers cannot be used; the message names the file and the reason. */
export class HandlersError extends Error {
  override readonly name = 'HandlersError';
}

const FORM = "export const handlers = [http.get('*/v1/partner/cards', resolver)], or export them as default";

/**
 * Loads the module in which a user keeps MSW handlers. The module imports its own MSW, version 2 or 3. Rejects with a
 * HandlersError when it cannot be loaded or exports anything but HTTP handlers.
 */
export async function loadHandlers(file: string): Promise<Handlers> {
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await importFile(resolve(file));
  } catch (error) {
    if (error instanceof TextFileError)
      throw new HandlersError(`the handlers in ${file} cannot be read: ${error.message}`);
    throw new HandlersError(`the handlers in ${file} cannot be loaded: ${loadProblem(error)}`);
  }
  const handlers = exportedHandlers(module);
  if (!Array.isArray(handlers)) throw new HandlersError(`${file} exports no list of handlers; write ${FORM}`);
  const invalid = handlers.findIndex(each => !isHandler(each));
  if (invalid !== -1) {
    throw new HandlersError(
      `handler ${invalid + 1} of ${file} is not an HTTP handler of MSW 2 or 3; write ${FORM}`,
    );
  }
  return { file, before: (sandbox, origin) => runHandlers(handlers, file, sandbox, origin) };
}

function exportedHandlers(module: Readonly<Record<string, unknown>>): unknown {
  const { handlers, default: preset } = module;
  if (handlers !== undefined || preset === undefined) return handlers;
  // The exports of a CommonJS module are the default export.
  const isModule = typeof preset === 'object' && preset !== null && 'handlers' in preset;
  return isModule ? preset.handlers : preset;
}

function isHandler(value: unknown): value is MswHandler {
  if (typeof value !== 'object' || value === null || !('run' in value) || !('info' in value)) return false;
  return typeof value.run === 'function' && typeof value.info === 'object' && value.info !== null;
}

function loadProblem(error: unknown): string {
  const message = readThrown(error).title;
  if (/Cannot find package 'msw'|Cannot find module 'msw'/.test(message)) {
    return 'it needs msw, which is not installed beside it; npm install --save-dev msw';
  }
  if (/Unknown file extension "\.[mc]?tsx?"/.test(message)) {
    return `this Node (${process.version}) does not load TypeScript; write it in JavaScript, or use Node 22.18 or later`;
  }
  return message.split('\n')[0] ?? message;
}
