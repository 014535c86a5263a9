import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../ui/icons.tsx';
import { linkToStory, showStory } from './address.ts';
import { goTo, step, stories, story } from './playing.ts';
import { isListOpen } from './screen.ts';

/** The list of stories, and of the steps of the one that is shown, when it is open. */
export function StoryList() {
  return isListOpen.value ? <OpenList /> : null;
}

function OpenList() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('[aria-current=step]')?.focus();
  }, []);
  const close = () => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      class="story-list"
      aria-label="Stories and steps"
      onKeyDown={moveFocus}
      onClose={() => {
        isListOpen.value = false;
      }}
    >
      <header>
        <nav aria-label="Stories">
          {stories.value?.map(({ id, title }) => (
            <a
              key={id}
              href={linkToStory(id)}
              {...(id === story.value?.id ? { 'aria-current': 'page' } : {})}
              onClick={event => {
                event.preventDefault();
                close();
                showStory(id);
              }}
            >
              {title}
            </a>
          ))}
        </nav>
        <button type="button" class="icon-button" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <ol>
        {story.value?.steps.map(({ heading }, index) => (
          <li key={index}>
            <button
              type="button"
              {...(index + 1 === step.value ? { 'aria-current': 'step' } : {})}
              class={index < step.value ? 'done' : ''}
              onClick={() => {
                close();
                void goTo(index + 1);
              }}
            >
              <span class="number">{index + 1}</span> {heading}
            </button>
          </li>
        ))}
      </ol>
    </dialog>
  );
}

/** Lets the arrow keys move between the links and buttons of the list. */
function moveFocus(event: KeyboardEvent): void {
  const offset = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (offset === 0 || !(event.currentTarget instanceof HTMLElement)) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('a, li button')];
  const focused = all.findIndex(each => each.matches(':focus'));
  all[Math.min(Math.max(focused + offset, 0), all.length - 1)]?.focus();
  event.preventDefault();
}
