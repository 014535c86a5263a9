import { useSignal } from '@preact/signals';
import type { ButtonHTMLAttributes } from 'preact';
import { Icon, type IconName } from './icons.tsx';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class' | 'label' | 'onClick'> {
  readonly kind?: string;
  readonly icon?: IconName | undefined;
  /** The name of a button that shows its icon alone. */
  readonly label?: string;
  /** Clicks have no effect until a promise that it returns settles. */
  readonly onClick?: () => unknown;
}

export function Button({ kind = '', icon, label, children, onClick, ...attributes }: ButtonProps) {
  return (
    <button
      type="button"
      class={`${label === undefined ? 'button' : 'icon-button'} ${kind}`}
      aria-label={label}
      title={label}
      {...attributes}
      {...useClick(onClick)}
    >
      {icon !== undefined && <Icon name={icon} />}
      {label === undefined && <span>{children}</span>}
    </button>
  );
}

/** A button that runs keeps the focus, which a disabled one would lose. */
function useClick(onClick: ButtonProps['onClick']) {
  const isBusy = useSignal(false);
  if (onClick === undefined) return {};
  return {
    'aria-busy': isBusy.value || undefined,
    async onClick() {
      if (isBusy.value) return;
      isBusy.value = true;
      try {
        await onClick();
      } finally {
        isBusy.value = false;
      }
    },
  };
}
