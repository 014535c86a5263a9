import type { StoryChange, StoryScene, StoryView } from '../../control/world/stories.ts';
import { StatusCode } from '../ui/badge.tsx';
import { dateTime, readable } from '../ui/format.ts';
import { step, story } from './playing.ts';

/** What fits beside the step without scrolling, in records, members of each, and differences. */
const MAX_RECORDS = 3;
const MAX_MEMBERS = 3;
const MAX_DIFFERENCES = 3;

/** Members of a body that fit without scrolling, those with a request beside its response. */
const MAX_BODY_MEMBERS = 6;

type SceneOf<Kind extends StoryScene['kind']> = Extract<StoryScene, { kind: Kind }>;
type Members = SceneOf<'response'>['members'];

interface StepTextProps {
  readonly text: StoryView['steps'][number];
  readonly played: StoryView['played'][number];
}

/** The heading of the step, what became of it, and the records that it changed. */
export function StepText({ text, played }: StepTextProps) {
  return (
    <section class="step" aria-label="Step">
      <div aria-live="polite">
        <p class="step-number">
          {step.value} of {story.value?.steps.length}
        </p>
        <h1>{text.heading}</h1>
        {text.note !== null && <p class="step-note">{text.note}</p>}
        {played.status === 'skipped' && <p class="step-note">Skipped: {played.reason}</p>}
        {played.status === 'failed' && <Failure differences={played.differences} />}
      </div>
      {played.changes.length > 0 && <Changes changes={played.changes} />}
    </section>
  );
}

function Failure({ differences }: { readonly differences: readonly string[] }) {
  return (
    <div class="presenter-problem" role="alert">
      <b>Not as expected</b>
      <ul>
        {differences.slice(0, MAX_DIFFERENCES).map(each => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <More of={differences.length} shown={MAX_DIFFERENCES} />
    </div>
  );
}

function Changes({ changes }: { readonly changes: readonly StoryChange[] }) {
  return (
    <section class="changes" aria-label="Changed records">
      {changes.slice(0, MAX_RECORDS).map(({ kind, id, action, members }) => (
        <div class="change" key={`${kind} ${id}`}>
          <p class="change-head">
            <b>{kind}</b> {action} <code>{id}</code>
          </p>
          {members.slice(0, MAX_MEMBERS).map(({ name, before, after }) => (
            <p class="change-member" key={name}>
              <span>{readable(name)}</span> <del>{before}</del> → <ins>{after}</ins>
            </p>
          ))}
          <More of={members.length} shown={MAX_MEMBERS} />
        </div>
      ))}
      <More of={changes.length} shown={MAX_RECORDS} />
    </section>
  );
}

export function More({ of, shown }: { readonly of: number; readonly shown: number }) {
  return of > shown ? <p class="more">and {of - shown} more</p> : null;
}

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
        {members.slice(0, MAX_BODY_MEMBERS).map(({ name, value }) => (
          <div key={name} class={/(?:^|\.)(?:error|message)$/.test(name) ? 'message' : ''}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <More of={members.length} shown={MAX_BODY_MEMBERS} />
    </>
  );
}
