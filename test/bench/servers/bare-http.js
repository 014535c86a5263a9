// The simplest stateful server: node:http, a Map, JSON. `node bare-http.js <port>`
import { createServer } from 'node:http';
import { cardholder, FIRST } from './record.js';

const records = new Map([[FIRST.id, FIRST]]);

createServer((request, response) => {
  if (request.method === 'GET') {
    respond(response, 200, records.get(request.url.slice('/cardholders/'.length)));
    return;
  }
  const chunks = [];
  request.on('data', chunk => chunks.push(chunk));
  request.on('end', () => {
    const record = cardholder(`ch_${records.size + 1}`, JSON.parse(Buffer.concat(chunks)));
    records.set(record.id, record);
    respond(response, 201, record);
  });
}).listen(Number(process.argv[2]), '127.0.0.1');

function respond(response, status, body) {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}
