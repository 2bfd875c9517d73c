import { wholeNumber } from './readers.ts';
import { define } from './setting.ts';

const GROUP = 'What is kept';
const FOR_EVER = 'for ever';

/** How long what is over is kept. Without them nothing of it goes: see src/store/retention.ts. */
export const retentionSettings = {
  jobsKeepDays: define<number | undefined>({
    env: 'DOCENT_JOBS_KEEP_DAYS',
    group: GROUP,
    about:
      'Days that a job is kept after it was archived, at least 7. Then it goes with all that it has; its pull requests and what it spent stay. Jobs with an open pull request, and jobs that are not archived, never go. See [what is kept](/operate/retention).',
    shownDefault: FOR_EVER,
    fallback: undefined,
    read: wholeNumber(7, 36_500),
  }),
  transcriptsKeepDays: define<number | undefined>({
    env: 'DOCENT_TRANSCRIPTS_KEEP_DAYS',
    group: GROUP,
    about:
      'Days that the transcript of a job is kept after it was archived: what the model said, and what its tools answered.',
    shownDefault: FOR_EVER,
    fallback: undefined,
    read: wholeNumber(1, 36_500),
  }),
  jobEventsKeepDays: define<number | undefined>({
    env: 'DOCENT_JOB_EVENTS_KEEP_DAYS',
    group: GROUP,
    about: 'Days that the events of a job are kept after it was archived. The last one stays as long as the job.',
    shownDefault: FOR_EVER,
    fallback: undefined,
    read: wholeNumber(1, 36_500),
  }),
  triggerEventsKeepDays: define({
    env: 'DOCENT_TRIGGER_EVENTS_KEEP_DAYS',
    group: GROUP,
    about:
      'Days that the inbox of automations keeps an event with its body, at least 7. Within this time, a repeated delivery starts no second run.',
    fallback: 30,
    read: wholeNumber(7, 3_650),
  }),
  temporalKeepDays: define<number | undefined>({
    env: 'DOCENT_TEMPORAL_KEEP_DAYS',
    group: GROUP,
    about:
      'Days that Temporal keeps the histories of workflows that have ended. Workers set it for the whole namespace, where they may; `docent status` says where they may not.',
    shownDefault: 'as the namespace has it',
    fallback: undefined,
    read: wholeNumber(1, 3_650),
  }),
};
