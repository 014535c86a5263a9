import { useRef } from 'preact/hooks';
import { download } from '../../browser.ts';
import { withToast } from '../../data/actions.ts';
import { control, openStream } from '../../data/http.ts';
import { loadAll } from '../../data/store.ts';
import { openForm } from '../../ui/form.tsx';
import { Button, Section } from '../../ui/panel.tsx';

/** The world as a file: to save and to load. */
export function StateFile() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Section
      title="State file"
      note="The world as a document, with keys and card numbers. Another sandbox loads it here, or when it starts with --state."
    >
      <div class="actions">
        <Button onClick={() => void withToast('Saved state.json', downloadState)}>Download state</Button>
        <Button onClick={() => input.current?.click()}>Upload state…</Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="State file"
          accept="application/json,.json"
          onChange={({ currentTarget }) => {
            const [chosen] = currentTarget.files ?? [];
            if (chosen !== undefined) openUploadForm(chosen);
            currentTarget.value = '';
          }}
        />
      </div>
    </Section>
  );
}

async function downloadState(): Promise<void> {
  download(await new Response(await openStream('/state')).blob(), 'state.json');
}

function openUploadForm(file: File): void {
  openForm({
    title: `Load ${file.name}`,
    intro: 'Replaces the current state. A document with a mistake is refused as a whole and changes nothing.',
    submit: 'Load',
    isDangerous: true,
    run: async () => {
      await control('PUT', '/state', file);
      await withToast(`Loaded ${file.name}`, loadAll);
    },
  });
}
