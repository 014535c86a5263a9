import type { StoryScene } from '../../control/world/stories.ts';
import { StatusCode } from '../ui/badge.tsx';
import { dateTime } from '../ui/format.ts';
import { More } from './step-text.tsx';

/** Members of a body that fit without scrolling, those with a request beside its response. */
const MAX_MEMBERS = 6;

type SceneOf<Kind extends StoryScene['kind']> = Extract<StoryScene, { kind: Kind }>;
type Members = SceneOf<'response'>['members'];

/** What happened in a step: request and response, webhook, or a move of the clock. */
export function Traffic({ scenes }: { readonly scenes: readonly StoryScene[] }) {
  return (
    <section class="traffic" aria-label="Traffic">
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
        The clock advances by <b>{scene.by}</b>, to <time dateTime={scene.now}>{dateTime(scene.now)}</time>
      </p>
    );
  if (scene.kind === 'waited') return <p class="scene moment">{scene.duration} passed</p>;
  return (
    <p class="scene moment">
      From now on the partner’s server responds to webhooks with <StatusCode status={scene.status} />
    </p>
  );
}

function Request({ plane, method, path, headers, members, times }: SceneOf<'request'>) {
  return (
    <section class={plane === 'control' ? 'scene simulated' : 'scene'} aria-label="Request">
      <h2>
        <b>{method}</b> {path} {times > 1 && <small>{times} times</small>}
      </h2>
      <Headers members={headers} />
      <MemberList members={members} />
    </section>
  );
}

function Response({ status, statusText, headers, members, rule }: SceneOf<'response'>) {
  return (
    <section class="scene" aria-label="Response">
      <h2>
        <span aria-hidden="true">←</span> <StatusCode status={status} /> {statusText}
      </h2>
      <Headers members={headers} />
      <MemberList members={members} />
      {rule !== null && <p class="scene-rule">{rule}</p>}
    </section>
  );
}

function Webhook(scene: SceneOf<'webhook'>) {
  const { eventType, headers, isSigned, attempts, responseStatus, status, members } = scene;
  return (
    <section class="scene webhook" aria-label="Webhook">
      <h2>
        <b>Webhook</b> {eventType}
      </h2>
      <Headers members={headers} />
      <MemberList members={members} />
      <p class="scene-rule">
        {isSigned ? 'The signature is valid.' : 'The signature is not valid.'}{' '}
        {attempts === 1 ? 'One attempt' : `${attempts} attempts`}, response{' '}
        <StatusCode status={responseStatus} />
        {status !== null && `, ${status}`}
      </p>
    </section>
  );
}

function Headers({ members }: { readonly members: Members }) {
  if (members.length === 0) return null;
  return (
    <p class="scene-headers">
      {members.map(({ name, value }) => (
        <span key={name} title={value}>
          {name}: <b>{value}</b>
        </span>
      ))}
    </p>
  );
}

function MemberList({ members }: { readonly members: Members }) {
  if (members.length === 0) return null;
  return (
    <>
      <dl class="members">
        {members.slice(0, MAX_MEMBERS).map(({ name, value }) => (
          <div key={name} class={/(?:^|\.)(?:error|message)$/.test(name) ? 'message' : ''}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <More of={members.length} shown={MAX_MEMBERS} />
    </>
  );
}
