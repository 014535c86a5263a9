import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icons.tsx';

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

/** A part of a page under a heading. */
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

/** Shown instead of a list that has no rows. */
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

/** A button with a text and an optional icon. */
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
