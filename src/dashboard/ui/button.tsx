import type { ButtonHTMLAttributes } from 'preact';
import { Icon, type IconName } from './icons.tsx';

type Attributes = Omit<ButtonHTMLAttributes, 'class' | 'label'>;

interface ButtonProps extends Attributes {
  readonly kind?: string;
  readonly icon?: IconName | undefined;
}

export function Button({ kind = '', icon, children, ...attributes }: ButtonProps) {
  return (
    <button type="button" class={`button ${kind}`} {...attributes}>
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

export function IconButton({ kind = '', icon, label, ...attributes }: IconButtonProps) {
  return (
    <button type="button" class={`icon-button ${kind}`} aria-label={label} title={label} {...attributes}>
      <Icon name={icon} />
    </button>
  );
}
