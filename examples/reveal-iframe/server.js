// A minimal partner app. It keeps the API key on the server and gives the browser only signed URLs.
//
//   npx card-sandbox start
//   SERVICE_API_KEY=sk_test_acme_0123456789abcdef node server.js

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const BASE_URL = process.env.SERVICE_BASE_URL ?? 'http://127.0.0.1:4242/v1';
const API_KEY = process.env.SERVICE_API_KEY ?? 'sk_test_acme_0123456789abcdef';
const FILES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/app.js': ['app.js', 'text/javascript; charset=utf-8'],
  '/card.css': ['card.css', 'text/css; charset=utf-8'],
};

async function api(method, path, body) {
  const response = await fetch(BASE_URL + path, {
    method,
    headers: { 'x-service-api-key': API_KEY, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const result = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(result.error)}`);
  return result;
}

/** A new URL for the iframe. A real app first checks that the card belongs to the user. */
async function reveal(origin) {
  const [card] = (await api('GET', '/partner/cards?status=active&limit=1')).data;
  if (card === undefined) throw new Error('no card is active; activate one first');
  return api('POST', `/partner/cards/${card.id}/reveal-html`, {
    stylesheetUrl: `${origin}/card.css`,
    copyPan: true,
  });
}

const server = createServer(async (request, response) => {
  const send = (status, type, body) => response.writeHead(status, { 'content-type': type }).end(body);
  try {
    const [file, type] = FILES[request.url] ?? [];
    if (request.method === 'GET' && file !== undefined) {
      send(200, type, await readFile(new URL(file, import.meta.url)));
    } else if (request.method === 'POST' && request.url === '/reveal') {
      send(200, 'application/json', JSON.stringify(await reveal(`http://${request.headers.host}`)));
    } else {
      send(404, 'text/plain', 'not found');
    }
  } catch (error) {
    send(502, 'application/json', JSON.stringify({ error: error.message }));
  }
});

server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`http://localhost:${server.address().port}`);
});
