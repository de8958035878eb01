/** Sends SIGTERM to its own process when the module STOP_AT is about to be loaded, or a server is about to listen. */
const { registerHooks } = require('node:module');
const { subscribe } = require('node:diagnostics_channel');

const stop = () => process.kill(process.pid, 'SIGTERM');
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === process.env.STOP_AT) stop();
    return next(specifier, context);
  },
});
if (process.env.STOP_AT === 'listen') subscribe('tracing:net.server.listen:asyncStart', stop);
