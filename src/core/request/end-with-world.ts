import { ApiError, assumed } from '../operation/errors.ts';
import type { World } from '../world/world.ts';
import type { Stream } from './http.ts';

/** Resolves with a reply. Rejects with a 404 when its world ends before. The world counts as used until then. */
export function endWithWorld<T>(world: World, reply: Promise<T>): Promise<T> {
  const release = world.use();
  return new Promise<T>((resolve, reject) => {
    const onEnd = () => reject(worldEnded(world.id));
    world.ended.addEventListener('abort', onEnd, { once: true });
    reply.then(resolve, reject).finally(() => {
      world.ended.removeEventListener('abort', onEnd);
      release();
    });
  });
}

/** A stream that ends with its world. The world counts as used while the stream is open. */
export function streamOfWorld(world: World, stream: Stream): Stream {
  return (send, end) => {
    // A surface starts a stream after the response, so that the world may have ended meanwhile.
    if (world.ended.aborted) {
      end();
      return () => undefined;
    }
    const release = world.use();
    const stop = stream(send, end);
    const close = () => {
      world.ended.removeEventListener('abort', onEnd);
      release();
      stop();
    };
    const onEnd = () => {
      close();
      end();
    };
    world.ended.addEventListener('abort', onEnd, { once: true });
    return close;
  };
}

function worldEnded(id: string): ApiError {
  return new ApiError(404, assumed('worlds'), `the world ${JSON.stringify(id)} ended before the response`);
}
