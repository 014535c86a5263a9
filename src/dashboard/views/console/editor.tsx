import { useEffect, useRef } from 'preact/hooks';
import { createEditor } from 'prism-code-editor';
import { autoComplete, fuzzyFilter, registerCompletions } from 'prism-code-editor/autocomplete';
import { defaultCommands, editHistory, setIgnoreTab } from 'prism-code-editor/commands';
import { cursorPosition } from 'prism-code-editor/cursor';
import { matchBrackets } from 'prism-code-editor/match-brackets';
import 'prism-code-editor/prism/languages/json';
import { completionsFor } from './completion.ts';
import type { Operation } from './document.ts';

/** The operation whose body is edited. Completions are registered once, for the language. */
let edited: Operation | null = null;

registerCompletions(['json'], {
  sources: [
    ({ before, pos, explicit }, { value }) => {
      const completion = edited === null ? null : completionsFor(edited, before);
      // A list that opens by itself before anything is typed would take the Enter key.
      if (completion === null || (completion.from === pos && !explicit)) return null;
      return {
        from: completion.from,
        // The editor adds the closing quote as soon as one opens a string.
        to: before.slice(completion.from).startsWith('"') && value[pos] === '"' ? pos + 1 : pos,
        options: completion.suggestions.map(({ label, insert, detail }) => ({ label, insert, detail })),
      };
    },
  ],
});
// The key moves the focus, as everywhere on the page.
setIgnoreTab(true);

interface EditorProps {
  readonly label: string;
  readonly operation: Operation;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly onSend: () => void;
}

/** A field for JSON, with completion from the schema of the operation. */
export function JsonEditor({ label, operation, value, onInput, onSend }: EditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const handlers = useRef({ onInput, onSend });
  handlers.current = { onInput, onSend };
  edited = operation;

  useEffect(() => {
    if (box.current === null) return undefined;
    const editor = createEditor(
      box.current,
      {
        language: 'json',
        value,
        lineNumbers: false,
        wordWrap: true,
        onUpdate: text => handlers.current.onInput(text),
      },
      defaultCommands(),
      editHistory(),
      matchBrackets(),
      cursorPosition(),
      autoComplete({ filter: fuzzyFilter }),
    );
    editor.textarea.setAttribute('aria-label', label);
    editor.textarea.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      handlers.current.onSend();
    });
    return () => editor.remove();
  }, []);
  return <div class="json-editor" ref={box} />;
}
