// Stands in for body-parser in what is bundled: the sandbox reads bodies itself.
module.exports = {};
