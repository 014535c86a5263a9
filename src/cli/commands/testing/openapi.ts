import { type Command, Option } from 'commander';
import type { Names } from '../../../sandbox/sandbox.ts';
import { namesFlag } from '../../flags.ts';
import { printWhole } from '../../output/print.ts';

interface OpenApiFlags {
  readonly format: 'json' | 'yaml';
  readonly plane: 'partner' | 'control';
  readonly names?: Names;
}

const AFTER = `
It needs no running sandbox. A running one serves the same, with its own address, at /openapi.json and /openapi.yaml.

Examples:
  $ card-sandbox openapi > openapi.json
  $ card-sandbox openapi --format yaml > openapi.yaml
  $ card-sandbox openapi --plane control > control.json`;

/** Adds `card-sandbox openapi`, which prints the OpenAPI document. */
export function addOpenApi(program: Command): void {
  program
    .command('openapi')
    .description('Print the OpenAPI 3.1 document of the API.')
    .addOption(
      new Option('--format <format>', 'how it is written').choices(['json', 'yaml']).default('json', 'json'),
    )
    .addOption(
      new Option('--plane <plane>', 'the API for partners, or what drives the sandbox itself')
        .choices(['partner', 'control'])
        .default('partner', 'partner'),
    )
    .addOption(namesFlag())
    .option('--json', 'the same as --format json')
    .helpOption('-h, --help', 'show this help')
    .showHelpAfterError('(card-sandbox openapi --help lists the options)')
    .addHelpText('after', AFTER)
    .action(async ({ format, plane, names, json }: OpenApiFlags & { readonly json?: true }) => {
      // Loaded when asked for, so that every other command starts sooner.
      const { openApiDocument, writeDocument } = await import('../../../openapi/document.ts');
      await printWhole(
        writeDocument(await openApiDocument(plane, undefined, names), json === true ? 'json' : format),
      );
    });
}
