import { useEffect, useRef } from 'preact/hooks';
import { closeInspector, inspect, linkTo, route, viewOfId } from '../route.ts';
import { openForm } from '../ui/form.tsx';
import { Icon } from '../ui/icons.tsx';
import { VIEWS } from '../views.ts';

/** A record over any page: the object, its requests, its events and its deliveries. The page stays below it. */
export function Inspector() {
  const { inspected } = route.value;
  const box = useRef<HTMLElement>(null);
  const key = inspected && `${inspected.view}/${inspected.id}`;
  useEffect(() => box.current?.focus(), [key]);
  const view = VIEWS.find(({ name }) => name === inspected?.view);
  if (inspected === null || view?.Record === undefined) return null;
  return (
    <aside ref={box} class="inspector detail" aria-label={`Inspector: ${view.title}`} tabIndex={-1}>
      <p class="inspector-place">
        <a href={linkTo(view.name, inspected.id)}>Open in {view.title}</a>
      </p>
      <button
        type="button"
        class="icon-button detail-close"
        aria-label="Close the inspector"
        onClick={closeInspector}
      >
        <Icon name="close" />
      </button>
      <view.Record key={key} id={inspected.id} />
    </aside>
  );
}

export function openInspectForm(): void {
  openForm({
    title: 'Inspect a record',
    submit: 'Inspect',
    fields: () => [
      {
        name: 'id',
        label: 'Id',
        hint: 'Of a cardholder, card, transaction, KYC session, event or request, or a share token.',
      },
    ],
    run: async ({ id = '' }) => inspect(viewOfId(id.trim()), id.trim()),
  });
}
