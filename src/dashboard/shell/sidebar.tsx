import { signal } from '@preact/signals';
import { info } from '../data/store.ts';
import { connection } from '../data/stream.ts';
import { linkTo as linkToPresenter } from '../present/address.ts';
import { linkTo, route } from '../route.ts';
import { Icon } from '../ui/icons.tsx';
import { pageOf } from '../ui/view.ts';
import { VIEWS } from '../views.ts';

export const isMenuOpen = signal(false);

const CONNECTION_LABELS = { connecting: 'Connecting', live: 'Live', lost: 'Connection lost' } as const;

export function Sidebar() {
  const view = VIEWS.find(({ name }) => name === route.value.view);
  const current = view && pageOf(view);
  const close = () => {
    isMenuOpen.value = false;
  };
  return (
    <>
      {isMenuOpen.value && <button type="button" class="veil" aria-label="Close the menu" onClick={close} />}
      <nav class={`sidebar ${isMenuOpen.value ? 'open' : ''}`} aria-label="Pages" id="menu">
        <a class="brand" href={linkTo('home')} onClick={close}>
          <span class="brand-mark">
            <Icon name="card" />
          </span>
          Card sandbox
        </a>
        <ul class="menu">
          {VIEWS.filter(view => pageOf(view) === view.name).map(({ name, title, icon, MenuCount }) => (
            <li key={name}>
              <a href={linkTo(name)} onClick={close} aria-current={current === name ? 'page' : undefined}>
                <Icon name={icon} />
                {title}
                {MenuCount !== undefined && <MenuCount />}
              </a>
            </li>
          ))}
        </ul>
        <div class="sidebar-foot">
          {/* A recording plays no stories. */}
          {info.data.value?.recording == null && (
            <a class="button" href={linkToPresenter(null)}>
              <Icon name="present" />
              <span>Present</span>
            </a>
          )}
          <p>
            <span class={`live-dot ${connection.value}`} />
            <span role="status">{CONNECTION_LABELS[connection.value]}</span>
            <span class="version">v{info.data.value?.version ?? '…'}</span>
          </p>
        </div>
      </nav>
    </>
  );
}
