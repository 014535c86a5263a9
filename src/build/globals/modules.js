export { Blob, Buffer, File } from 'node:buffer';
export { performance } from 'node:perf_hooks';
export { URL, URLSearchParams } from 'node:url';
export { TextDecoder, TextEncoder } from 'node:util';
