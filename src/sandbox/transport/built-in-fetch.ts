// Loads the `fetch` of Node.js before undici is loaded. Otherwise undici would make its own agent that of every `fetch` of
// the process, and Node.js 20 could then send no request that states its Content-Length. A module of its own, because a
// module that imports undici runs after undici.
new Headers();
