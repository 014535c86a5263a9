import { Icon } from '../ui/icons.tsx';
import { goOn, isOffline, isPlaying, problem, step, story } from './playing.ts';
import { armedKey, goBack, isListOpen, restart, typedStep } from './screen.ts';

const ARMED = {
  r: 'Press r again to start again from the beginning.',
  Escape: 'Press Esc again to leave.',
} as const;

/** The buttons of the presenter, how far the story is, and what went wrong. */
export function Controls() {
  const steps = story.value?.steps.length ?? 0;
  const isOver = steps > 0 && step.value === steps;
  const cannotPlay = story.value === null || story.value.problem !== null || isOffline.value;
  return (
    <footer class="presenter-foot">
      <progress max={steps === 0 ? 1 : steps} value={step.value} aria-label="Steps that have been played" />
      <button
        type="button"
        class="button"
        onClick={() => {
          isListOpen.value = true;
        }}
      >
        {steps === 0 ? 'Stories' : `${step.value} of ${steps}`}
      </button>
      <Message />
      <button type="button" class="button" onClick={restart} disabled={step.value === 0}>
        <Icon name="again" />
        <span>Restart</span>
      </button>
      <button type="button" class="button" onClick={goBack} disabled={step.value === 0}>
        <Icon name="back" />
        <span>Back</span>
      </button>
      <button
        type="button"
        class="button primary presenter-next"
        aria-busy={isPlaying.value}
        disabled={cannotPlay || isOver}
        onClick={() => void goOn()}
      >
        <span>{isOver ? 'The end' : step.value === 0 ? 'Start' : 'Next'}</span>
        <Icon name="next" />
      </button>
    </footer>
  );
}

function Message() {
  const trouble = isOffline.value ? 'The sandbox does not respond. Retrying…' : problem.value;
  const hint =
    typedStep.value === '' ? armedKey.value && ARMED[armedKey.value] : `Go to step ${typedStep.value}: Enter`;
  if (trouble !== null)
    return (
      <p class="presenter-message presenter-problem" role="alert">
        {trouble}
      </p>
    );
  return (
    <p class="presenter-message" role="status">
      {hint}
    </p>
  );
}
