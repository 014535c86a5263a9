import { useEffect } from 'preact/hooks';
import { coverageSections } from '../../../client/coverage-sections.ts';
import type { ControlResult } from '../../../client/generated/control-api.ts';
import type { Coverage } from '../../../client/generated/records.ts';
import { withToast } from '../../data/actions.ts';
import { cachedValue } from '../../data/cached-value.ts';
import { control, read } from '../../data/http.ts';
import { deliveries, journal } from '../../data/store.ts';
import { linkTo, route, selectRows } from '../../route.ts';
import { Badge } from '../../ui/badge.tsx';
import { Copy } from '../../ui/copy.tsx';
import { count, dateTime } from '../../ui/format.ts';
import { Button, Empty, Loading, Page } from '../../ui/panel.tsx';
import { Search } from '../../ui/search.tsx';
import type { View } from '../../ui/view.ts';

export const coverageView: View = {
  name: 'coverage',
  title: 'Coverage',
  icon: 'check',
  group: 'Sandbox',
  key: 'v',
  Page: CoveragePage,
};

type Condition = Coverage['conditions'][number];

const coverage = cachedValue<Coverage>(read, () => '/coverage');
/** What shows the condition whose row is open. */
const example = cachedValue<ControlResult<'coverage.example'>>(
  read,
  () => `/coverage/${encodeURIComponent(route.value.id ?? '')}`,
);

const KINDS = [
  ['documented', 'Documented conditions'],
  ['operations', 'Operations'],
  ['refusals', 'Refusals'],
  ['events', 'Events'],
  ['other', 'Other'],
] as const;

function CoveragePage() {
  // What happens in the world is in one of these lists.
  const [requests, sent] = [journal.data.value, deliveries.data.value];
  useEffect(() => void coverage.load(), [requests, sent]);
  const found = coverage.data.value;
  return (
    <Page
      title="Coverage"
      tally={found?.conditions.length}
      actions={<Button onClick={clear}>Clear</Button>}
      lead="Every condition of the interface by its section, and how often this world has shown it since its start. Resets keep the counts. A row that was not seen has the requests that show it."
    >
      {found === null ? <Loading /> : <Conditions coverage={found} />}
    </Page>
  );
}

async function clear(): Promise<void> {
  await withToast('The coverage is cleared', () => control('DELETE', '/coverage'));
  await coverage.load();
}

function Conditions({ coverage: { conditions, summary } }: { readonly coverage: Coverage }) {
  const { query } = route.value;
  const { search = '', show = '' } = query;
  const wanted = search.trim().toLowerCase();
  const shown = conditions.filter(
    ({ id, section, fidelity, count: times }) =>
      (show !== 'unseen' || times === 0) && `${id} ${section} ${fidelity}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <ul class="coverage-shares">
        {KINDS.map(([name, title]) => (
          <li key={name}>
            <strong>
              {summary[name].seen} of {summary[name].of}
            </strong>
            <span>{title}</span>
            <progress value={summary[name].seen} max={summary[name].of} aria-label={title} />
          </li>
        ))}
      </ul>
      <div class="coverage-filters">
        <Search label="Search conditions" value={search} onInput={text => selectRows({ search: text })} />
        <label>
          <input
            type="checkbox"
            checked={show === 'unseen'}
            onChange={({ currentTarget }) => selectRows({ show: currentTarget.checked ? 'unseen' : '' })}
          />{' '}
          Only what was not seen
        </label>
      </div>
      {shown.length === 0 && (
        <Empty
          icon="check"
          title={wanted === '' && show === 'unseen' ? 'Every condition was seen' : 'No condition matches'}
        />
      )}
      {coverageSections(shown).map(({ section, conditions: own }) => (
        <section key={section} class="coverage-section">
          <h2>
            Section {section}{' '}
            <span class="tally">
              {own.filter(each => each.count > 0).length} of {own.length}
            </span>
          </h2>
          <ul>
            {own.map(each => (
              <Row key={each.id} condition={each} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Row({ condition }: { readonly condition: Condition }) {
  const { id, count: times, fidelity, section, firstAt } = condition;
  const { id: openId, query } = route.value;
  const isOpen = openId === id;
  const target = linkTo('coverage', isOpen ? null : id, query);
  return (
    <li class={isOpen ? 'open' : ''}>
      <a href={target} aria-expanded={isOpen}>
        {times > 0 ? <Badge tone="good" text="seen" /> : <Badge tone="quiet" text="not seen" />}
        <code>{id}</code>
        <span class="coverage-note">
          {fidelity}, {section}
          {firstAt !== null && ` · ${count(times, 'time')}, first ${dateTime(firstAt)}`}
        </span>
      </a>
      {isOpen && <ExampleOf id={id} />}
    </li>
  );
}

/** The requests that show a condition. */
function ExampleOf({ id }: { readonly id: string }) {
  useEffect(() => {
    example.clear();
    void example.load();
  }, [id]);
  const found = example.data.value;
  if (found === null || found.id !== id) return <Loading />;
  const { steps, scenario, command, option } = found;
  return (
    <div class="coverage-example">
      {option !== null && (
        <p>
          Start the sandbox with <code>{option}</code>.
        </p>
      )}
      {command !== null && <pre>{command}</pre>}
      {steps.length > 0 && (
        <ol>
          {steps.map((step, index) => (
            <li key={index}>
              <code>{actionOf(step)}</code>
              {step.body !== undefined && <code class="coverage-body">{JSON.stringify(step.body)}</code>}
            </li>
          ))}
        </ol>
      )}
      <Copy
        text={scenario ?? command ?? ''}
        title={scenario === null ? 'Copy the command' : 'Copy as a scenario for card-sandbox run'}
        label={scenario === null ? 'Copy command' : 'Copy scenario'}
      />
    </div>
  );
}

/** A step in one line. */
function actionOf(step: Readonly<Record<string, unknown>>): string {
  if (step.request !== undefined) return String(step.request).replace(' /', ' /v1/');
  if (step.control !== undefined) return String(step.control).replace(' /', ' /_sandbox/');
  if (step.advance !== undefined) return `the clock advances by ${step.advance}`;
  if (step.respond !== undefined) return `the receiver responds with ${step.respond}`;
  return `the webhook ${Object(step.webhook).eventType} arrives`;
}
