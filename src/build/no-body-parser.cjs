// Replaces body-parser in the bundle: the sandbox reads request bodies itself.
module.exports = {};
