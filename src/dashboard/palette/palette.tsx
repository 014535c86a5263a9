import Combobox from '@github/combobox-nav';
import { signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { after } from '../browser/timers.ts';
import { Icon } from '../ui/icons.tsx';
import { loadDocuments } from '../views/console/document.ts';
import { findRecords } from './found-records.ts';
import type { Option } from './option.ts';
import { placesFor } from './places.ts';

const isOpen = signal(false);

/** How long it waits for the next key before it lets the sandbox search. */
const SEARCH_PAUSE_MS = 150;

/** Opens the search across pages, records, requests, webhooks, operations and actions. */
export function openPalette(): void {
  isOpen.value = true;
}

/** The button in the top bar that opens it. */
export function PaletteButton() {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label="Search everything"
      aria-keyshortcuts="Control+K"
      title="Search everything (Ctrl K)"
      onClick={openPalette}
    >
      <Icon name="search" />
    </button>
  );
}

/** The search across everything. Control and K opens and closes it. */
export function Palette() {
  // Before the page is painted, so that no key is lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      // Another dialog asks for something first.
      if (!isOpen.value && document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      isOpen.value = !isOpen.value;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return isOpen.value ? <OpenPalette /> : null;
}

function OpenPalette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const combobox = useRef<Combobox | null>(null);
  const text = useSignal('');
  const records = useSignal<readonly Option[]>([]);
  const wanted = text.value.trim();
  const places = placesFor(wanted);
  const options = [
    ...places.filter(({ group }) => group === 'Pages' || group === 'Actions'),
    ...records.value,
    ...places.filter(({ group }) => group === 'Operations' || group === 'Traffic'),
  ];

  // Before the next key arrives, so that no letter is lost.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    void loadDocuments();
    if (input.current === null || list.current === null) return undefined;
    const created = new Combobox(input.current, list.current, {
      firstOptionSelectionMode: 'selected',
      tabInsertsSuggestions: false,
    });
    created.start();
    combobox.current = created;
    return () => created.destroy();
  }, []);
  // Every key clears the selection. The first option is selected again, for other options too.
  const ids = options.map(({ id }) => id).join();
  useEffect(() => combobox.current?.resetSelection(), [ids, text.value]);
  useEffect(() => {
    const leaving = new AbortController();
    if (wanted === '') {
      records.value = [];
      return undefined;
    }
    const cancelTimer = after(SEARCH_PAUSE_MS, () => {
      void findRecords(wanted, leaving.signal).then(found => {
        if (!leaving.signal.aborted) records.value = found;
      });
    });
    return () => {
      cancelTimer();
      leaving.abort();
    };
  }, [wanted, records]);

  function choose(option: Option) {
    isOpen.value = false;
    option.run();
  }

  return (
    <dialog
      ref={dialog}
      class="dialog palette"
      aria-label="Search everything"
      onClose={() => {
        isOpen.value = false;
      }}
    >
      <div class="palette-search">
        <Icon name="search" />
        <input
          ref={input}
          type="text"
          aria-label="Page, record, request or operation"
          placeholder="Page, record, request or operation"
          autocomplete="off"
          spellcheck={false}
          value={text.value}
          onInput={event => {
            text.value = event.currentTarget.value;
          }}
        />
        <button type="button" class="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </div>
      {/* The combobox moves the selection by keys. A click on an option, its own or the user's, chooses it. */}
      <div ref={list} id="palette-list" role="listbox" aria-label="Results">
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter clicks the selected option
          <div
            key={option.id}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            onClick={() => choose(option)}
          >
            <Icon name={option.icon} />
            <span class="palette-label">{option.label}</span>
            <span class="palette-detail">{option.detail}</span>
            <span class="palette-group">{option.group}</span>
          </div>
        ))}
      </div>
      {options.length === 0 && (
        <p class="nothing" role="status">
          Nothing matches.
        </p>
      )}
    </dialog>
  );
}
