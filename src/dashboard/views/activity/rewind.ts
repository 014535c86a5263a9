import { withToast } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import type { HistoryEntry } from '../../data/response-types.ts';
import { go } from '../../route.ts';
import { openForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';

/** Offers to go back to before an entry of the history: a request, a control call or a decision on a page. */
export async function openRewindForm(id: string): Promise<void> {
  const entries = await control<readonly HistoryEntry[]>('GET', '/history').catch(() => []);
  const undone = entries.findIndex(each => each.id === id) + 1;
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
