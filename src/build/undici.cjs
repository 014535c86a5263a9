// What the package needs of undici, without its mocks, caches and interceptors, which are nearly half of it.
exports.Agent = require('../../node_modules/undici/lib/dispatcher/agent.js');
exports.fetch = require('../../node_modules/undici/lib/web/fetch/index.js').fetch;
exports.Request = require('../../node_modules/undici/lib/web/fetch/request.js').Request;
exports.Response = require('../../node_modules/undici/lib/web/fetch/response.js').Response;
