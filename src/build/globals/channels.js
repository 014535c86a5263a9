// A file of its own, so that a start does not load the module.
export { BroadcastChannel, MessageChannel, MessagePort } from 'node:worker_threads';
