import { signal } from '@preact/signals';
import { info, ownDeliveries } from '../data/store.ts';
import { connection } from '../data/stream.ts';
import { linkTo, route } from '../route.ts';
import { Icon } from '../ui/icons.tsx';
import { VIEWS } from '../views.tsx';

/** Whether the menu is open, where it does not stand beside the page. */
export const isMenuOpen = signal(false);

const CONNECTION = { connecting: 'Connecting', live: 'Live', lost: 'Connection lost' } as const;

/** The menu, and whether the page is live. */
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
        {groups.map(group => (
          <div key={group} class="menu-group">
            {group !== '' && <h2>{group}</h2>}
            <ul>
              {VIEWS.filter(view => view.group === group).map(({ name, title, icon }) => (
                <li key={name}>
                  <a
                    href={linkTo(name)}
                    onClick={close}
                    {...(route.value.view === name ? { 'aria-current': 'page' } : {})}
                  >
                    <Icon name={icon} />
                    {title}
                    {name === 'deliveries' && <FailedCount />}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <div class="sidebar-foot">
          <a class="button" href={linkTo('present')}>
            <Icon name="present" />
            <span>Present</span>
          </a>
          <p>
            <span class={`live-dot ${connection.value}`} />
            <span role="status">{CONNECTION[connection.value]}</span>
            <span class="version">v{info.value.value?.version ?? '…'}</span>
          </p>
        </div>
      </nav>
    </>
  );
}

function FailedCount() {
  const failed = ownDeliveries.value?.filter(({ status }) => status === 'failed').length ?? 0;
  if (failed === 0) return null;
  return (
    <span class="menu-count" title={`${failed} failed`}>
      {failed}
      <span class="off-screen"> failed</span>
    </span>
  );
}
