// Loads the `fetch` of Node.js before undici is loaded. Otherwise undici would make its own agent that of every `fetch` of
// the process, and Node.js 20 could then send no request that states its Content-Length.
new Headers();
