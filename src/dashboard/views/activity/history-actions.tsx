import type { ControlResult } from '../../../client/generated/control-api.ts';
import { download, withToast } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import type { HistoryEntry } from '../../data/response-types.ts';
import { go } from '../../route.ts';
import { Button } from '../../ui/button.tsx';
import { openForm } from '../../ui/form.tsx';
import { errorText } from '../../ui/format.ts';
import { toast } from '../../ui/toast.tsx';

/** What can be done with an entry of the history. `id` is its own, or that of its request. */
export function HistoryActions({ id }: { readonly id: string }) {
  return (
    <>
      <Button icon="back" onClick={() => openRewindForm(id).catch(error => toast('bad', errorText(error)))}>
        Go back to before this
      </Button>
      <Button
        title="The history from here on, as a file that card-sandbox run plays and open serves"
        onClick={() =>
          withToast('Saved the record', () =>
            download(`/history/export?from=${id}`, `from-${id}.record.jsonl`),
          )
        }
      >
        Save as record
      </Button>
    </>
  );
}

/** Asks before it undoes an entry and all later ones, and once more when entries were added while the form was open. */
async function openRewindForm(id: string, hasMore = false): Promise<void> {
  const shown = await countFrom(id);
  if (shown === 0) {
    toast('bad', 'The history has dropped this entry.');
    return;
  }
  openForm({
    title: 'Go back to before this',
    intro: `${hasMore ? 'Entries were added while this form was open, and may still be. ' : ''}Undoes ${entries(shown)} of the history: this one and all later ones, with clock, timers and ids. The current state is kept as the checkpoint before-rewind.`,
    submit: `Undo ${entries(shown)}`,
    isDangerous: true,
    async run() {
      if (!hasMore && (await countFrom(id)) > shown) return openRewindForm(id, true);
      const { undone } = await control<ControlResult<'history.rewind'>>('POST', '/rewind', { to: id });
      go('activity');
      toast('good', `Undid ${entries(undone)}`);
    },
  });
}

/** Returns how many entries the history has from this one on; 0 when it has none with this id. */
async function countFrom(id: string): Promise<number> {
  const all = await control<readonly HistoryEntry[]>('GET', '/history');
  return all.findIndex(each => each.id === id || each.requestId === id) + 1;
}

function entries(number: number): string {
  return number === 1 ? '1 entry' : `${number.toLocaleString('en')} entries`;
}
