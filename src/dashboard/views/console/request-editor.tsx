import { partners } from '../../data/store.ts';
import type { Parameter } from './document.ts';
import { type Draft, edit, MASK } from './draft.ts';
import { JsonEditor } from './editor.tsx';

interface RequestEditorProps {
  readonly draft: Draft;
  readonly onSend: () => void;
}

/** The fields of a request: who sends it, its parameters, its headers and its body. */
export function RequestEditor({ draft, onSend }: RequestEditorProps) {
  const { operation, parameters, headers, body, partnerId } = draft;
  const inPath = operation.parameters.filter(each => each.in === 'path');
  const inQuery = operation.parameters.filter(each => each.in === 'query');
  const isApi = operation.plane === 'partner';
  return (
    <form
      class="request-editor"
      onSubmit={event => {
        event.preventDefault();
        onSend();
      }}
    >
      <div class="fields">
        {isApi && (
          <label class="field">
            API key of
            <select
              value={partnerId ?? 'selected'}
              onChange={({ currentTarget: { value } }) =>
                edit({ partnerId: value === 'selected' ? null : value })
              }
            >
              <option value="selected">the selected partner</option>
              {(partners.data.value ?? []).map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
              <option value="">nobody: no key</option>
            </select>
          </label>
        )}
        {[...inPath, ...inQuery].map(each => (
          <ParameterField
            key={each.name}
            parameter={each}
            value={parameters[each.name] ?? ''}
            onInput={value => edit({ parameters: { ...parameters, [each.name]: value } })}
          />
        ))}
      </div>
      {isApi && (
        <label class="field">
          <span>
            Headers <span class="optional">optional, one on each line</span>
          </span>
          <textarea
            rows={Math.max(headers.split('\n').length, 1)}
            spellcheck={false}
            placeholder="x-sandbox-fault: status=503"
            value={headers}
            onInput={event => edit({ headers: event.currentTarget.value })}
          />
        </label>
      )}
      {(operation.body !== null || body !== '') && (
        <div class="field">
          <span class="field-title">
            Body <span class="optional">Ctrl Space completes</span>
          </span>
          <JsonEditor
            label="Request body"
            operation={operation}
            value={body}
            onInput={text => edit({ body: text })}
            onSend={onSend}
          />
          {body.includes(MASK) && (
            <p class="callout">
              The journal masks secrets as {MASK}. Replace them before you send the request.
            </p>
          )}
        </div>
      )}
      {/* Enter in a field sends the form only if it has such a button. */}
      <button type="submit" class="off-screen" tabIndex={-1} aria-hidden="true">
        Send
      </button>
    </form>
  );
}

interface ParameterFieldProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function ParameterField({ parameter, value, onInput }: ParameterFieldProps) {
  const { name, required = false, schema, description } = parameter;
  const id = `parameter-${name}`;
  const choices = schema.enum?.map(String);
  return (
    <div class="field">
      <label for={id} title={description ?? ''}>
        {name} {!required && <span class="optional">optional</span>}
      </label>
      {choices === undefined ? (
        <input
          id={id}
          type="text"
          autocomplete="off"
          spellcheck={false}
          value={value}
          placeholder={schema.default === undefined ? '' : String(schema.default)}
          onInput={event => onInput(event.currentTarget.value)}
        />
      ) : (
        <select id={id} value={value} onChange={event => onInput(event.currentTarget.value)}>
          <option value="">not sent</option>
          {choices.map(each => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
