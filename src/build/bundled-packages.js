import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Matches the path of a file in a package; the group is the folder of the package. */
const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)\b/i;
const RULE = '-'.repeat(80);
/** What the dashboard ships besides code. */
const FONTS = [
  {
    name: 'Inter',
    note: 'font of the dashboard',
    version: '4.1',
    license: 'OFL-1.1',
    purl: 'pkg:github/rsms/inter@v4.1',
    file: 'src/dashboard/fonts/inter-license.txt',
  },
];

/**
 * Returns what the bundled files come from, by name: packages and fonts, each with its version, licence, licence text,
 * package URL and the package URLs of the bundled packages that it depends on. Throws for a package without a licence.
 */
export function bundledPackages(root, files) {
  const folders = [...new Set(files.flatMap(file => PACKAGE.exec(file)?.[1] ?? []))];
  const packages = new Map(folders.map(folder => [folder, describe(folder)]));
  for (const [folder, each] of packages) {
    const found = each.dependencies.flatMap(name => packages.get(resolvePackage(folder, name)) ?? []);
    each.dependsOn = [...new Set(found.map(({ purl }) => purl))].sort();
  }
  const fonts = FONTS.map(font => ({
    ...font,
    text: readFileSync(join(root, font.file), 'utf8'),
    dependsOn: [],
  }));
  return [...packages.values(), ...fonts].sort((a, b) => (a.purl < b.purl ? -1 : 1));
}

function describe(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = manifest;
  const texts = readdirSync(folder).filter(file => LICENSE_FILE.test(file) && existsSync(join(folder, file)));
  if (typeof license !== 'string' || texts.length === 0) {
    throw new Error(`${name} ${version} is bundled, but has no licence or no licence file`);
  }
  return {
    ...{ name, version, license },
    purl: purlOf(name, version),
    text: texts.map(file => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n'),
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
  };
}

/** The folder in which Node.js finds a package for the code in a folder; undefined if it finds none. */
function resolvePackage(from, name) {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(found)) return found;
  }
  return undefined;
}

/** The package URL of an npm package: a stable name of a version in any tool. */
function purlOf(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** Returns the licences of bundled packages as one text. */
export function thirdPartyLicenses(packages) {
  const parts = packages.map(({ name, note, version, license, text }) => {
    const title = `${name} ${version} (${note === undefined ? '' : `${note}, `}${license})`;
    return `${RULE}\n${title}\n${RULE}\n\n${text.trim()}\n`;
  });
  return `card-sandbox includes the following packages, each under its own licence.\n\n${parts.join('\n')}`;
}

/**
 * Returns the bill of materials of a package, with the packages that it bundles, in CycloneDX 1.6. It has no time and no
 * serial number, so that the same sources give the same file.
 */
export function billOfMaterials({ name, version, description, license, devDependencies }, packages) {
  const ref = purlOf(name, version);
  const direct = packages.filter(each => each.dependencies === undefined || each.name in devDependencies);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': ref,
        ...identity({ name, version, license, purl: ref }),
        description,
      },
    },
    components: packages.map(each => ({
      type: 'library',
      'bom-ref': each.purl,
      scope: 'required',
      ...identity(each),
    })),
    dependencies: [
      { ref, dependsOn: direct.map(({ purl }) => purl) },
      ...packages.map(({ purl, dependsOn }) => ({ ref: purl, dependsOn })),
    ],
  };
}

function identity({ name, version, license, purl }) {
  const [, group, ownName] = /^(@[^/]+)\/(.*)$/.exec(name) ?? [];
  return {
    ...(group === undefined ? { name } : { group, name: ownName }),
    version,
    licenses: [/ (?:AND|OR|WITH) /.test(license) ? { expression: license } : { license: { id: license } }],
    purl,
  };
}
