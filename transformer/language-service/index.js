// TypeScript's server loads plugins with require and wants the function itself.
module.exports = require("../dist/language-service.js").init;
