import type { StoryView } from '../../control/world/stories.ts';
import { dateTime, spacedDuration } from '../ui/format.ts';
import { Icon, type IconName } from '../ui/icons.tsx';

type Party = StoryView['parties'][number];
type Message = NonNullable<StoryView['steps'][number]['message']>;
type Played = StoryView['played'][number];

const ICONS: Readonly<Record<Party['id'], IconName>> = {
  person: 'people',
  phone: 'phone',
  bank: 'bank',
  partner: 'building',
  service: 'card',
  provider: 'session',
  shop: 'shop',
  stranger: 'fault',
};

interface StripProps {
  readonly parties: readonly Party[];
  readonly message: Message | null;
  readonly played: Played;
}

/** The parties of the story, with the message of the step drawn from who sends it to who receives it. */
export function Strip({ parties, message, played }: StripProps) {
  const clock = played.scenes.find(({ kind }) => kind === 'clock');
  // The partner's server changes, and nobody sends anything.
  const changed = played.scenes.some(({ kind }) => kind === 'respond') ? 'partner' : undefined;
  const active: readonly unknown[] = [message?.from, message?.to, changed];
  return (
    <section class="strip" aria-label="Who does what">
      <ol style={{ gridTemplateColumns: `repeat(${parties.length}, minmax(0, 1fr))` }}>
        {parties.map(({ id, name }) => (
          <li key={id} class={active.includes(id) ? 'active' : ''}>
            <Icon name={ICONS[id]} />
            <span>{name}</span>
          </li>
        ))}
        {message !== null && played.status !== 'skipped' && (
          <Arrow parties={parties} message={message} outcome={outcomeOf(played)} />
        )}
        {message === null && clock?.kind === 'clock' && (
          <li class="strip-clock">
            <Icon name="clock" /> {spacedDuration(clock.by)} later:{' '}
            <time dateTime={clock.now}>{dateTime(clock.now)}</time>
          </li>
        )}
      </ol>
    </section>
  );
}

type Outcome = 'refused' | 'failed' | 'accepted' | 'sent';

const FIRST_FAILURE = 500;

/** Whether the message was answered, and how. */
function outcomeOf({ isRefused, scenes }: Played): Outcome {
  if (isRefused) return scenes.some(scene => statusOf(scene) >= FIRST_FAILURE) ? 'failed' : 'refused';
  return scenes.some(({ kind }) => kind === 'response' || kind === 'webhook') ? 'accepted' : 'sent';
}

/** The status of the answer to a message; 0 for anything else. */
function statusOf(scene: Played['scenes'][number]): number {
  if (scene.kind === 'response') return scene.status;
  return scene.kind === 'webhook' ? scene.responseStatus : 0;
}

function Arrow({
  parties,
  message,
  outcome,
}: Omit<StripProps, 'played'> & { readonly outcome: Outcome; readonly message: Message }) {
  const from = parties.findIndex(({ id }) => id === message.from);
  const to = parties.findIndex(({ id }) => id === message.to);
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  const names = `${parties[from]?.name} → ${parties[to]?.name}`;
  // It begins and ends in the middle of a column.
  const inset = `${50 / (last - first + 1)}%`;
  const isAnswered = outcome === 'accepted' || outcome === 'sent';
  return (
    <li
      class={`arrow ${isAnswered ? outcome : 'refused'} ${to < from ? 'to-left' : 'to-right'}`}
      style={{ gridColumn: `${first + 1} / ${last + 2}`, marginInline: inset }}
    >
      <span class="off-screen">{names}: </span>
      <span class="arrow-label">
        {outcome !== 'sent' && <Icon name={isAnswered ? 'check' : 'close'} />}
        <span>{outcome}</span>
      </span>
    </li>
  );
}

export function People({ people }: { readonly people: Played['people'] }) {
  return (
    <section class="people" aria-label="People">
      {people.map(({ name, facts }, index) => (
        <section key={index} class="person" aria-label={name}>
          <h2>{name}</h2>
          <dl>
            {facts.map(fact => (
              <div key={fact.name} class={fact.isChanged ? 'changed' : ''}>
                <dt>
                  {fact.name} {fact.before !== null && <del>{fact.before}</del>}
                </dt>
                <dd class={fact.tone ?? ''}>{fact.isChanged ? <ins>{fact.value}</ins> : fact.value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </section>
  );
}
