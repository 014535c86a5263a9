import { useSignal } from '@preact/signals';
import type { ButtonHTMLAttributes } from 'preact';
import { Icon, type IconName } from './icons.tsx';

interface Attributes extends Omit<ButtonHTMLAttributes, 'class' | 'label' | 'onClick'> {
  /** Clicks have no effect until a promise that it returns settles. */
  readonly onClick?: () => unknown;
}

interface ButtonProps extends Attributes {
  readonly kind?: string;
  readonly icon?: IconName | undefined;
}

export function Button({ kind = '', icon, children, onClick, ...attributes }: ButtonProps) {
  return (
    <button type="button" class={`button ${kind}`} {...attributes} {...useClick(onClick)}>
      {icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

interface IconButtonProps extends Attributes {
  readonly kind?: string;
  readonly icon: IconName;
  readonly label: string;
}

export function IconButton({ kind = '', icon, label, onClick, ...attributes }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button ${kind}`}
      aria-label={label}
      title={label}
      {...attributes}
      {...useClick(onClick)}
    >
      <Icon name={icon} />
    </button>
  );
}

/** A button that runs keeps the focus, which a disabled one would lose. */
function useClick(onClick: Attributes['onClick']) {
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
