import { useEffect } from 'preact/hooks';
import type { Assumption } from '../../data/response-types.ts';
import { assumptions } from '../../data/store.ts';
import { route, selectRows } from '../../route.ts';
import { count } from '../../ui/format.ts';
import { Empty, Loading, Page } from '../../ui/panel.tsx';
import { Search } from '../../ui/search.tsx';
import type { View } from '../../ui/view.ts';

export const assumptionsView: View = {
  name: 'assumptions',
  title: 'Assumptions',
  icon: 'book',
  group: 'Sandbox',
  key: 'a',
  Page: Assumptions,
};

function Assumptions() {
  useEffect(() => void assumptions.load(), []);
  const all = assumptions.data.value;
  return (
    <Page title="Assumptions" tally={all?.length}>
      {all === null ? <Loading /> : <Register all={all} />}
    </Page>
  );
}

function Register({ all }: { readonly all: readonly Assumption[] }) {
  const {
    id,
    query: { q = '' },
  } = route.value;
  const wanted = q.trim().toLowerCase();
  const shown = all.filter(each =>
    `${each.id} ${each.section} ${each.decision} ${each.setting === undefined ? '' : 'setting'}`
      .toLowerCase()
      .includes(wanted),
  );

  useEffect(() => {
    if (id !== null) document.getElementById(`assumption-${id}`)?.scrollIntoView({ block: 'center' });
  }, [id]);

  return (
    <>
      <p class="lead">
        Where the interface is silent, the sandbox makes a documented assumption. There are{' '}
        {count(all.length, 'assumption')}, by section of the interface. The real service may decide
        differently.
      </p>
      <Search label="Search assumptions" value={q} onInput={text => selectRows({ q: text })} />
      {shown.length === 0 && all.length > 0 && <Empty icon="search" title="No assumption matches" />}
      {sectionsOf(shown).map(section => (
        <section key={section} class="assumption-section">
          <h2>Section {section}</h2>
          <dl>
            {shown
              .filter(each => each.section === section)
              .map(each => (
                <div key={each.id} id={`assumption-${each.id}`} class={each.id === id ? 'highlighted' : ''}>
                  <dt>
                    <code>{each.id}</code>
                  </dt>
                  <dd>
                    {each.decision}
                    {each.setting !== undefined && <SettingLine setting={each.setting} />}
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </>
  );
}

/** The setting of an assumption. */
function SettingLine({ setting }: { readonly setting: NonNullable<Assumption['setting']> }) {
  const choices = setting.choices?.map(String) ?? [];
  return (
    <p class="assumption-setting">
      Setting <code>{String(setting.value)}</code>
      {setting.value === setting.default ? ', the default' : ` instead of ${setting.default}`}
      {choices.length > 0 && `; choices: ${choices.join(', ')}`}
      {setting.type !== 'choice' && `; a ${setting.type}`}
    </p>
  );
}

function sectionsOf(entries: readonly Assumption[]): readonly string[] {
  const sections = new Set(entries.map(({ section }) => section));
  return [...sections].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
