import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { count } from '../../ui/format.ts';
import { assumptions } from '../../data/store.ts';
import { route } from '../../route.ts';
import { Icon } from '../../ui/icons.tsx';
import { Empty } from '../../ui/panel.tsx';

/** What the sandbox decides where the interface is silent, by section. */
export function Assumptions() {
  const search = useSignal('');
  const { id } = route.value;
  const all = assumptions.value.value ?? [];
  const wanted = search.value.trim().toLowerCase();
  const shown = all.filter(each =>
    `${each.id} ${each.section} ${each.decision}`.toLowerCase().includes(wanted),
  );
  const sections = [...new Set(shown.map(({ section }) => section))].sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  );

  useEffect(() => {
    if (id !== null) document.getElementById(`assumption-${id}`)?.scrollIntoView({ block: 'center' });
  }, [id]);

  return (
    <div class="page">
      <header class="view-head">
        <h1>
          Assumptions <span class="tally">{all.length}</span>
        </h1>
      </header>
      <p class="lead">
        Where the interface is silent, the sandbox decides. {count(all.length, 'decision')}, each with the
        section that it fills; rely on none of them for the real service.
      </p>
      <label class="search">
        <Icon name="search" />
        <input
          type="search"
          data-search
          placeholder="Search assumptions"
          aria-label="Search assumptions"
          value={search.value}
          onInput={event => {
            search.value = event.currentTarget.value;
          }}
        />
        <kbd>/</kbd>
      </label>
      {shown.length === 0 && all.length > 0 && <Empty icon="search" title="No assumption matches" />}
      {sections.map(section => (
        <section key={section} class="assumption-section">
          <h2>Section {section}</h2>
          <dl>
            {shown
              .filter(each => each.section === section)
              .map(each => (
                <div key={each.id} id={`assumption-${each.id}`} class={each.id === id ? 'marked' : ''}>
                  <dt>
                    <code>{each.id}</code>
                  </dt>
                  <dd>{each.decision}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
