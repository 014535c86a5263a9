// Reads a file of declarations as the compiler writes them: every statement begins in the first column, all else is
// indented or closes what is open.

const NAMED = /^(?:import|export) (?:type )?\{([^}]*)\}(?: from ['"]([^'"]+)['"])?;/;
const NAMESPACE = /^import (?:type )?\* as (\w+) from ['"]([^'"]+)['"]/;
const EVERYTHING = /^export (?:type )?\* from ['"]([^'"]+)['"]/;
const DECLARATION =
  /^(?:export )?(?:declare )?(?:abstract )?(?:async )?(?:function|class|interface|type|const|let|enum) (\w+)/;

/**
 * The statements of a file of declarations: each with its text, comments included, and what it is. Throws for one of a
 * kind that it does not know.
 */
export function readStatements(text) {
  const statements = [];
  let begun = [];
  for (const line of text.split('\n')) {
    const isFirst = /^(?:import|export|declare|interface|type|abstract|class|enum|\/\/\/? |\/\*\*)/.test(
      line,
    );
    if (isFirst && begun.some(each => !isComment(each))) {
      statements.push(begun.join('\n'));
      begun = [];
    }
    if (line !== '' || begun.length > 0) begun.push(line);
  }
  if (begun.some(each => !isComment(each))) statements.push(begun.join('\n'));
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
    return { text, kind: 'import', from: whole, links: [{ outside: '*', inside: alias, text: alias }] };
  }
  const [, from] = EVERYTHING.exec(code) ?? [];
  if (from !== undefined) return { text, kind: 'everything', from };
  const [, name] = DECLARATION.exec(code) ?? [];
  if (name === undefined) throw new Error(`a declaration of an unknown kind: ${code.slice(0, 100)}`);
  return { text, kind: 'declaration', name, exported: code.startsWith('export'), words: words(code) };
}

/** What is in the braces of an import or export: each name as it is there, and as it is here. */
function links([, braces, from]) {
  const parts = braces.split(',').flatMap(part => part.trim() || []);
  return {
    from,
    links: parts.map(text => {
      const [outside, inside = outside] = text.replace(/^type /, '').split(' as ');
      return { text, outside, inside };
    }),
  };
}

function words(code) {
  return new Set(code.match(/[A-Za-z_$][\w$]*/g));
}
