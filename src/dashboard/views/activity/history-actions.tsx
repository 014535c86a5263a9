import { download, withToast } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import type { HistoryEntry } from '../../data/response-types.ts';
import { go } from '../../route.ts';
import { Button } from '../../ui/button.tsx';
import { openForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';

/** What can be done with an entry of the history. `id` is its own, or that of its request. */
export function HistoryActions({ id }: { readonly id: string }) {
  return (
    <>
      <Button icon="back" onClick={() => void openRewindForm(id)}>
        Go back to before this
      </Button>
      <Button
        title="The history from here on, as a file that card-sandbox run plays and open serves"
        onClick={() =>
          void withToast('Saved the record', () =>
            download(`/history/export?from=${id}`, `from-${id}.record.jsonl`),
          )
        }
      >
        Save as record
      </Button>
    </>
  );
}

async function openRewindForm(id: string): Promise<void> {
  const entries = await control<readonly HistoryEntry[]>('GET', '/history').catch(() => []);
  const undone = entries.findIndex(each => each.id === id || each.requestId === id) + 1;
  if (undone === 0) {
    toast('bad', 'The history has dropped this entry.');
    return;
  }
  const number = undone === 1 ? '1 entry' : `${undone.toLocaleString('en')} entries`;
  openForm({
    title: 'Go back to before this',
    intro: `Undoes ${number} of the history: this one and all later ones, with clock, timers and ids. The current state is kept as the checkpoint before-rewind.`,
    submit: `Undo ${number}`,
    isDangerous: true,
    run: () =>
      withToast(`Undid ${number}`, async () => {
        await control('POST', '/rewind', { to: id });
        go('activity');
      }),
  });
}
