import { Option } from 'commander';
import type { Names } from '../../../sandbox/sandbox.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { namesFlag } from '../../flags.ts';
import { printWhole } from '../../output/print.ts';

interface OpenApiFlags {
  readonly format: 'json' | 'yaml';
  readonly plane: 'partner' | 'control';
  readonly names?: Names;
  readonly json?: true;
}

const AFTER = `
Needs no running sandbox. A running one serves the same document, with its own address, at /openapi.json and
/openapi.yaml.
${examples('openapi > openapi.json', 'openapi --format yaml > openapi.yaml', 'openapi --plane control > control.json')}`;

/** Adds `openapi`, which prints the OpenAPI document. */
export const add: AddCommand = program => {
  commandAt(program, ['openapi'])
    .description('Print the OpenAPI 3.1 document of the API.')
    .addOption(
      new Option('--format <format>', 'output format').choices(['json', 'yaml']).default('json', 'json'),
    )
    .addOption(
      new Option('--plane <plane>', 'the partner API, or the control plane of the sandbox')
        .choices(['partner', 'control'])
        .default('partner', 'partner'),
    )
    .addOption(namesFlag())
    .option('--json', 'short for --format json')
    .showHelpAfterError('(card-sandbox openapi --help lists the options)')
    .addHelpText('after', AFTER)
    .action(async ({ format, plane, names, json }: OpenApiFlags) => {
      // Imported here, so that listing the commands does not load it.
      const { openApiDocument, writeDocument } = await import('../../../openapi/document.ts');
      await printWhole(writeDocument(await openApiDocument(plane, undefined, names), json ? 'json' : format));
    });
};
