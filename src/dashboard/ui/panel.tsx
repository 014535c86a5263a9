import type { ComponentChildren } from 'preact';
import { linkTo, route, viewOfId } from '../route.ts';
import { Id } from './copy.tsx';
import { Icon, type IconName } from './icons.tsx';

/** A page that is not a list: its heading with actions, and what it is about. It is as wide as every other page. */
export function Page(props: {
  readonly title: string;
  /** Shown beside the title. */
  readonly tally?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly tabs?: readonly Tab[] | undefined;
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="page">
      <PageHead {...props} />
      {props.lead !== undefined && <p class="lead">{props.lead}</p>}
      {props.children}
    </div>
  );
}

/** A view that is a tab of a page. */
export interface Tab {
  readonly name: string;
  readonly title: string;
}

export function PageHead(props: {
  readonly title: string;
  readonly tally?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** The tabs of the page, if it has any. */
  readonly tabs?: readonly Tab[] | undefined;
}) {
  return (
    <>
      <header class="view-head">
        <h1>
          {props.title} <span class="tally">{props.tally}</span>
        </h1>
        <div class="actions">{props.actions}</div>
      </header>
      {props.tabs !== undefined && (
        <nav class="tabs" aria-label="Tabs">
          {props.tabs.map(({ name, title }) => (
            <a
              key={name}
              href={linkTo(name)}
              {...(route.value.view === name ? { 'aria-current': 'page' } : {})}
            >
              {title}
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
  /** The badges of its states. */
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

/** A link that opens a record. Its text is the id, unless there is another. */
export function RecordLink(props: { readonly id: string; readonly children?: ComponentChildren }) {
  const { id, children } = props;
  return <a href={linkTo(viewOfId(id), id)}>{children ?? <code>{id}</code>}</a>;
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
  readonly id?: string;
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="section" {...(props.id === undefined ? {} : { id: props.id })}>
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

export function Button(props: {
  readonly onClick: () => void;
  readonly children: ComponentChildren;
  readonly icon?: IconName;
  readonly tone?: 'primary' | 'danger';
  readonly title?: string;
  readonly disabled?: boolean;
}) {
  return (
    <button
      type="button"
      class={`button ${props.tone ?? ''}`}
      title={props.title ?? ''}
      disabled={props.disabled ?? false}
      onClick={props.onClick}
    >
      {props.icon !== undefined && <Icon name={props.icon} />}
      <span>{props.children}</span>
    </button>
  );
}

/** Shown while the content of a page is read for the first time. */
export function Loading() {
  return (
    <div class="loading" role="status" aria-label="Loading">
      {[0, 1, 2, 3, 4].map(each => (
        <span key={each} />
      ))}
    </div>
  );
}
