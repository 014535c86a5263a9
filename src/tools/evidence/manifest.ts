/** The name of the manifest in its folder. */
export const MANIFEST = 'MANIFEST';

/** The path of a file below the folder: letters, digits and some marks, with slashes between them. */
const PATH = /^[\w+#-][\w.+#-]*(?:\/[\w+#-][\w.+#-]*)*$/;
/** A line as `sha256sum` writes it. */
const LINE = /^([0-9a-f]{64}) [ *](.+)$/;

/** Writes a manifest, which `sha256sum -c` checks, from the digests of the files by path. */
export function writeManifest(digests: ReadonlyMap<string, string>): string {
  const lines = [...digests]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, digest]) => `${digest}  ${path}\n`);
  return lines.join('');
}

/** Reads a manifest, which may come from a stranger. Throws an error with the line that is not as it is written. */
export function readManifest(text: string): ReadonlyMap<string, string> {
  const digests = new Map<string, string>();
  for (const [index, line] of text.replace(/\n$/, '').split('\n').entries()) {
    const [, digest = '', path = ''] = LINE.exec(line) ?? [];
    const problem =
      digest === ''
        ? 'is not a line of sha256sum'
        : !PATH.test(path)
          ? `${JSON.stringify(path)} is not a path in the folder`
          : digests.has(path)
            ? `${path} is listed twice`
            : null;
    if (problem !== null)
      throw new Error(`${MANIFEST}:${index + 1}: ${problem}; evidence writes no such line`);
    digests.set(path, digest);
  }
  return digests;
}

/** Returns what differs between a manifest and the files of its folder, one line per file. */
export function compareDigests(
  listed: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
): readonly string[] {
  const paths = [...new Set([...listed.keys(), ...found.keys()])].sort();
  return paths.flatMap(path => {
    if (!found.has(path)) return [`${path}: is missing, and ${MANIFEST} lists it`];
    if (!listed.has(path)) return [`${path}: is not in ${MANIFEST}`];
    return listed.get(path) === found.get(path)
      ? []
      : [`${path}: has been changed since ${MANIFEST} was written`];
  });
}
