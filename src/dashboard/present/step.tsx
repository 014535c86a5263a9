import { useEffect, useRef } from 'preact/hooks';
import type { StoryScene, StoryView } from '../../control/world/stories.ts';
import { breakable, StatusCode } from '../ui/badge.tsx';
import { Copy } from '../ui/copy.tsx';
import { controlTokenHeaders, curlCommand, quote } from '../ui/curl.ts';
import { count, dateTime, spacedDuration } from '../ui/format.ts';
import { playedHere, story } from './playing.ts';
import { isDetailed, toggleDetails } from './screen.ts';

/** What fits beside the step. The others are in the details. */
const MAX_DIFFERENCES = 3;
/** Members of a body that fit where a step does not say which ones it is about. */
const MAX_MEMBERS = 6;

type SceneOf<Kind extends StoryScene['kind']> = Extract<StoryScene, { kind: Kind }>;
type Members = SceneOf<'response'>['members'];

interface StepTextProps {
  readonly text: StoryView['steps'][number];
  readonly played: StoryView['played'][number];
}

/** It stays on the page from step to step, because a live region that is replaced is not read aloud. */
export function StepText({ text, played }: StepTextProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.scrollTo(0, 0), [text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what does not fit is scrolled with the keyboard, too
    <section class="step" aria-label="What happened" tabIndex={0} ref={section}>
      <div aria-live="polite">
        <h1>{text.heading}</h1>
        {text.note !== null && <p class="step-note">{text.note}</p>}
        {played.status === 'skipped' && <p class="step-note">Skipped: {played.reason}</p>}
        {played.status === 'failed' && <Failure differences={played.differences} />}
      </div>
    </section>
  );
}

function Failure({ differences }: { readonly differences: readonly string[] }) {
  const shown = isDetailed.value ? differences : differences.slice(0, MAX_DIFFERENCES);
  return (
    <div class="presenter-problem" role="alert">
      <b>Not as expected</b>
      <ul>
        {shown.map(each => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <More left={differences.length - shown.length} noun="difference" />
    </div>
  );
}

function More({ left, noun }: { readonly left: number; readonly noun: string }) {
  if (left <= 0) return null;
  return (
    <button type="button" class="more" onClick={toggleDetails}>
      Show {count(left, `more ${noun}`)}
    </button>
  );
}

export function Wire({ scenes }: { readonly scenes: readonly StoryScene[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what does not fit is scrolled with the keyboard, too
    <section class="traffic" aria-label="Wire" tabIndex={0}>
      {scenes.map((scene, index) => (
        <Scene key={index} scene={scene} />
      ))}
    </section>
  );
}

function Scene({ scene }: { readonly scene: StoryScene }) {
  if (scene.kind === 'request') return <Request {...scene} />;
  if (scene.kind === 'response') return <Response {...scene} />;
  if (scene.kind === 'webhook') return <Webhook {...scene} />;
  if (scene.kind === 'clock')
    return (
      <p class="scene moment">
        The clock advances by <b>{spacedDuration(scene.by)}</b>, to{' '}
        <time dateTime={scene.now}>{dateTime(scene.now)}</time>
      </p>
    );
  return (
    <p class="scene moment">
      {story.value?.parties.find(({ id }) => id === 'partner')?.name}'s server now answers notifications with{' '}
      <StatusCode status={scene.status} />
    </p>
  );
}

function Request(scene: SceneOf<'request'>) {
  const { plane, method, path, times } = scene;
  const isSimulated = plane === 'control';
  return (
    <section class={isSimulated ? 'scene simulated' : 'scene'} aria-label="Request">
      <p class="scene-kind">{isSimulated ? 'Simulated by the sandbox' : 'Request'}</p>
      <h2>
        <b>{method}</b> {breakable(path)} {times > 1 && <small>{times} times</small>}
      </h2>
      <Content {...scene} />
      {isDetailed.value && <Curl {...scene} />}
    </section>
  );
}

/** The request as a curl command, with its secrets masked. What is copied has them. */
function Curl({ plane, method, path, sent, body }: SceneOf<'request'>) {
  // The story has a world of its own.
  const isControl = plane === 'control';
  const ownPath = isControl ? path.replace('/_sandbox', `/_sandbox/worlds/${story.value?.run}`) : path;
  const url = location.origin + ownPath;
  const command = (text: string | null, show: (key: string) => string) => {
    const headers = sent.headers.map(({ name, value }) =>
      quote(`${name}: ${/-api-key$/i.test(name) ? show(value) : value}`),
    );
    return curlCommand(method, url, isControl ? [...controlTokenHeaders(), ...headers] : headers, text);
  };
  return (
    <div class="scene-curl">
      <p class="scene-kind">
        curl <Copy text={() => command(sent.body, key => key)} title="Copy as curl" label="Copy" />
      </p>
      <pre>{command(body, key => `…${key.slice(-4)}`)}</pre>
    </div>
  );
}

function Response(scene: SceneOf<'response'>) {
  return (
    <section class="scene" aria-label="Response">
      <p class="scene-kind">Response</p>
      {scene.page !== null && <CardPage url={scene.page} />}
      {(scene.page === null || isDetailed.value) && (
        <>
          <h2>
            <StatusCode status={scene.status} /> {scene.statusText}
          </h2>
          <Content {...scene} />
        </>
      )}
      {scene.rule !== null && isDetailed.value && <p class="scene-rule">Rule: {scene.rule}</p>}
    </section>
  );
}

/**
 * The page that shows the card, as the app shows it. It opens once, on the screen that played the step, so it stays behind
 * the details.
 */
function CardPage({ url }: { readonly url: string }) {
  const { value } = story;
  const shown = `${value?.run} ${value?.played.length}`;
  const isOpen = playedHere.value === shown;
  useEffect(
    () => () => {
      if (playedHere.value === shown) playedHere.value = '';
    },
    [shown],
  );
  if (!isOpen)
    return (
      <p hidden={isDetailed.value}>
        The card page opened once, when the step was played. Go back and forward to play it again.
      </p>
    );
  // Relative to this page, which may have been opened under another host name than the one in the link.
  const { pathname, search } = new URL(url);
  return (
    <iframe
      class="card-page"
      title="Card"
      src={pathname + search}
      hidden={isDetailed.value}
      // The keys of the presenter work again after a click into the page.
      onPointerLeave={event => event.currentTarget.blur()}
    />
  );
}

function Webhook(scene: SceneOf<'webhook'>) {
  const { eventType, isSigned, attempts, responseStatus, status } = scene;
  return (
    <section class="scene" aria-label="Webhook">
      <p class="scene-kind">Webhook</p>
      <h2>
        <b>{eventType}</b>
      </h2>
      <Content {...scene} />
      <p class="scene-rule">
        {isSigned ? 'Signature valid' : 'Signature not valid'},{' '}
        {attempts === 1 ? 'one attempt' : `${attempts} attempts`}
        {status !== null && `, ${status}`}, response <StatusCode status={responseStatus} />
      </p>
    </section>
  );
}

type ContentProps = Pick<SceneOf<'response'>, 'headers' | 'members' | 'left' | 'body'>;

function Content({ headers, members, left, body }: ContentProps) {
  if (isDetailed.value)
    return (
      <>
        {body !== null && <pre>{body}</pre>}
        <MemberList members={headers} kind="headers" />
      </>
    );
  const shown = members.slice(0, MAX_MEMBERS);
  return (
    <>
      <MemberList members={shown} />
      <More left={left + members.length - shown.length} noun="field" />
    </>
  );
}

function MemberList({ members, kind = '' }: { readonly members: Members; readonly kind?: string }) {
  if (members.length === 0) return null;
  return (
    <dl class={`members ${kind}`}>
      {members.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
