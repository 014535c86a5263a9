import type { ComponentChildren } from 'preact';
import { linkTo, route, viewOfId } from '../route.ts';
import { Id } from './copy.tsx';
import { Icon, type IconName } from './icons.tsx';

/** A page that is not a list: its heading with actions, and what it is about. It is as wide as every other page. */
export function Page({
  lead,
  children,
  ...head
}: PageHeadProps & {
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="page">
      <PageHead {...head} />
      {lead !== undefined && <p class="lead">{lead}</p>}
      {children}
    </div>
  );
}

export interface Tab {
  readonly name: string;
  readonly title: string;
}

interface PageHeadProps {
  readonly title: string;
  readonly tally?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly tabs?: readonly Tab[] | undefined;
}

export function PageHead({ title, tally, actions, tabs }: PageHeadProps) {
  return (
    <>
      <header class="view-head">
        <h1>
          {title} <span class="tally">{tally}</span>
        </h1>
        <div class="actions">{actions}</div>
      </header>
      {tabs !== undefined && (
        <nav class="tabs" aria-label="Tabs">
          {tabs.map(tab => (
            <a
              key={tab.name}
              href={linkTo(tab.name)}
              aria-current={route.value.view === tab.name ? 'page' : undefined}
            >
              {tab.title}
            </a>
          ))}
        </nav>
      )}
    </>
  );
}

/** The heading of an open record: its title with its states, and its id. */
export function RecordHead(props: {
  readonly title: ComponentChildren;
  readonly id: string;
  /** `wire` for a request, `capital` for a name in lower case. */
  readonly kind?: 'wire' | 'capital';
  readonly children?: ComponentChildren;
}) {
  return (
    <>
      <header class="detail-head">
        <h2 class={props.kind ?? ''}>{props.title}</h2>
        {props.children}
      </header>
      <Id value={props.id} />
    </>
  );
}

export function RecordLink({ id, text }: { readonly id: string; readonly text?: ComponentChildren }) {
  return <a href={linkTo(viewOfId(id), id)}>{text ?? <code>{id}</code>}</a>;
}

/** Links to what is known of a record beside it: the requests and the webhooks that mention its id. */
export function Mentions({ of: id }: { readonly of: string }) {
  return (
    <>
      <a href={linkTo('activity', null, { q: id })}>Requests</a>,{' '}
      <a href={linkTo('webhooks', null, { q: id })}>webhooks</a>
    </>
  );
}

/** Names and values in two columns. A value that is null, undefined or empty is shown as a dash. */
export function Facts({ of }: { readonly of: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value === null || value === undefined || value === '' ? <span class="nothing">–</span> : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function Section(props: {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="section">
      <header>
        <h2>{props.title}</h2>
        {props.actions !== undefined && <div class="actions">{props.actions}</div>}
      </header>
      {props.note !== undefined && <p class="note">{props.note}</p>}
      {props.children}
    </section>
  );
}

export function Empty(props: {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={props.icon} />
      </span>
      <h2>{props.title}</h2>
      {props.children !== undefined && <div class="empty-text">{props.children}</div>}
    </div>
  );
}

/** In place of what is not read yet, or cannot be read. */
export function Loading({ problem = null }: { readonly problem?: string | null }) {
  if (problem !== null) return <p class="problem">{problem}</p>;
  return (
    <div class="loading" role="status" aria-label="Loading">
      {[0, 1, 2, 3, 4].map(each => (
        <span key={each} />
      ))}
    </div>
  );
}
