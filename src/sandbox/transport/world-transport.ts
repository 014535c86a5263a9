import type { OpenResponses } from '../../core/request/after-response.ts';
import type { Transport } from '../../core/world/transport.ts';
import type { Redirection } from './destination.ts';

interface Layers {
  readonly responses: OpenResponses;
  /** Returns where webhooks go instead of their URLs. Read for each send. */
  readonly redirection: () => Redirection;
  /** Creates what sends them: over HTTP, to a function, or not at all. */
  readonly create: (redirection: () => Redirection) => Transport;
}

/** Builds the transport of a world. A webhook passes its layers in this order. */
export function worldTransport({ responses, redirection, create }: Layers): Transport {
  return afterResponses(responses, create(redirection));
}

/** Sends a webhook after the response to the request that raised it. */
function afterResponses(responses: OpenResponses, transport: Transport): Transport {
  return {
    async send(request, signal) {
      await responses.untilOut();
      return transport.send(request, signal);
    },
    close: () => transport.close(),
  };
}
