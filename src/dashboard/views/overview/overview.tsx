import type { ComponentChildren } from 'preact';
import { money, toCurl } from '../../ui/format.ts';
import * as store from '../../data/store.ts';
import { askForCardholder, askForShareToken } from '../../forms/cardholders.ts';
import { linkTo } from '../../route.ts';
import { Copy, Secret } from '../../ui/copy.tsx';
import { Button } from '../../ui/panel.tsx';
import { Activity } from './activity.tsx';
import { Attention } from './attention.tsx';

/** The first page: how to call the API, how things stand, what happens, and what waits for somebody. */
export function Overview() {
  const current = store.partner.value;
  const held = store.balance.value.value;
  const sent = store.ownDeliveries.value ?? [];
  const failed = sent.filter(({ status }) => status === 'failed').length;
  const pending = sent.filter(({ status }) => status === 'pending').length;
  const active = store.cards.rows.value?.filter(({ status }) => status === 'active').length;
  const waiting = store.cardholders.rows.value?.filter(({ kyc }) => kyc.state === 'in_flight').length;
  return (
    <div class="page wide">
      <header class="view-head">
        <h1>{current?.name ?? 'Overview'}</h1>
        <div class="actions">
          <Button icon="lock" onClick={askForShareToken}>
            Mint token
          </Button>
          <Button icon="plus" tone="primary" onClick={() => askForCardholder()}>
            Create cardholder
          </Button>
        </div>
      </header>
      {current !== null && (
        <section class="connect" aria-label="How to call the API">
          <div>
            <span class="connect-label">Base URL</span>
            <span class="id">
              <code>{location.origin}/v1</code>
              <Copy text={`${location.origin}/v1`} title="Copy base URL" />
            </span>
          </div>
          <div>
            <span class="connect-label">x-service-api-key</span>
            <Secret key={current.apiKey} value={current.apiKey} name="API key" />
          </div>
          <Copy
            text={toCurl(location.origin, { method: 'GET', path: '/v1/partner/cards' }, current)}
            label="Copy a curl call"
            title="Copy a curl call"
          />
        </section>
      )}
      <section class="figures" aria-label="Figures">
        <Figure view="cardholders" title="Cardholders" value={store.cardholders.rows.value?.length}>
          {waiting === 0 ? 'no KYC in flight' : `${waiting ?? '…'} with KYC in flight`}
        </Figure>
        <Figure view="cards" title="Cards" value={store.cards.rows.value?.length}>
          {active ?? '…'} active
        </Figure>
        <Figure
          view="transactions"
          title="Available balance"
          value={held && money(held.available, held.currency)}
        >
          {held === null ? '…' : `${money(held.held, held.currency)} held`}
        </Figure>
        <Figure view="deliveries" title="Webhooks" value={sent.length} isBad={failed > 0}>
          {failed} failed, {pending} pending
        </Figure>
      </section>
      <div class="overview-columns">
        <section class="section" aria-label="Activity">
          <header>
            <h2>Activity</h2>
          </header>
          <Activity />
        </section>
        <section class="section" aria-label="Waits for you">
          <header>
            <h2>Waits for you</h2>
          </header>
          <Attention />
        </section>
      </div>
      <p class="note">
        New here? <a href={linkTo('present')}>Presenter mode</a> plays the main stories step by step.
      </p>
    </div>
  );
}

interface FigureProps {
  readonly view: string;
  readonly title: string;
  readonly value: number | string | null | undefined;
  readonly isBad?: boolean;
  readonly children: ComponentChildren;
}

function Figure({ view, title, value, isBad = false, children }: FigureProps) {
  return (
    <a class={`figure ${isBad ? 'bad' : ''}`} href={linkTo(view)}>
      <span class="figure-title">{title}</span>
      <b>{typeof value === 'number' ? value.toLocaleString('en') : (value ?? '…')}</b>
      <span class="figure-note">{children}</span>
    </a>
  );
}
