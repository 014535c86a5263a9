import { signal } from '@preact/signals';
import { info } from '../data/store.ts';
import { connection } from '../data/stream.ts';
import { linkTo, route } from '../route.ts';
import { Icon } from '../ui/icons.tsx';
import { VIEWS } from '../views.ts';

export const isMenuOpen = signal(false);

const CONNECTION_LABELS = { connecting: 'Connecting', live: 'Live', lost: 'Connection lost' } as const;

export function Sidebar() {
  const groups = [...new Set(VIEWS.map(({ group }) => group))];
  const close = () => {
    isMenuOpen.value = false;
  };
  return (
    <>
      {isMenuOpen.value && <button type="button" class="veil" aria-label="Close the menu" onClick={close} />}
      <nav class={`sidebar ${isMenuOpen.value ? 'open' : ''}`} aria-label="Pages" id="menu">
        <a class="brand" href={linkTo('overview')} onClick={close}>
          <span class="brand-mark">
            <Icon name="card" />
          </span>
          Card sandbox
        </a>
        <div class="menu">
          {groups.map(group => (
            <div key={group} class="menu-group">
              {group !== '' && <h2>{group}</h2>}
              <ul>
                {VIEWS.filter(view => view.group === group).map(({ name, title, icon, MenuCount }) => (
                  <li key={name}>
                    <a
                      href={linkTo(name)}
                      onClick={close}
                      {...(route.value.view === name ? { 'aria-current': 'page' } : {})}
                    >
                      <Icon name={icon} />
                      {title}
                      {MenuCount !== undefined && <MenuCount />}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
        <div class="sidebar-foot">
          <a class="button" href={linkTo('present')}>
            <Icon name="present" />
            <span>Present</span>
          </a>
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
