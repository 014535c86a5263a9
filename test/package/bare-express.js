// The baseline for the cold start of the sandbox: a minimal Express server that returns JSON.
import express from 'express';

const app = express();
app.get('/v1/partner/cards', (_request, response) => response.json({ data: [], total: 0 }));
const server = app.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }));
});
