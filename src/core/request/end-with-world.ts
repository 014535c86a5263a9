import { ApiError, assumed } from '../operation/errors.ts';
import type { Host } from '../operation/host.ts';
import type { Stream } from './http.ts';

/** Resolves with a reply. Rejects with a 404 when its world ends before. The world counts as used until then. */
export function endWithWorld<T>(host: Host, reply: Promise<T>): Promise<T> {
  const release = host.use();
  return new Promise<T>((resolve, reject) => {
    const onEnd = () => reject(worldEnded(host.id));
    host.ended.addEventListener('abort', onEnd, { once: true });
    reply.then(resolve, reject).finally(() => {
      host.ended.removeEventListener('abort', onEnd);
      release();
    });
  });
}

/** A stream that ends with its world. The world counts as used while the stream is open. */
export function streamOfWorld(host: Host, stream: Stream): Stream {
  return (send, end) => {
    // A surface starts a stream after the response, so that the world may have ended meanwhile.
    if (host.ended.aborted) {
      end();
      return () => undefined;
    }
    const release = host.use();
    const stop = stream(send, end);
    const close = () => {
      host.ended.removeEventListener('abort', onEnd);
      release();
      stop();
    };
    const onEnd = () => {
      close();
      end();
    };
    host.ended.addEventListener('abort', onEnd, { once: true });
    return close;
  };
}

function worldEnded(id: string): ApiError {
  return new ApiError(404, assumed('worlds'), `the world ${JSON.stringify(id)} ended before the response`);
}
