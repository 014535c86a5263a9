import type { StatedRule, StepResult } from '../report/report.ts';

export interface Opening {
  readonly number: number;
  readonly of: number;
  readonly chapter: string | null;
  readonly heading: string;
  readonly note: string | null;
}

/** What happens in a step, with secrets masked but in `sent`. */
export type Scene =
  | {
      readonly kind: 'request';
      readonly plane: 'partner' | 'control';
      readonly method: string;
      /** With the prefix of its plane. */
      readonly path: string;
      /** The API key that was sent: the partner's own, another, or none. */
      readonly key: 'own' | 'other' | null;
      /** The end of that key. */
      readonly keyEnd: string | null;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: unknown;
      readonly times: number;
      /** What was sent, with its secrets. */
      readonly sent: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown };
    }
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly body: unknown;
      readonly shownPaths: readonly string[];
      readonly headers: Readonly<Record<string, string>>;
      readonly allHeaders: Readonly<Record<string, string>>;
      readonly rule: StatedRule | null;
      /** The URL of the card page that the response opens, or null. It opens once. */
      readonly page: string | null;
    }
  | {
      readonly kind: 'webhook';
      readonly eventType: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly attempts: number;
      readonly responseStatus: number;
      readonly isSigned: boolean;
      /** Status of the delivery, if the step expects one. */
      readonly status: string | null;
      readonly data: unknown;
      readonly shownPaths: readonly string[];
    }
  | { readonly kind: 'clock'; readonly by: string; readonly now: string }
  | { readonly kind: 'respond'; readonly status: number };

/** Whether a scene is a request of the control plane, which has the neutral names only. */
export function isControlCall(scene: Scene): boolean {
  return scene.kind === 'request' && scene.plane === 'control';
}

export interface Watcher {
  /** Called before each step, which waits for the promise. */
  begins?(opening: Opening): Promise<void> | void;
  shows?(scene: Scene): void;
  ends?(result: StepResult): void;
}
