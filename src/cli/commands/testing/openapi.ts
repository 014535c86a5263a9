import { Option } from 'commander';
import { resolveOptions } from '../../../sandbox/options.ts';
import type { Names } from '../../../sandbox/sandbox.ts';
import type { Assume } from '../../../service/assumptions/assume.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { withChoices } from '../../flags.ts';
import { printWhole } from '../../output/print.ts';
import { optionFlag } from '../../sandbox/sandbox-flags.ts';

interface OpenApiFlags {
  readonly format: 'json' | 'yaml';
  readonly plane: 'partner' | 'control';
  readonly names?: Names;
  readonly assume?: Assume;
  readonly json?: true;
}

const AFTER = `
Needs no running sandbox. A running one serves the same document, with its own address, at /openapi.json and
/openapi.yaml.
${examples('openapi > openapi.json', 'openapi --format yaml > openapi.yaml', 'openapi --plane control > control.json')}`;

export const add: AddCommand = program => {
  const command = commandAt(program, ['openapi']);
  command
    .description('Print the OpenAPI 3.1 document of the API.')
    .addOption(
      withChoices(new Option('--format <format>', 'output format'), ['json', 'yaml']).default('json', 'json'),
    )
    .addOption(
      withChoices(new Option('--plane <plane>', 'the partner API, or the control plane of the sandbox'), [
        'partner',
        'control',
      ]).default('partner', 'partner'),
    )
    .addOption(optionFlag('names'))
    .addOption(optionFlag('assume'))
    .option('--json', 'short for --format json')
    .showHelpAfterError('(card-sandbox openapi --help lists the options)')
    .addHelpText('after', AFTER)
    .action(printDocument);
};

async function printDocument({ format, plane, json, ...given }: OpenApiFlags): Promise<void> {
  // Imported here, so that listing the commands does not load it.
  const { openApiDocument, writeDocument } = await import('../../../server/openapi/document.ts');
  const { names, assume } = resolveOptions(given);
  await printWhole(writeDocument(openApiDocument(plane, undefined, names, assume), json ? 'json' : format));
}
