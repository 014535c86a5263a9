// The same as a typical Express app. `node bare-express.js <port>`
import express from 'express';
import { cardholder, FIRST } from './record.js';

const records = new Map([[FIRST.id, FIRST]]);
const app = express();
app.use(express.json());
app.get('/cardholders/:id', (request, response) => {
  response.json(records.get(request.params.id));
});
app.post('/cardholders', (request, response) => {
  const record = cardholder(`ch_${records.size + 1}`, request.body);
  records.set(record.id, record);
  response.status(201).json(record);
});
app.listen(Number(process.argv[2]), '127.0.0.1');
