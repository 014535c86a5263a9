import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../sandbox/fixtures/fixture-files.ts';
import { runInProcess } from '../../support/cli-in-process.ts';
import { PROOF_TIMEOUT_MS, recordResult } from '../../support/proof/proof-size.ts';

/** Folders that a configuration can name: outside of the project, or with signs that a shell acts on. */
const FOLDERS = [
  ...[
    '..',
    '../',
    '../outside',
    './../outside',
    'a/../../outside',
    'a/b/../../../outside',
    '//outside',
    '../app2',
  ],
  ...[
    'linked',
    'linked/inside',
    './linked',
    'inside/../linked',
    'inside/linked',
    'linked/..',
    '../app/../outside',
  ],
  ...[
    'a;touch MARK',
    'a && touch MARK',
    'a|touch MARK',
    '$(touch MARK)',
    '`touch MARK`',
    'a$IFS',
    '${X}',
    '*',
    '~',
  ],
  ...[
    '--config=evil',
    '-x',
    '-',
    '!x',
    '#x',
    'a b',
    'a\\tb',
    'a\\nb',
    'a%PATH%b',
    'a^b',
    "a\\'b",
    'a"b',
    'a\\\\b',
  ],
  ...[
    '%2e%2e/outside',
    '..\\\\outside',
    '．．/outside',
    '\\u202e',
    'a\\u0000b',
    'x'.repeat(300),
    '.git',
    'node_modules',
  ],
];

test('init: no configuration of a project makes it write outside, follow a link or put a command into a script', {
  timeout: PROOF_TIMEOUT_MS,
}, async context => {
  let [written, refused] = [0, 0];
  for (const folder of FOLDERS) {
    for (const [name, text] of Object.entries({
      'playwright.config.ts': `export default { testDir: '${folder}' }`,
      'pytest.ini': `[pytest]\ntestpaths = ${folder}\n`,
    })) {
      const parent = temporaryFolder();
      const [app, outside] = [join(parent, 'app'), join(parent, 'outside')];
      for (const each of [outside, join(app, 'inside')]) mkdirSync(each, { recursive: true });
      symlinkSync('../outside', join(app, 'linked'));
      symlinkSync('../../outside', join(app, 'inside/linked'));
      writeFileSync(join(app, name), text.replaceAll('MARK', join(outside, 'mark')));
      const manifest = '{}';
      writeFileSync(join(app, 'package.json'), manifest);
      const beside = () =>
        readdirSync(parent, { recursive: true, encoding: 'utf8' }).filter(file => !/^app(?:\/|$)/.test(file));
      const { code, stdout, stderr } = await runInProcess(['init', app, '--json']);
      const what = [folder, name];
      expect([...what, beside()]).toEqual([...what, ['outside']]);
      expect([...what, stderr.match(/\bat \w+ \(|node:internal/)]).toEqual([...what, null]);
      if (code !== 0) {
        expect([...what, code, readFileSync(join(app, 'package.json'), 'utf8')]).toEqual([
          ...what,
          1,
          manifest,
        ]);
        refused += 1;
        continue;
      }
      written += 1;
      const files: string[] = JSON.parse(stdout).files.map(({ path }: { path: string }) => path);
      for (const file of files)
        expect([...what, statSync(join(app, file)).isFile()]).toEqual([...what, true]);
      const { scripts = {} } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
      for (const script of Object.values<string>(scripts)) {
        const [program = ''] = script.split(' ', 1);
        const words = execFileSync('sh', ['-c', script.replace(program, 'printf "<%s>"')], {
          cwd: dirname(join(app, 'package.json')),
          env: { X: 'expanded', PATH: process.env.PATH },
          encoding: 'utf8',
        });
        expect([...what, words]).toEqual([...what, expect.not.stringMatching(/expanded|<--config=evil|<-x/)]);
      }
      expect([...what, existsSync(join(outside, 'mark'))]).toEqual([...what, false]);
    }
  }
  expect(written).toBeGreaterThan(10);
  recordResult(context, `${written + refused} projects, ${refused} refused, 0 files outside, 0 commands run`);
});
