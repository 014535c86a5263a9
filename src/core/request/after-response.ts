/** What waits for the response to a request. The surface that received the request runs it, once the response is out. */
export class AfterResponse {
  #tasks: (() => void)[] | null = [];

  /** Calls `task` once the response is out: at once if it is. */
  add(task: () => void): void {
    if (this.#tasks === null) task();
    else this.#tasks.push(task);
  }

  get isOut(): boolean {
    return this.#tasks === null;
  }

  /** The response is out, lost, or will not come soon. Later calls do nothing. */
  run(): void {
    const tasks = this.#tasks ?? [];
    this.#tasks = null;
    for (const task of tasks) task();
  }
}

/** The responses of a world that are not out yet. A webhook is sent after the response to the request that raised it. */
export class OpenResponses {
  #last: AfterResponse | null = null;

  /** Takes note of a request that is being handled. One without a queue is answered at once. */
  open(queue: AfterResponse | undefined): void {
    this.#last = queue ?? null;
  }

  /** Resolves once the responses to all requests so far are out: they leave in their order. Null when they are. */
  untilOut(): Promise<void> | null {
    const last = this.#last;
    return last === null || last.isOut ? null : new Promise(resolve => last.add(resolve));
  }
}
