import { useRef } from 'preact/hooks';
import { download, withToast } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import { loadAll } from '../../data/store.ts';
import { Button } from '../../ui/button.tsx';
import { openForm } from '../../ui/form.tsx';
import { Section } from '../../ui/panel.tsx';

export function StateFile() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Section
      title="State file"
      note="The world as a document, with keys and card numbers. Another sandbox loads it here, or when it starts with --state."
    >
      <div class="actions">
        <Button onClick={() => withToast('Saved state.json', () => download('/state', 'state.json'))}>
          Download state
        </Button>
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
