// An integration of ten years ago: CommonJS, callbacks, node:http, records in an object. It answers webhooks last.
const http = require('node:http');
const { verifyWebhook } = require('card-sandbox');

const planted = name => process.env.PLANTED === name;

exports.createLegacy = function createLegacy({ baseUrl, readKey, secret }) {
  const people = {};
  let key = readKey();

  function once(method, path, body, callback) {
    const text = body ? JSON.stringify(body) : '';
    const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
    headers['content-length'] = planted('content-length-in-characters')
      ? text.length
      : Buffer.byteLength(text);
    let isDone = false;
    const done = (error, result) => {
      if (isDone) return;
      isDone = true;
      callback(error, result);
    };
    const request = http.request(baseUrl + path, { method, headers, agent: false }, response => {
      const chunks = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('aborted', () => done(new Error('lost')));
      response.on('error', done);
      response.on('end', () => {
        try {
          const content = Buffer.concat(chunks).toString('utf8');
          done(null, { status: response.statusCode, headers: response.headers, body: JSON.parse(content) });
        } catch (error) {
          done(error);
        }
      });
    });
    request.on('error', done);
    const patience = planted('timeout-too-short') ? 400 : 15000;
    request.setTimeout(patience, () => request.destroy(new Error('timeout')));
    request.end(text);
  }

  /** Repeats reads, and whatever was certainly not processed. Calls back with `isUncertain` for the rest. */
  function send(method, path, body, callback, attempt = 1) {
    once(method, path, body, (error, result) => {
      const again = delay => setTimeout(() => send(method, path, body, callback, attempt + 1), delay);
      if (result && result.status === 429 && attempt < 20)
        return again(1000 * Number(result.headers['retry-after'] || 1));
      if (result && result.status === 401 && attempt === 1) {
        key = readKey();
        return again(0);
      }
      const isUncertain = Boolean(error) || result.status >= 500;
      if (planted('unavailable-is-final') && result && result.status === 503) return callback(null, result);
      if (isUncertain && method === 'GET' && attempt < 8) return again(50 * 2 ** attempt);
      if (isUncertain && planted('timeout-too-short') && error && error.message === 'timeout')
        return callback(error);
      if (isUncertain)
        return callback(Object.assign(error || new Error(`status ${result.status}`), { isUncertain }));
      callback(null, result);
    });
  }

  /** Writes; after an uncertain attempt `find` calls back with what it has made, or with null to write again. */
  function write(path, body, find, callback, attempt = 1) {
    send('POST', path, body, (error, result) => {
      if (!error?.isUncertain || attempt === 7) return callback(error, result);
      setTimeout(
        () => {
          find((findError, found) => {
            if (findError) return callback(findError);
            if (found) return callback(null, { status: 200, body: found });
            write(path, body, find, callback, attempt + 1);
          });
        },
        50 * 2 ** attempt,
      );
    });
  }

  const first = (path, callback) =>
    send('GET', path, null, (error, result) => callback(error, result?.body.data?.[0]));
  const withStatus = (path, status, callback) =>
    send('GET', path, null, (error, result) =>
      callback(error, result && result.body.status === status ? result.body : null),
    );

  /** Issues a card with the printed name of the cardholder, and activates it. */
  function order(cardholderId, callback) {
    send('GET', `/partner/cardholders/${cardholderId}`, null, (error, result) => {
      if (error) return callback(error);
      const person = {
        status: 'ordered',
        cardholderId,
        name: `${result.body.firstName} ${result.body.lastName}`,
      };
      people[cardholderId] = person;
      const body = { cardholderId, cardProgramId: 'prog_everyday', nameOnCard: person.name };
      const find = done => first(`/partner/cards?cardholderId=${cardholderId}`, done);
      write('/partner/cards', body, find, (issueError, issued) => {
        if (issueError || issued.status >= 300) {
          person.status = 'refused';
          return callback(null, person);
        }
        person.cardId = issued.body.id;
        person.nameOnCard = issued.body.nameOnCard;
        move(person, 'activate', 'active', callback);
      });
    });
  }

  function move(person, action, wanted, callback) {
    const path = `/partner/cards/${person.cardId}`;
    const find = done => withStatus(path, wanted, done);
    write(`${path}/${action}`, null, find, (error, result) => {
      if (planted('error-swallowed') && action === 'freeze') {
        person.status = wanted;
        return callback(null, person);
      }
      if (error || result.status >= 300) return callback(error || new Error(`${action}: ${result.status}`));
      person.status = result.body.status;
      callback(null, person);
    });
  }

  function webhook(request, response) {
    const chunks = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      const rawBody = Buffer.concat(chunks);
      const answer = status => response.writeHead(status).end();
      if (!verifyWebhook(rawBody, request.headers['x-service-signature'], secret).valid) return answer(401);
      const event = JSON.parse(rawBody);
      if (event.eventType !== 'card.status.changed') return answer(200);
      send('GET', `/partner/cards/${event.data.id}`, null, (error, result) => {
        if (error) return answer(500);
        for (const person of Object.values(people)) {
          if (person.cardId === event.data.id) person.status = result.body.status;
        }
        answer(200);
      });
    });
  }

  return { order, freeze: (person, done) => move(person, 'freeze', 'frozen', done), webhook, people };
};
