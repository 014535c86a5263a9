import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Matches the path of a file in a package; the group is the folder of the package. */
const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)\b/i;
const RULE = '-'.repeat(80);
/** What the dashboard ships besides code. */
const FONTS = [{ title: 'Inter (font of the dashboard)', license: 'src/dashboard/fonts/inter-license.txt' }];

/**
 * Returns the licences of the packages of the bundled files, and of the fonts, as one text. Throws for a package
 * without a licence file.
 */
export function thirdPartyLicenses(root, files) {
  const folders = [...new Set(files.flatMap(file => PACKAGE.exec(file)?.[1] ?? []))];
  const packages = folders.map(describe).sort((a, b) => (a.title < b.title ? -1 : 1));
  const fonts = FONTS.map(({ title, license }) => ({
    title,
    text: readFileSync(join(root, license), 'utf8'),
  }));
  const parts = [...packages, ...fonts].map(
    ({ title, text }) => `${RULE}\n${title}\n${RULE}\n\n${text.trim()}\n`,
  );
  return `card-sandbox includes the following packages, each under its own licence.\n\n${parts.join('\n')}`;
}

function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder).filter(file => LICENSE_FILE.test(file) && existsSync(join(folder, file)));
  if (texts.length === 0) throw new Error(`${name} ${version} is bundled, but has no licence file`);
  const text = texts.map(file => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  return { title: `${name} ${version} (${license})`, text };
}
