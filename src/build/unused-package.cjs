// Replaces packages in the bundle that others load and the sandbox does not use.
module.exports = {};
