// A file of its own, so that a start does not load the module.
export { ReadableStream, TransformStream, WritableStream } from 'node:stream/web';
