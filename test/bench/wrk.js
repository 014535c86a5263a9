import { execFileSync } from 'node:child_process';
import { fileFor } from './contenders.js';
import { requestPieces, SERIAL_DIGITS } from './drive.js';

const CONNECTIONS = 16;

/** Whether wrk is installed. */
export function hasWrk() {
  try {
    execFileSync('wrk', [], { stdio: 'ignore' });
  } catch (error) {
    // Without a URL it prints its usage and fails.
    return error.code !== 'ENOENT';
  }
  return true;
}

/** Sends a request with wrk for some seconds. `{n}` in it counts up from `from`. Returns the requests per second. */
export function wrk({ port, seconds, from, ...request }) {
  // JSON of ASCII text is a string of Lua, too.
  const pieces = requestPieces({ port, ...request }).map(piece => JSON.stringify(piece));
  const script = fileFor(
    'wrk.lua',
    `local pieces = { ${pieces.join(', ')} }
local n = ${from}
request = function()
  n = n + 1
  return #pieces == 1 and pieces[1] or table.concat(pieces, string.format("%0${SERIAL_DIGITS}d", n))
end
`,
  );
  const options = [
    '--threads',
    1,
    '--connections',
    CONNECTIONS,
    '--duration',
    `${seconds}s`,
    '--script',
    script,
  ];
  const output = execFileSync('wrk', [...options, `http://127.0.0.1:${port}/`], { encoding: 'utf8' });
  if (/Non-2xx/.test(output)) throw new Error(`port ${port}, ${request.path}: ${output}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)[1]);
}
