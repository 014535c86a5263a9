// Parses a declaration file of the compiler: every statement starts in the first column, all other lines are indented
// or close a block. `typescript` has no stable parser API since version 7.

const NAMED = /^(?:import|export) (?:type )?\{([^}]*)\}(?: from ['"]([^'"]+)['"])?;/;
const NAMESPACE = /^import (?:type )?\* as (\w+) from ['"]([^'"]+)['"]/;
const EVERYTHING = /^export (?:type )?\* from ['"]([^'"]+)['"]/;
const DECLARATION =
  /^(?:export )?(?:declare )?(?:abstract )?(?:async )?(?:function|class|interface|type|const|let|enum) (\w+)/;

/**
 * Returns the statements of a declaration file: each with its text, comments included, and its kind. Throws for an
 * unknown kind of statement.
 */
export function readStatements(text) {
  const statements = [];
  let current = [];
  for (const line of text.split('\n')) {
    const isFirst = /^(?:import|export|declare|interface|type|abstract|class|enum|\/\/\/? |\/\*\*)/.test(
      line,
    );
    if (isFirst && current.some(each => !isComment(each))) {
      statements.push(current.join('\n'));
      current = [];
    }
    if (line !== '' || current.length > 0) current.push(line);
  }
  if (current.some(each => !isComment(each))) statements.push(current.join('\n'));
  return statements.map(each => describe(each.trimEnd())).filter(each => each !== null);
}

function isComment(line) {
  return /^(?:\s*\/\/|\/\*\*| \*)/.test(line) || line === '';
}

function describe(text) {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').trim();
  // A module augmentation fills an interface of the kernel, which no published type names.
  if (code === 'export {};' || code === '' || code.startsWith('declare module')) return null;
  const named = NAMED.exec(code);
  if (named !== null) return { text, kind: code.startsWith('import') ? 'import' : 'export', ...links(named) };
  const [, alias, whole] = NAMESPACE.exec(code) ?? [];
  if (alias !== undefined) {
    return { text, kind: 'import', from: whole, links: [{ imported: '*', local: alias, text: alias }] };
  }
  const [, from] = EVERYTHING.exec(code) ?? [];
  if (from !== undefined) return { text, kind: 'everything', from };
  const [, name] = DECLARATION.exec(code) ?? [];
  if (name === undefined) throw new Error(`a declaration of an unknown kind: ${code.slice(0, 100)}`);
  return { text, kind: 'declaration', name, exported: code.startsWith('export'), words: words(code) };
}

/** The names in the braces of an import or export: each with its name in the other file and in this one. */
function links([, braces, from]) {
  const parts = braces.split(',').flatMap(part => part.trim() || []);
  return {
    from,
    links: parts.map(text => {
      const [imported, local = imported] = text.replace(/^type /, '').split(' as ');
      return { text, imported, local };
    }),
  };
}

function words(code) {
  return new Set(code.match(/[A-Za-z_$][\w$]*/g));
}
